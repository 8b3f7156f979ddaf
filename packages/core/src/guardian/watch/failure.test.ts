import { describe, expect, it } from 'vitest';
import { service } from '../../environment/fixtures/service.js';
import type { ServiceState } from '../../environment/runtime.js';
import type { Evidence } from '../incidents/incident.js';
import { errorOf, failureOf, reasonOfFailure } from './failure.js';

const state = (rest: Partial<ServiceState>): ServiceState => ({ service: 'api', status: 'exited', ...rest });
const api = service('api');
const seed = service('seed', { oneShot: true });
const plain = { oomAt: undefined, isOomOld: false, heedsHealth: true };
const evidence: Evidence = {
  at: 7,
  status: 'exited',
  exitCode: 137,
  oomKilled: false,
  startedAt: 1,
  endedAt: 5,
  memory: { limit: 1_000_000, peak: null },
  health: [],
  details: {},
  diagnosis: {},
  gaps: [],
  lines: [{ stream: 'stderr', text: 'ouch' }],
};

describe('a failure', () => {
  it('is any end of a service that is meant to stay', () => {
    expect(failureOf(api, state({ exitCode: 1 }), plain)).toMatchObject({ kind: 'crash' });
    expect(failureOf(api, state({ exitCode: 0 }), plain)).toMatchObject({ kind: 'crash' });
    expect(failureOf(api, state({ status: 'missing' }), plain)).toMatchObject({ kind: 'crash' });
  });

  it('is no end of a one-shot that has done its work', () => {
    expect(failureOf(seed, state({ exitCode: 0 }), plain)).toBeUndefined();
    expect(failureOf(seed, state({ exitCode: 2 }), plain)).toMatchObject({ kind: 'crash' });
  });

  it('is a lack of memory only by the runtime’s own word', () => {
    expect(failureOf(api, state({ exitCode: 137 }), plain)).toMatchObject({ kind: 'crash' });
    expect(failureOf(api, state({ exitCode: 137, oomKilled: true }), plain)).toMatchObject({ kind: 'oom' });
    const told = { ...plain, oomAt: 90_000 };
    const ended = (exitCode: number, endedAt: number) =>
      failureOf(api, state({ exitCode, endedAt }), told)?.kind;
    expect(ended(137, 90_020)).toBe('oom');
    // The news of the memory came after that of the end.
    expect(ended(137, 89_990)).toBe('oom');
    // One of its processes was killed, which it survived, and much later somebody killed it.
    expect(ended(137, 180_000)).toBe('crash');
    expect(failureOf(api, state({ exitCode: 137 }), told)?.kind).toBe('crash');
    // It was started again since, and the engine says it still.
    const old = state({ exitCode: 3, oomKilled: true });
    expect(failureOf(api, old, { ...plain, isOomOld: true })).toMatchObject({ kind: 'crash' });
    // One of its processes was killed, and it ended of that, or much later for a reason of its own.
    expect(ended(1, 90_020)).toBe('oom');
    expect(ended(0, 90_020)).toBe('oom');
    expect(ended(1, 180_000)).toBe('crash');
    // The runtime knows that it was in this start, whatever it said before.
    const again = state({ exitCode: 1, oomKilled: true, oomAt: 90_000, endedAt: 90_020 });
    expect(failureOf(api, again, { ...plain, isOomOld: true })).toMatchObject({ kind: 'oom' });
  });

  it('is what the image’s own check says, where nothing else tells', () => {
    const unwell = state({ status: 'running', health: 'unhealthy', healthOutputs: ['no', 'no'] });
    expect(failureOf(api, unwell, plain)).toMatchObject({ kind: 'health', tries: 2, answers: true });
    const told = { ...unwell, healthOutputs: ['fine', 'no', 'not yet'], details: { healthFailures: 2 } };
    expect(failureOf(api, told, plain)).toMatchObject({ tries: 2, outputs: ['«no»', '«not yet»'] });
    expect(failureOf(api, unwell, { ...plain, heedsHealth: false })).toBeUndefined();
    expect(failureOf(api, state({ status: 'running', health: 'starting' }), plain)).toBeUndefined();
    expect(failureOf(api, state({ status: 'running' }), plain)).toBeUndefined();
  });

  it('is that it hangs, by the runtime’s word, whatever checks it has', () => {
    const paused = state({ status: 'running', paused: true, health: 'healthy' });
    const failure = failureOf(api, paused, { ...plain, heedsHealth: false });
    if (!failure) throw new Error('it is none');
    expect(failure).toMatchObject({ kind: 'health', answers: false });
    expect(reasonOfFailure(failure)).toBe('it is paused');
    expect(errorOf(failure, 'api', { id: 'r' }, evidence)).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: 'api hangs: it is paused',
      details: { check: 'the runtime says that it is paused', tries: 1, outputs: [], lines: ['ouch'] },
    });
  });

  it('says why in a few words', () => {
    const reason = (rest: Partial<ServiceState>) => {
      const failure = failureOf(api, state(rest), plain);
      return failure && reasonOfFailure(failure);
    };
    expect(reason({ exitCode: 3 })).toBe('exit code 3');
    expect(reason({})).toBe('exit code unknown');
    expect(reason({ status: 'missing' })).toBe('it is gone');
    expect(reason({ oomKilled: true })).toBe('OOM');
    expect(reason({ status: 'running', health: 'unhealthy' })).toBe(
      "health check failed: the image's own check",
    );
    expect(reasonOfFailure({ kind: 'crash', state: state({}), why: 'the port is taken' })).toBe(
      'the port is taken',
    );
  });

  it('becomes an error with its code', () => {
    const run = { id: 'r1' };
    const known = state({ id: 'c1', details: { container: 'shop-api', signal: 'SIGKILL' } });
    expect(errorOf({ kind: 'crash', state: known }, 'api', run, evidence)).toMatchObject({
      code: 'CONTAINER_CRASH',
      timestamp: 7,
      message: 'api ended unexpectedly: exit code unknown',
      details: {
        service: 'api',
        runId: 'r1',
        exitCode: 137,
        finishedAt: 5,
        lines: ['ouch'],
        status: 'exited',
        container: 'shop-api',
        id: 'c1',
        signal: 'SIGKILL',
      },
    });
    expect(errorOf({ kind: 'oom', state: known }, 'api', run, evidence)).toMatchObject({
      code: 'CONTAINER_OOM',
      message: 'api ran out of memory: its limit is 1 MB',
      details: { memoryLimit: 1_000_000, memoryPeak: null },
    });
    const unlimited = { ...evidence, memory: { limit: null, peak: null } };
    expect(errorOf({ kind: 'oom', state: known }, 'api', run, unlimited).message).toBe(
      'api ran out of memory',
    );
    const unwell = {
      kind: 'health',
      state: known,
      check: 'GET /',
      tries: 3,
      outputs: ['503'],
      answers: true,
    } as const;
    expect(errorOf(unwell, 'api', run, evidence)).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      details: { service: 'api', check: 'GET /', tries: 3, outputs: ['503'], lines: ['ouch'] },
    });
  });
});
