import { type JsonObject, toJson } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { exitCodeOfRun } from '../../exit-code.js';
import { paint } from '../text/line.js';
import { runLines, type ShownRun, stoppedRunLines } from './run-report.js';

type Suite = ShownRun['suites'][number];
type Incident = ShownRun['incidents'][number];

const suite: Suite = {
  id: 'smoke',
  outcome: 'passed',
  exitCode: 0,
  signal: null,
  duration: 1_500,
  restarts: [],
};
const run: ShownRun = {
  exitCode: 0,
  suites: [suite],
  incidents: [],
  notices: [],
  removedMeanwhile: false,
  takenDown: { removed: [{ type: 'process', name: 'api' }], failed: [] },
};
const kernel = buildKernel();
const shown = (rest: Partial<ShownRun>, symbols = false) =>
  paint(runLines({ ...run, ...rest }, kernel, symbols), { color: false });

describe('the report of tests', () => {
  it('is short when all is well', () => {
    expect(shown({})).toBe('pass    smoke  1.5 s\ndown: 1 process removed\npassed: one suite\n');
    expect(shown({}, true)).toContain('✓ smoke  1.5 s\n');
  });

  it('says that somebody else took the environment down, and does not call that passed', () => {
    const notices = [{ code: 'ENVIRONMENT_REMOVED', message: 'It was taken down while smoke ran' }];
    const rest = { takenDown: null, removedMeanwhile: true };
    expect(shown({ ...rest, notices, exitCode: 1 })).toBe(
      [
        'pass    smoke  1.5 s',
        'notice: It was taken down while smoke ran (ENVIRONMENT_REMOVED)',
        'down: somebody else took the environment down; argus run brings it up again',
        'failed: the environment was taken down meanwhile, exit code 1',
        '',
      ].join('\n'),
    );
    expect(shown(rest)).toContain('\npassed: one suite\n');
    expect(shown({ takenDown: null })).toContain('up: the environment stays up');
  });

  it('says how each suite ended, and with which code all of it does', () => {
    const suites: Suite[] = [
      { ...suite, name: 'Smoke tests' },
      { ...suite, id: 'a', outcome: 'failed', exitCode: 3 },
      { ...suite, id: 'b', outcome: 'failed', exitCode: null, signal: 'SIGKILL' },
      { ...suite, id: 'c', outcome: 'timed-out', exitCode: null, signal: 'SIGTERM' },
      { ...suite, id: 'd', outcome: 'failed', exitCode: 127, problem: 'There is no command x' },
    ];
    expect(shown({ suites, exitCode: 3 })).toBe(
      [
        'pass    smoke (Smoke tests)  1.5 s',
        'fail    a  exit code 3, 1.5 s',
        'fail    b  ended by SIGKILL, 1.5 s',
        'fail    c  took too long and was ended, 1.5 s',
        'fail    d  There is no command x, 1.5 s',
        'down: 1 process removed',
        'failed: 4 of 5 suites, exit code 3',
        '',
      ].join('\n'),
    );
    expect(shown({ suites: suites.slice(1, 2), exitCode: 3 })).toContain('failed: one suite, exit code 3\n');
  });

  it('says below a suite what happened to services meanwhile, and why', () => {
    const restarts: Suite['restarts'] = [
      { service: 'api', at: 1, reason: 'exit code 3', verdict: 'healthy', durationMs: 1_200 },
      { service: 'db', at: 2, reason: 'OOM', verdict: 'failed' },
      {
        service: 'mq',
        at: 2,
        reason: 'no answer',
        verdict: 'healthy',
        durationMs: 5,
        withoutRestart: true as const,
      },
      { service: 'web', at: 3, reason: 'restarted with db', verdict: 'healthy', durationMs: 20 },
    ];
    expect(shown({ suites: [{ ...suite, restarts }] })).toContain(
      'smoke  1.5 s\n        api was restarted: exit code 3, healthy after 1.2 s\n        db was restarted: OOM, failed\n        mq was repaired: no answer, healthy after 5 ms\n        web was restarted with db, healthy after 20 ms\n',
    );
  });

  it('tells of services that were not restarted, and of what went wrong beside the tests', () => {
    const error = { code: 'CONTAINER_CRASH', message: 'db ended', details: {}, suggestedActions: ['logs'] };
    const incident: Incident = { service: 'db', outcome: 'interrupted', restarts: [], error };
    const along = { ...error, code: 'DEPENDENCY_RESTARTED', details: { with: 'db' } };
    const text = shown({
      incidents: [
        { ...incident, outcome: 'observed', refusal: 'autonomy is observe' },
        incident,
        { ...incident, service: 'api', error: along },
      ],
      notices: [{ code: 'STORE_UNAVAILABLE', message: 'no store' }],
    });
    expect(text).toContain(
      [
        'db failed and was not restarted (autonomy is observe): db ended',
        '  code: CONTAINER_CRASH',
        '  try: argus run --keep',
        '  try: argus logs',
        'db failed and was not restarted: db ended',
        'api was not restarted with db',
        '',
      ].join('\n'),
    );
    expect(text).toContain('notice: no store (STORE_UNAVAILABLE)\n');
  });

  it('says which service was given up, how it fails, and what to type next', () => {
    const restarts = [{ service: 'api', at: 1, reason: 'exit code 3', verdict: 'failed' as const }];
    const error = {
      code: 'CONTAINER_RESTART_EXHAUSTED',
      message: 'api was not restarted any more (crash loop): 1 restart',
      details: { pattern: 'crash-loop' },
      suggestedActions: ['logs', 'setup'],
    };
    const incident: Incident = {
      service: 'api',
      outcome: 'exhausted',
      restarts,
      error,
      refusal: 'max-restarts',
    };
    const text = shown({ suites: [{ ...suite, restarts }], incidents: [incident], takenDown: null });
    expect(text).toContain(
      [
        '        api was restarted: exit code 3, failed',
        'given up: api was not restarted any more (crash loop): 1 restart',
        '  code: CONTAINER_RESTART_EXHAUSTED, pattern: crash-loop',
        '  try: argus logs',
        '  try: argus setup',
        'up: the environment stays up',
      ].join('\n'),
    );
  });

  it('tells of restarts that no suite tells of', () => {
    const restarts = [{ at: 1, reason: 'OOM', verdict: 'healthy' as const }];
    const error = { code: 'CONTAINER_OOM', message: 'no memory', details: {}, suggestedActions: [] };
    const incident: Incident = { service: 'api', outcome: 'recovered', restarts, error };
    expect(shown({ incidents: [incident] })).toContain('api was restarted outside of the suites: OOM\n');
  });

  it('tells of no restart as made that was under way when the tests ended', () => {
    const error = { code: 'HEALTH_CHECK_TIMEOUT', message: 'api hangs', details: {}, suggestedActions: [] };
    for (const verdict of ['pending', 'unknown'] as const) {
      const restarts = [{ at: 1, reason: 'it is paused', verdict }];
      const text = shown({ incidents: [{ service: 'api', outcome: 'interrupted', restarts, error }] });
      expect(text).toContain('api failed, and its restart was not over when the tests were: api hangs\n');
      expect(text).not.toContain('was restarted');
    }
  });

  it('says what became of the environment', () => {
    expect(shown({ takenDown: null })).toContain('up: the environment stays up; argus clean takes it down\n');
    const failed = [{ type: 'network', name: 'net', error: { message: 'in use' } }];
    expect(shown({ takenDown: { removed: [], failed } })).toContain(
      'could not remove network net: in use\nnot down: nothing removed, 1 not; argus clean takes down the rest\n',
    );
  });
});

