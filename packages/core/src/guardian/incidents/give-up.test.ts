import { describe, expect, it } from 'vitest';
import { exhausted } from './give-up.js';
import type { Evidence, OpenIncident } from './incident.js';

const evidence = (exitCode: number): Evidence => ({
  at: 9,
  status: 'exited',
  exitCode,
  oomKilled: false,
  startedAt: 1_000,
  endedAt: 1_250,
  memory: { limit: null, peak: null },
  lines: [],
  health: [],
  details: {},
  diagnosis: {},
  gaps: [],
});
const error = (code: string) => ({
  ...({ code, category: 'container', severity: 'recoverable', message: `because of ${code}` } as const),
  details: {},
  suggestedActions: [],
  timestamp: 0,
});
const incidentOf = (...codes: string[]): OpenIncident => ({
  service: 'api',
  runId: 'r1',
  startedAt: 0,
  error: error('CONTAINER_CRASH'),
  restarts: codes.map((code, index) => ({
    attempt: index + 1,
    at: 0,
    reason: 'exit code 1',
    code,
    delayMs: 0,
    evidence: evidence(1),
    verdict: 'failed' as const,
  })),
});
const last = (code: string) => ({ error: error(code), reason: 'exit code 1', evidence: evidence(1) });
const max = (attempts: number, counted: readonly { at: number; reason: string | null }[] = []) => ({
  limit: 'max-restarts' as const,
  attempts,
  counted,
});

describe('a service that is given up', () => {
  it.each([
    ['CONTAINER_CRASH', 'crash-loop'],
    ['CONTAINER_OOM', 'out-of-memory-loop'],
    ['HEALTH_CHECK_TIMEOUT', 'health-loop'],
  ])('fails again and again with %s, which is a %s', (code, pattern) => {
    expect(exhausted(incidentOf(code, code), last(code), max(2))).toMatchObject({
      code: 'CONTAINER_RESTART_EXHAUSTED',
      severity: 'fatal',
      timestamp: 9,
      details: { pattern, attempts: 2, cause: { code, message: `because of ${code}` } },
    });
  });

  it('may fail in several ways', () => {
    const { message, details } = exhausted(incidentOf('CONTAINER_OOM'), last('CONTAINER_CRASH'), max(1));
    expect(details.pattern).toBe('mixed');
    expect(message).toBe(
      'api was not restarted any more (it fails in several ways, last exit code 1 after 250ms): 1 restart did not help',
    );
  });

  it('has failed once, and not in a loop, where no restart is allowed', () => {
    const { message, details } = exhausted(incidentOf(), last('CONTAINER_CRASH'), max(0));
    expect(details).toMatchObject({ pattern: 'once', attempts: 0, limit: 'max-restarts' });
    expect(message).toBe(
      'api was not restarted (exit code 1 after 250ms): resilience.container.maxRestarts is 0',
    );
    const storm = { limit: 'storm-limit' as const, stormLimit: { max: 0, per: 1_000 }, counted: [] };
    expect(exhausted(incidentOf(), last('CONTAINER_CRASH'), storm).message).toBe(
      'api was not restarted (exit code 1 after 250ms): resilience.container.stormLimit.max is 0',
    );
  });

  it('had restarts before, of which only the book knows', () => {
    const counted = [
      { at: -9, reason: 'long ago' },
      { at: -2, reason: null },
      { at: 0, reason: 'exit code 1' },
    ];
    const { message, details } = exhausted(
      incidentOf('CONTAINER_CRASH'),
      last('CONTAINER_CRASH'),
      max(2, counted),
    );
    expect(message).toContain('2 restarts did not help');
    expect(details.history).toMatchObject([
      { attempt: 1, at: -2, reason: null },
      { attempt: 1, at: 0 },
      { attempt: 3, verdict: 'given-up' },
    ]);
  });

  it('may have used up what it may have in an hour', () => {
    const stormLimit = { max: 2, per: 3_600_000 };
    const counted = [
      { at: 1, reason: 'OOM' },
      { at: 2, reason: null },
    ];
    const met = { limit: 'storm-limit' as const, stormLimit, counted };
    const { message, details } = exhausted(incidentOf(), last('CONTAINER_CRASH'), met);
    expect(details).toMatchObject({ limit: 'storm-limit', attempts: 2, stormLimit, counted });
    expect(details.history).toMatchObject([counted[0], counted[1], { verdict: 'given-up' }].filter(Boolean));
    expect(message).toContain('it was restarted too often lately: 2 times within 1h');
  });
});
