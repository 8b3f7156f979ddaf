import { describe, expect, it } from 'vitest';
import type { Incident } from '../guardian/incidents/incident.js';
import { exitCodeOf, type SuiteResult, withRestarts } from './run-report.js';

const end = { exitCode: 0, signal: null, timedOut: false };

describe('the exit code of a suite', () => {
  it.each([
    [end, 0],
    [{ ...end, exitCode: 3 }, 3],
    [{ ...end, exitCode: null, signal: 'SIGKILL' as const }, 137],
    [{ ...end, timedOut: true }, 124],
    [{ ...end, exitCode: null }, 1],
  ])('of %j is %i', (how, code) => {
    expect(exitCodeOf(how)).toBe(code);
  });
});

describe('the restarts of a suite', () => {
  const suite = (id: string, startedAt: number): Omit<SuiteResult, 'restarts'> => ({
    id,
    command: ['x'],
    outcome: 'passed' as const,
    startedAt,
    duration: 10,
    ...end,
  });
  const incident = (at: number, begunIn?: string) =>
    ({
      service: 'api',
      ...(begunIn === undefined ? {} : { suite: begunIn }),
      restarts: [{ attempt: 1, at, reason: 'OOM', code: 'CONTAINER_OOM', verdict: 'healthy', durationMs: 5 }],
    }) as unknown as Incident;
  const given = (...incidents: Incident[]) =>
    withRestarts([suite('a', 100), suite('b', 200)], incidents).map(({ id, restarts }) => [
      id,
      ...restarts.map(({ at }) => at),
    ]);

  it.each(['pending', 'unknown', 'not-needed'] as const)('are none that is %s', (verdict) => {
    const { restarts, ...rest } = incident(105, 'a');
    const unmade = { ...rest, restarts: restarts.map((one) => ({ ...one, verdict })) };
    expect(given(unmade)).toEqual([['a'], ['b']]);
  });

  it('are those that were made during it, or after it and before the next', () => {
    expect(given(incident(105, 'a'), incident(205, 'a'), incident(150, 'a'), incident(151))).toEqual([
      ['a', 105, 150, 151],
      ['b', 205],
    ]);
    expect(given(incident(300), incident(90), incident(91, 'b'))).toEqual([['a'], ['b', 300, 91]]);
    expect(given(incident(200, 'a'), incident(200, 'b'))).toEqual([
      ['a', 200],
      ['b', 200],
    ]);
    expect(withRestarts([suite('a', 100)], [incident(105)])[0]?.restarts).toEqual([
      {
        service: 'api',
        attempt: 1,
        at: 105,
        reason: 'OOM',
        code: 'CONTAINER_OOM',
        verdict: 'healthy',
        durationMs: 5,
      },
    ]);
  });
});