describe('tests that were stopped', () => {
  const stopped = (details: object, symbols = false) =>
    paint(stoppedRunLines({ details: toJson(details) as JsonObject }, symbols), { color: false });

  it('still say how each suite ended, what happened to services meanwhile, and which one was stopped', () => {
    const restarts = [{ service: 'api', at: 1, reason: 'exit code 1', verdict: 'healthy', durationMs: 20 }];
    const suites = [
      { ...suite, id: 'one', outcome: 'failed', exitCode: 3, restarts },
      { ...suite, id: 'two', outcome: 'interrupted', exitCode: null, signal: 'SIGTERM' },
    ];
    expect(stopped({ suites })).toBe(
      [
        'fail    one  exit code 3, 1.5 s',
        '        api was restarted: exit code 1, healthy after 20 ms',
        'unknown two  was stopped, 1.5 s',
        '',
      ].join('\n'),
    );
    expect(stopped({ suites }, true)).toContain('? two  was stopped, 1.5 s\n');
  });

  it('have nothing to say when none had begun, or before there were any', () => {
    expect(stopped({ suites: [] })).toBe('');
    expect(stopped({})).toBe('');
    expect(stopped({ suites: ['smoke'] })).toBe('');
  });
});

describe('the exit code of tests', () => {
  it('is theirs, and not fine when something could not be taken down', () => {
    const failed = [{ type: 'network', name: 'net', error: { message: 'in use' } }];
    expect(exitCodeOfRun(run)).toBe(0);
    expect(exitCodeOfRun({ ...run, takenDown: null, exitCode: 7 })).toBe(7);
    expect(exitCodeOfRun({ ...run, takenDown: { failed } })).toBe(1);
    expect(exitCodeOfRun({ ...run, takenDown: { failed }, exitCode: 7 })).toBe(7);
  });
});
