import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { healthcheck, modelService, type World } from '../environment/fixtures/environment-kernel.js';
import { ModelRuntime } from '../environment/fixtures/model-runtime.js';
import { cleanCurrentRun } from '../environment/removal/clean-up.js';
import { changeRun, readRun } from '../environment/runs/runs.js';
import { setUp } from '../environment/setup/set-up.js';
import { ArgusError } from '../model/argus-error.js';
import { defineErrorCode } from '../model/error-code.js';
import { definePlugin } from '../model/plugin.js';
import { pause } from '../time/pause.js';
import { eventually, type GuardedWorld, guardedWorld, pass } from './fixtures/guarded-world.js';
import { GuardBook, openIncidents } from './incidents/guard-book.js';
import { guardStatus } from './posts/guard-status.js';

const down = defineErrorCode({
  code: 'ENGINE_DOWN',
  category: 'infrastructure',
  severity: 'fatal',
  summary: 'The engine is down',
});
const engineDown = new ArgusError(down, { message: 'the engine is down' });
/** A service that crashes soon after every start but the one of the setup. */
const crashing = (start: number) => (start === 1 ? {} : { exits: { code: 1, afterMs: 300 } });

function fail(): never {
  throw new Error('nothing is open');
}

/** Somebody starts the service that has ended. */
async function startByHand({ runtime, kernel, signal, store, runId }: GuardedWorld): Promise<void> {
  const run = await readRun(store, runId);
  const service = runtime.services.get('api');
  if (!run || !service) throw new Error('nothing is there');
  const { project, events, clock } = kernel;
  const context = { run, project, events, clock, signal, services: [] };
  await runtime.start(service, run.services.api?.spec ?? '', context);
}

describe('a guarded service', () => {
  it('is restarted after its delay when it crashes, and has recovered when it stays up', async () => {
    const world = await guardedWorld();
    world.runtime.output.api = ['one', 'two'];
    const guarding = await world.guard();
    world.runtime.crash('api', { code: 3 });
    await pass(world, 1_950);
    expect(world.starts('api')).toBe(1);
    await pass(world, 200);
    expect(world.starts('api')).toBe(2);
    await pass(world, 9_000);
    expect(await world.incidents()).toEqual([]);
    await pass(world, 2_000);
    expect(await world.incidents()).toMatchObject([
      {
        service: 'api',
        outcome: 'recovered',
        error: { code: 'CONTAINER_CRASH', details: { exitCode: 3 } },
        restarts: [
          {
            attempt: 1,
            reason: 'exit code 3',
            code: 'CONTAINER_CRASH',
            delayMs: 2_000,
            verdict: 'healthy',
            evidence: { exitCode: 3, lines: [{ text: 'one' }, { text: 'two' }] },
          },
        ],
      },
    ]);
    const { incidents } = await guarding.end();
    expect(incidents).toEqual(await world.incidents());
    expect(world.told('restart_attempt')).toEqual([
      { container: 'api', attempt: 1, reason: 'exit code 3', delay: 2_000 },
    ]);
    expect(world.told('restart_success')).toMatchObject([{ container: 'api', attempt: 1 }]);
    expect(world.told('incident_end')).toMatchObject([{ service: 'api', outcome: 'recovered', restarts: 1 }]);
  });

  it('is given up after as many restarts as it may have, with the whole history and the pattern', async () => {
    const world = await guardedWorld({}, ({ runtime }) => {
      runtime.behaviours.api = crashing;
    });
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 120_000, 200);
    expect(world.starts('api')).toBe(4);
    const [incident, ...others] = await world.incidents();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      outcome: 'exhausted',
      error: {
        code: 'CONTAINER_RESTART_EXHAUSTED',
        severity: 'fatal',
        message:
          'api was not restarted any more (crash loop, last exit code 1 after 300ms): 3 restarts did not help',
        details: {
          attempts: 3,
          limit: 'max-restarts',
          pattern: 'crash-loop',
          cause: { code: 'CONTAINER_CRASH' },
        },
      },
      restarts: [{ delayMs: 2_000 }, { delayMs: 4_000 }, { delayMs: 8_000 }],
    });
    expect(incident?.error.details.history).toHaveLength(4);
    expect(world.told('restart_exhausted')).toEqual([{ container: 'api', attempts: 3 }]);
  });

  it('that was given up has all its restarts before it again only when it was stable by itself', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 1 } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => (start === 2 ? { exits: { code: 1, afterMs: 300 } } : {});
    });
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 10_000);
    expect(world.starts('api')).toBe(2);
    await startByHand(world);
    await pass(world, 5_000);
    world.runtime.crash('api');
    await pass(world, 5_000);
    // It was not stable, so it is given up again without another restart.
    expect(world.starts('api')).toBe(3);
    const again = await world.incidents();
    expect(again.map(({ outcome }) => outcome)).toEqual(['exhausted', 'exhausted']);
    expect(again[1]?.error.message).toContain('1 restart did not help');
    await startByHand(world);
    await pass(world, 15_000);
    world.runtime.crash('api');
    await pass(world, 5_000);
    expect(world.starts('api')).toBe(5);
  });

  it('counts afresh only when it has been stable for the window', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 2 } });
    await world.guard();
    for (let crash = 0; crash < 2; crash += 1) {
      world.runtime.crash('api');
      await pass(world, 2_000 * 2 ** crash + 9_000);
    }
    expect(world.told('restart_attempt')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    await pass(world, 3_000);
    world.runtime.crash('api');
    await pass(world, 3_000);
    expect(world.told('restart_attempt')).toMatchObject([{}, {}, { attempt: 1, delay: 2_000 }]);
    expect(await world.incidents()).toMatchObject([{ outcome: 'recovered', restarts: [{}, {}] }]);
  });

  it('that ends while it is about to be called stable is not forgotten, however slow the look at it', async () => {
    for (let before = 0; before <= 200; before += 20) {
      const world = await guardedWorld();
      await world.guard();
      world.runtime.crash('api');
      await eventually(world, () => world.told('restart_success').length === 1, 10);
      const inspect = world.runtime.inspect.bind(world.runtime);
      world.runtime.inspect = async (...asked) => {
        const states = await inspect(...asked);
        await pause(world.clock, 100);
        return states;
      };
      await pass(world, 10_000 - before, 10);
      world.runtime.crash('api', { code: 137 });
      await pass(world, 6_000);
      expect(world.starts('api')).toBe(3);
    }
  });

  it('is not restarted more often than the storm limit says, although it recovers every time', async () => {
    const world = await guardedWorld({ container: { stormLimit: { max: 2, per: '1h' } } });
    await world.guard();
    for (let crash = 0; crash < 3; crash += 1) {
      world.runtime.crash('api');
      await pass(world, 15_000, 500);
    }
    expect(world.starts('api')).toBe(3);
    expect(await world.incidents()).toMatchObject([
      { outcome: 'recovered' },
      { outcome: 'recovered' },
      {
        outcome: 'exhausted',
        refusal: 'storm-limit',
        error: {
          message: expect.stringContaining('it was restarted too often lately: 2 times within 1h'),
          details: {
            limit: 'storm-limit',
            attempts: 2,
            stormLimit: { max: 2, per: 3_600_000 },
            counted: [
              { at: expect.any(Number), reason: 'exit code 1' },
              { at: expect.any(Number), reason: 'exit code 1' },
            ],
          },
        },
      },
    ]);
    expect(world.told('restart_exhausted')).toEqual([{ container: 'api', attempts: 2 }]);
  });

  it.each([
    ['observe', { policy: { autonomy: 'observe' } }, 'autonomy: observe'],
    ['cautious', { policy: { autonomy: 'cautious' } }, 'autonomy: cautious'],
    [
      'turned off',
      { container: { restartOnFailure: false } },
      'resilience.container.restartOnFailure is off',
    ],
    ['excluded', { policy: { exclude: ['service:a*'] } }, 'excluded: service:api matches service:a*'],
  ])('is only observed when that is all that is allowed: %s', async (_, settings, refusal) => {
    const world = await guardedWorld(settings);
    await world.guard();
    world.runtime.crash('api', { code: 4 });
    await pass(world, 60_000, 500);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'observed',
        refusal,
        restarts: [],
        error: { code: 'CONTAINER_CRASH' },
        evidence: { exitCode: 4 },
      },
    ]);
  });

  it('gets no restart at all when none are allowed', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 0 } });
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 5_000);
    expect(world.starts('api')).toBe(1);
    const error = { details: { pattern: 'once' } };
    expect(await world.incidents()).toMatchObject([{ outcome: 'exhausted', restarts: [], error }]);
  });

  it('is restarted when its health check has failed as often in a row as it may not', async () => {
    let well = true;
    const world = await guardedWorld({ services: { api: modelService({ healthcheck }) } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ exec: () => (well || start > 1 ? 0 : 7) });
    });
    await world.guard();
    await pass(world, 10_000, 500);
    expect(world.starts('api')).toBe(1);
    well = false;
    await pass(world, 2_100);
    well = true;
    await pass(world, 1_100);
    well = false;
    await pass(world, 1_900);
    expect(world.told('restart_attempt')).toEqual([]);
    await pass(world, 5_000);
    expect(world.runtime.calls.slice(-2)).toEqual(['stop api', 'start api']);
    await pass(world, 12_000);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'recovered',
        error: { code: 'HEALTH_CHECK_TIMEOUT', details: { tries: 3, check: 'ask' } },
        restarts: [{ evidence: { health: Array(3).fill('exit code 7: «asked api»') } }],
      },
    ]);
  });

  it('that somebody else has restarted may take its time to become healthy, but only until it has', async () => {
    let well = true;
    const slow = { ...healthcheck, startPeriod: '20s' };
    const world = await guardedWorld(
      { services: { api: modelService({ healthcheck: slow }) } },
      ({ runtime }) => {
        runtime.behaviours.api = { exec: () => (well ? 0 : 1) };
      },
    );
    await world.guard();
    world.runtime.tellStart('api');
    well = false;
    await pass(world, 10_000);
    expect(world.told('restart_attempt')).toEqual([]);
    well = true;
    await pass(world, 2_000);
    well = false;
    await pass(world, 3_500);
    expect(world.told('restart_attempt')).toHaveLength(1);
  });

  it('is restarted when it hangs', async () => {
    let hangs = false;
    const world = await guardedWorld({ services: { api: modelService({ healthcheck }) } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({
        exec: () => (hangs && start === 1 ? new Promise<never>(() => undefined) : 0),
      });
    });
    await world.guard();
    hangs = true;
    await pass(world, 40_000, 200);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'recovered',
        error: { code: 'HEALTH_CHECK_TIMEOUT' },
        restarts: [{ evidence: { health: Array(3).fill('failed: it did not end within 5000 ms') } }],
      },
    ]);
  });

  it.each([
    ['although its health check is answered', { healthcheck }],
    ['although it has no health check', {}],
  ])('is restarted when somebody else answers at its port, %s', async (_, checked) => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const api = modelService({ ports: [`127.0.0.1:${port}:80`], ...checked });
    let isTaken = false;
    let asked = 0;
    const world = await guardedWorld({ services: { api, quiet: modelService() } }, ({ runtime }) =>
      Object.assign(runtime, {
        isOwn: async (_run: unknown, _service: string, listeners: readonly unknown[]) => {
          asked += 1;
          // Until it is started again.
          const starts = runtime.calls.filter((call) => call === 'start api').length;
          return listeners.map(() => !isTaken || starts > 1);
        },
      }),
    );
    await world.guard();
    await eventually(world, () => asked > 3);
    expect(world.starts('api')).toBe(1);
    isTaken = true;
    await eventually(world, async () => (await world.incidents()).length > 0);
    expect(await world.incidents()).toMatchObject([
      {
        service: 'api',
        outcome: 'recovered',
        error: {
          code: 'HEALTH_CHECK_TIMEOUT',
          message: expect.stringContaining(`process ${process.pid} «`),
          details: { check: 'who listens on its ports' },
        },
        restarts: [{ verdict: 'healthy' }],
      },
    ]);
    expect(world.starts('quiet')).toBe(1);
  });

  it('is left alone where somebody else listens beside it, whom a restart would leave alone at its port', async () => {
    const [own, other] = [createServer().listen(0, '127.0.0.1'), createServer()];
    onTestFinished(() => void own.close());
    onTestFinished(() => void other.close());
    await once(own, 'listening');
    const { port } = own.address() as AddressInfo;
    let asked = 0;
    const api = modelService({ ports: [`${port}:80`], healthcheck });
    const world = await guardedWorld({ services: { api } }, ({ runtime }) =>
      Object.assign(runtime, {
        isOwn: async (_run: unknown, _service: string, listeners: readonly { address: string }[]) => {
          asked += 1;
          return listeners.map(({ address }) => address !== '::1');
        },
      }),
    );
    await world.guard();
    await once(other.listen(port, '::1'), 'listening');
    const before = asked;
    await eventually(world, () => asked > before + 6);
    expect([world.starts('api'), await world.incidents()]).toEqual([1, []]);
  });

  it('is restarted when it is paused, although it has no health check', async () => {
    let paused = false;
    const world = await guardedWorld({}, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ paused: () => paused && start === 1 });
    });
    await world.guard();
    paused = true;
    world.runtime.tellPause('api', 'paused');
    await pass(world, 15_000);
    expect(world.runtime.calls.slice(-2)).toEqual(['stop api', 'start api']);
    expect(await world.incidents()).toMatchObject([
      {
        error: { code: 'HEALTH_CHECK_TIMEOUT' },
        outcome: 'recovered',
        restarts: [{ reason: 'it is paused', verdict: 'healthy' }],
      },
    ]);
  });

  it('has in its evidence how much memory it used at most, where it still runs and its runtime knows it', async () => {
    let paused = false;
    const world = await guardedWorld({}, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ paused: () => paused && start === 2 });
      Object.assign(runtime, { memoryPeak: async () => 5_000_000 });
    });
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 15_000);
    paused = true;
    world.runtime.tellPause('api', 'paused');
    await pass(world, 15_000);
    expect(await world.incidents()).toMatchObject([
      { restarts: [{ evidence: { status: 'exited', memory: { limit: null, peak: null } } }] },
      { restarts: [{ evidence: { status: 'running', memory: { limit: null, peak: 5_000_000 } } }] },
    ]);
  });

  it('that was paused only for a moment is left alone', async () => {
    let paused = true;
    const world = await guardedWorld();
    world.runtime.behaviours.api = { paused: () => paused };
    await world.guard();
    await pass(world, 1_000);
    paused = false;
    world.runtime.tellPause('api', 'resumed');
    await pass(world, 15_000);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toMatchObject([{ outcome: 'recovered', restarts: [] }]);
  });

  it('is restarted when its image says that it is not well', async () => {
    let well = true;
    const world = await guardedWorld({}, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ health: () => (well || start > 1 ? 'healthy' : 'unhealthy') });
    });
    await world.guard();
    well = false;
    world.runtime.tellHealth('api', 'unhealthy');
    await pass(world, 15_000);
    expect(world.runtime.calls.slice(-2)).toEqual(['stop api', 'start api']);
    expect(await world.incidents()).toMatchObject([
      { error: { code: 'HEALTH_CHECK_TIMEOUT' }, outcome: 'recovered' },
    ]);
  });

  it('is repaired where a plugin knows how, and restarted only when that does not help', async () => {
    const ill = new Set<string>();
    const asked: string[][] = [];
    const mending = definePlugin({
      name: 'mending',
      apply: ({ hooks }) =>
        hooks.repairServices.tapPromise('mending', async ({ services, repaired }) => {
          asked.push(services.map(({ name }) => name));
          if (!ill.delete('apart')) return;
          repaired('db', 'connected again');
        }),
    });
    const services = { db: modelService(), api: modelService({ healthcheck, dependsOn: ['db'] }) };
    const world = await guardedWorld({ services, plugins: [mending] }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({
        exec: () => (ill.has('apart') || (ill.has('stuck') && start === 1) ? 7 : 0),
      });
    });
    await world.guard();
    ill.add('apart');
    await pass(world, 20_000, 200);
    expect(asked).toEqual([['db', 'api']]);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'recovered',
        error: { code: 'HEALTH_CHECK_TIMEOUT' },
        restarts: [
          { attempt: 1, verdict: 'healthy', repaired: ['db: connected again'], withoutRestart: true },
        ],
      },
    ]);
    expect(world.told('incident_end')).toMatchObject([{ outcome: 'recovered', restarts: 0, repairs: 1 }]);
    expect(world.told('restart_success')).toMatchObject([
      { container: 'api', attempt: 1, repaired: ['db: connected again'] },
    ]);
    ill.add('apart').add('stuck');
    await pass(world, 30_000, 200);
    expect(world.starts('api')).toBe(2);
    const [, second] = await world.incidents();
    expect(second).toMatchObject({
      outcome: 'recovered',
      restarts: [{ verdict: 'healthy', repaired: ['db: connected again'] }],
    });
    expect(second?.restarts[0]).not.toHaveProperty('withoutRestart');
    expect(world.told('restart_success')[1]).not.toHaveProperty('repaired');
    expect(world.told('incident_end')[1]).toMatchObject({ restarts: 1, repairs: 0 });
  });

  it('is restarted when repairing it breaks, and neither where that is not allowed', async () => {
    let well = true;
    let asked = 0;
    const breaking = definePlugin({
      name: 'breaking',
      apply: ({ hooks }) =>
        hooks.repairServices.tapPromise('breaking', async () => {
          asked += 1;
          throw new Error('no network');
        }),
    });
    const services = { api: modelService({ healthcheck }) };
    const behave = ({ runtime }: { runtime: { behaviours: Record<string, unknown> } }) => {
      runtime.behaviours.api = (start: number) => ({ exec: () => (well || start > 1 ? 0 : 7) });
    };
    const world = await guardedWorld({ services, plugins: [breaking] }, behave);
    await world.guard();
    well = false;
    await pass(world, 20_000, 200);
    expect([asked, world.starts('api')]).toEqual([1, 2]);
    well = true;
    const cautious = await guardedWorld(
      { services, plugins: [breaking], policy: { autonomy: 'cautious' } },
      behave,
    );
    await cautious.guard();
    well = false;
    await pass(cautious, 20_000, 200);
    expect([asked, cautious.starts('api')]).toEqual([1, 1]);
    expect(await cautious.incidents()).toMatchObject([{ outcome: 'observed' }]);
  });

  it('that never gets healthy again is given up for that', async () => {
    let well = true;
    const world = await guardedWorld({ services: { api: modelService({ healthcheck }) } }, ({ runtime }) => {
      runtime.behaviours.api = { exec: () => (well ? 0 : 1) };
    });
    await world.guard();
    well = false;
    await pass(world, 120_000, 200);
    expect(world.starts('api')).toBe(4);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'exhausted',
        error: { details: { pattern: 'health-loop' } },
        restarts: [{ verdict: 'failed' }, {}, {}],
      },
    ]);
  });

  it('is left alone when it is well again before it is touched', async () => {
    let well = true;
    const world = await guardedWorld({ services: { api: modelService({ healthcheck }) } }, ({ runtime }) => {
      runtime.behaviours.api = { exec: () => (well ? 0 : 1) };
    });
    await world.guard();
    well = false;
    await pass(world, 3_100);
    expect(world.told('restart_attempt')).toHaveLength(1);
    well = true;
    await pass(world, 15_000);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toMatchObject([{ outcome: 'recovered', restarts: [] }]);
  });

  it('that is meant to stay must not end well either, one that does its work once may', async () => {
    const services = { api: modelService(), seed: modelService({ oneShot: true }) };
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.seed = { exits: { code: 0, afterMs: 0 } };
    });
    await world.guard();
    await pass(world, 2_500);
    expect(world.starts('seed')).toBe(1);
    world.runtime.crash('api', { code: 0 });
    await pass(world, 2_500);
    expect(world.starts('api')).toBe(2);
    expect(world.told('restart_attempt')).toMatchObject([{ container: 'api', reason: 'exit code 0' }]);
  });

  it('is told by its runtime that it ran out of memory', async () => {
    const world = await guardedWorld({ services: { api: modelService({ memory: '16MB' }) } });
    await world.guard();
    world.runtime.crash('api', { code: 137, oomKilled: true });
    await pass(world, 13_000);
    expect(await world.incidents()).toMatchObject([
      {
        error: { code: 'CONTAINER_OOM', details: { memoryLimit: 16_000_000, memoryPeak: 16_000_000 } },
        restarts: [
          { reason: 'OOM', evidence: { oomKilled: true, memory: { limit: 16_000_000, peak: 16_000_000 } } },
        ],
      },
    ]);
  });

  it('that somebody has removed is made anew', async () => {
    const world = await guardedWorld();
    await world.guard();
    const [resource] = await world.runtime.resources({ project: 'test' });
    if (!resource) throw new Error('nothing is there');
    await world.runtime.remove([resource], { signal: world.signal });
    world.runtime.cutStreams();
    await pass(world, 3_000);
    expect(world.starts('api')).toBe(2);
    expect(world.told('restart_attempt')).toMatchObject([{ reason: 'it is gone' }]);
  });

  it('that is gone and configured differently by now is left to a setup', async () => {
    const world = await guardedWorld();
    const changed = world.open({ services: { api: modelService({ environment: { A: '1' } }) } });
    await world.guard({ kernel: changed });
    const [resource] = await world.runtime.resources({ project: 'test' });
    if (!resource) throw new Error('nothing is there');
    await world.runtime.remove([resource], { signal: world.signal });
    world.runtime.cutStreams();
    await pass(world, 5_000);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toMatchObject([
      { outcome: 'observed', refusal: expect.stringContaining('setup') },
    ]);
  });

  it('whose start fails has used a restart', async () => {
    const world = await guardedWorld();
    await world.guard();
    world.runtime.breaks('start api', new Error('the port is taken'), 1);
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'recovered',
        restarts: [
          { verdict: 'failed' },
          { attempt: 2, delayMs: 4_000, reason: 'the port is taken', verdict: 'healthy' },
        ],
      },
    ]);
  });
});

describe('a runtime that goes away', () => {
  it('is followed again when it is back, and what happened meanwhile is seen', async () => {
    const world = await guardedWorld();
    await world.guard();
    world.runtime.breaks('watch', engineDown);
    world.runtime.breaks('inspect', engineDown);
    world.runtime.cutStreams();
    await pass(world, 20_000);
    expect(world.runtime.streams).toBe(0);
    world.runtime.crash('api', { code: 137 });
    world.runtime.mends('watch');
    world.runtime.mends('inspect');
    await pass(world, 10_000);
    expect(world.runtime.streams).toBe(1);
    expect(world.starts('api')).toBe(2);
  });

  it('is asked by one for all services whether it is back, each time later', async () => {
    const often = { ...healthcheck, interval: '100ms' };
    const names = ['a', 'b', 'c', 'd', 'e'];
    const world = await guardedWorld({
      services: Object.fromEntries(names.map((name) => [name, modelService({ healthcheck: often })])),
    });
    await world.guard();
    await pass(world, 1_000);
    world.runtime.breaks('watch', engineDown);
    world.runtime.breaks('inspect', engineDown);
    for (const name of names) world.runtime.breaks(`exec ${name}`, engineDown);
    const before = world.runtime.looks;
    world.runtime.cutStreams();
    await pass(world, 20_000);
    // After a quarter of a second, a half, one, and then every two.
    expect(world.runtime.looks - before).toBe(12);
    for (const name of names) world.runtime.mends(`exec ${name}`);
    world.runtime.mends('watch');
    world.runtime.mends('inspect');
    world.runtime.crash('c', { code: 137 });
    await eventually(world, () => world.starts('c') === 2);
    expect(world.starts('a')).toBe(1);
  });

  it('does not keep the services of another from being looked after', async () => {
    const world = await guardedWorld({
      services: { api: modelService(), worker: modelService() },
      runtimes: (clock) => [
        new ModelRuntime(clock, { name: 'near', runs: ({ name }) => name === 'api' }),
        new ModelRuntime(clock, { name: 'far', runs: ({ name }) => name !== 'api' }),
      ],
    });
    await world.guard();
    const [near, far] = world.runtimes;
    far?.breaks('inspect', engineDown);
    far?.breaks('watch', engineDown);
    far?.cutStreams();
    // How both are is asked for at the same moment.
    near.crash('api', { code: 137 });
    far?.crash('worker', { code: 137 });
    await eventually(world, () => world.starts('api') === 2);
    far?.mends('inspect');
    far?.mends('watch');
    await eventually(world, () => far?.calls.filter((call) => call === 'start worker').length === 2);
  });

  it('is not taken for a service that hangs when it is itself what hangs', async () => {
    let hangs = false;
    const world = await guardedWorld(
      { services: { api: modelService({ healthcheck }) }, container: { restartDelay: '0s' } },
      ({ runtime }) => {
        runtime.behaviours.api = { exec: () => (hangs ? new Promise<never>(() => undefined) : 0) };
      },
    );
    await world.guard();
    hangs = true;
    world.runtime.breaks('inspect', engineDown);
    await pass(world, 40_000, 200);
    hangs = false;
    world.runtime.mends('inspect');
    await pass(world, 30_000, 200);
    expect(world.starts('api')).toBe(1);
    expect(await world.incidents()).toEqual([]);
    // What was seen of the service before does not help one that hangs now.
    hangs = true;
    await eventually(world, () => world.starts('api') === 2, 200);
  });

  it('costs no restart while it cannot start anything', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 1 } });
    await world.guard();
    world.runtime.breaks('start api', engineDown);
    world.runtime.crash('api');
    await pass(world, 30_000);
    expect(world.starts('api')).toBeGreaterThan(5);
    world.runtime.mends('start api');
    await pass(world, 15_000);
    expect(await world.incidents()).toMatchObject([{ outcome: 'recovered', restarts: [{ attempt: 1 }] }]);
  });

  it('brings services back in the order in which they need each other', async () => {
    const services = { db: modelService(), api: modelService({ dependsOn: ['db'] }) };
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.db = (start) => (start === 1 ? {} : { startMs: 5_000 });
    });
    await world.guard();
    world.runtime.crash('api');
    world.runtime.crash('db');
    await pass(world, 6_000);
    expect(world.runtime.calls.filter((call) => call === 'start api')).toHaveLength(1);
    await pass(world, 3_000);
    expect(world.runtime.calls.slice(-2)).toEqual(['start db', 'start api']);
  });

  describe('keeps that order when everything ends with it', () => {
    const services = { db: modelService(), api: modelService({ dependsOn: ['db'], restartWith: ['db'] }) };
    const slowDb = ({ runtime }: World) => {
      runtime.behaviours.db = (start) => (start === 1 ? {} : { startMs: 3_000 });
    };
    const restarts = ({ runtime }: World) =>
      runtime.calls.slice(2).filter((call) => call.startsWith('start'));

    it('although the news of the one that needs comes first, and no delay is configured', async () => {
      const world = await guardedWorld({ services, container: { restartDelay: '0s' } }, slowDb);
      await world.guard();
      world.runtime.crash('api', { code: 1 });
      world.runtime.crash('db', { code: 1 });
      await pass(world, 20_000);
      expect(restarts(world)).toEqual(['start db', 'start api']);
    });

    it('although it cannot be seen for a while, and the one that needs is seen first', async () => {
      const world = await guardedWorld({ services }, slowDb);
      await world.guard();
      world.runtime.breaks('inspect', engineDown);
      // Killed by the engine: what that means, only a look can tell, and the looks at the two come apart.
      world.runtime.crash('db', { code: 137 });
      await pass(world, 7_900);
      world.runtime.crash('api', { code: 137 });
      await pass(world, 100);
      world.runtime.mends('inspect');
      await pass(world, 40_000);
      expect(restarts(world)).toEqual(['start db', 'start api']);
    });

    it('although what is needed ends while the other cannot be started', async () => {
      const world = await guardedWorld({ services }, slowDb);
      await world.guard();
      world.runtime.breaks('start api', engineDown);
      world.runtime.crash('api', { code: 1 });
      await eventually(world, () => world.starts('api') === 2);
      world.runtime.breaks('inspect', engineDown);
      world.runtime.crash('db', { code: 137 });
      await pass(world, 4_300);
      const tried = restarts(world).length;
      world.runtime.mends('inspect');
      world.runtime.mends('start api');
      await pass(world, 40_000);
      expect(restarts(world).slice(tried)).toEqual(['start db', 'start api']);
    });

    it('and asks for no look that a restart at once would wait for', async () => {
      const world = await guardedWorld({ services, container: { restartDelay: '0s' } });
      await world.guard();
      world.runtime.breaks('inspect', engineDown);
      world.runtime.crash('api', { code: 1 });
      await pass(world, 100);
      expect(restarts(world)).toEqual(['start api']);
      world.runtime.mends('inspect');
    });
  });
});

describe('services that need one that was restarted', () => {
  const services = {
    db: modelService(),
    api: modelService({ dependsOn: ['db'], healthcheck }),
    cache: modelService({ dependsOn: ['db'], restartWith: ['db'] }),
    web: modelService({ restartWith: ['cache'] }),
  };

  it('are verified, or restarted if they say so, and so on', async () => {
    const world = await guardedWorld({ services });
    await world.guard();
    world.runtime.crash('db', { code: 9 });
    await pass(world, 20_000);
    const calls = world.runtime.calls.slice(4);
    expect(calls).toEqual(['start db', 'stop cache', 'start cache', 'stop web', 'start web']);
    expect(world.told('service_state')).toContainEqual({
      service: 'api',
      state: 'kept',
      message: 'still well after db was restarted',
    });
    const incidents = await world.incidents();
    expect(incidents.map(({ service, outcome }) => `${service} ${outcome}`).sort()).toEqual([
      ...['cache recovered', 'db recovered', 'web recovered'],
    ]);
    expect(incidents.find(({ service }) => service === 'web')).toMatchObject({
      error: {
        code: 'DEPENDENCY_RESTARTED',
        message: 'restarted with cache, because db ended unexpectedly: exit code 9',
        details: {
          service: 'web',
          with: 'cache',
          path: ['db', 'cache'],
          cause: { code: 'CONTAINER_CRASH', details: { service: 'db', exitCode: 9 } },
        },
      },
      restarts: [{ reason: 'restarted with cache', verdict: 'healthy' }],
    });
  });

  it('are told of although nobody watches them long enough', async () => {
    const world = await guardedWorld({ services });
    const guarding = await world.guard();
    world.runtime.crash('db');
    await pass(world, 5_000);
    expect(world.starts('web')).toBe(2);
    const { incidents } = await guarding.end();
    expect(incidents.map(({ service, outcome }) => `${service} ${outcome}`).sort()).toEqual([
      ...['cache interrupted', 'db interrupted', 'web interrupted'],
    ]);
    expect(incidents.find(({ service }) => service === 'cache')?.restarts).toMatchObject([
      { reason: 'restarted with db', verdict: 'healthy' },
    ]);
  });

  it('are restarted once when they have failed with it', async () => {
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.db = (start) => (start === 1 ? {} : { startMs: 3_000 });
    });
    await world.guard();
    world.runtime.crash('db');
    world.runtime.crash('cache');
    await pass(world, 40_000);
    expect([world.starts('db'), world.starts('cache')]).toEqual([2, 2]);
  });

  it('are themselves brought back when they are not well any more', async () => {
    let dbStarts = 0;
    let apiStarts = 0;
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.db = (start) => {
        dbStarts = start;
        return {};
      };
      runtime.behaviours.api = (start) => {
        apiStarts = start;
        // It lost its connection and does not look for another.
        return { exec: () => (dbStarts > 1 && apiStarts === 1 ? 1 : 0) };
      };
    });
    await world.guard();
    world.runtime.crash('db');
    await pass(world, 30_000);
    expect(world.starts('api')).toBe(2);
    expect((await world.incidents()).find(({ service }) => service === 'api')).toMatchObject({
      outcome: 'recovered',
      error: { code: 'HEALTH_CHECK_TIMEOUT' },
    });
  });

  it('that are restarted along and fail then are failures of their own', async () => {
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.cache = (start) => (start === 2 ? { exits: { code: 5, afterMs: 50 } } : {});
    });
    await world.guard();
    world.runtime.crash('db');
    await pass(world, 30_000);
    const own = (await world.incidents()).filter(({ service }) => service === 'cache');
    expect(own).toMatchObject([
      { outcome: 'interrupted', restarts: [{ reason: 'restarted with db', verdict: 'failed' }] },
      { outcome: 'recovered', restarts: [{ reason: 'exit code 5' }] },
    ]);
  });

  it('are not restarted along beyond the storm limit', async () => {
    const world = await guardedWorld({ services, container: { stormLimit: { max: 1, per: '1h' } } });
    await world.guard();
    world.runtime.crash('cache');
    await pass(world, 20_000);
    world.runtime.crash('db');
    await pass(world, 20_000);
    expect(world.starts('cache')).toBe(2);
    expect((await world.incidents()).filter(({ service }) => service === 'cache')).toMatchObject([
      { outcome: 'recovered' },
      { outcome: 'observed', refusal: 'storm-limit' },
    ]);
  });
});

describe('while a test suite runs', () => {
  function suite() {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    let running: string | null = 'smoke';
    return {
      suites: {
        get running() {
          return running;
        },
        idle: () => over,
      },
      end() {
        running = null;
        end();
      },
    };
  }
  const services = { api: modelService({ healthcheck }), web: modelService({ restartWith: ['api'] }) };

  it('a service that still answers is restarted only when the suite is over', async () => {
    let well = true;
    const world = await guardedWorld({ services }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ exec: () => (well || start > 1 ? 0 : 1) });
    });
    const { suites, end } = suite();
    await world.guard({ suites });
    well = false;
    await pass(world, 30_000, 200);
    expect(world.starts('api')).toBe(1);
    end();
    await pass(world, 15_000);
    expect(world.starts('api')).toBe(2);
    expect(await world.incidents()).toMatchObject([{ service: 'api', suite: 'smoke' }, { service: 'web' }]);
  });

  it('one that is asked how it is after a restart of what it needs, and answers that it is not well, waits too', async () => {
    let well = true;
    const needy = { api: modelService(), web: modelService({ healthcheck, dependsOn: ['api'] }) };
    const world = await guardedWorld({ services: needy }, ({ runtime }) => {
      runtime.behaviours.web = (start) => ({ exec: () => (well || start > 1 ? 0 : 1) });
    });
    const { suites, end } = suite();
    await world.guard({ suites });
    well = false;
    world.runtime.crash('api');
    await pass(world, 30_000, 200);
    expect([world.starts('api'), world.starts('web')]).toEqual([2, 1]);
    end();
    await pass(world, 15_000);
    expect(world.starts('web')).toBe(2);
  });

  it('one that does not answer after a restart of what it needs is restarted at once', async () => {
    let well = true;
    const needy = { api: modelService(), web: modelService({ healthcheck, dependsOn: ['api'] }) };
    const world = await guardedWorld({ services: needy }, ({ runtime }) => {
      const silent = () => Promise.reject(new Error('no answer'));
      runtime.behaviours.web = (start) => ({ exec: () => (well || start > 1 ? 0 : silent()) });
    });
    await world.guard({ suites: suite().suites });
    well = false;
    world.runtime.crash('api');
    await pass(world, 30_000, 200);
    expect([world.starts('api'), world.starts('web')]).toEqual([2, 2]);
  });

  it('one that ends meanwhile is restarted at once', async () => {
    let well = true;
    const world = await guardedWorld({ services: { api: modelService({ healthcheck }) } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ exec: () => (well || start > 1 ? 0 : 1) });
    });
    await world.guard({ suites: suite().suites });
    well = false;
    await pass(world, 10_000, 200);
    world.runtime.crash('api');
    await pass(world, 1_000);
    expect(world.starts('api')).toBe(2);
  });

  it('one that has ended is restarted without waiting, those that go with it wait', async () => {
    const world = await guardedWorld({ services });
    const { suites, end } = suite();
    await world.guard({ suites });
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.starts('api')).toBe(2);
    expect(world.starts('web')).toBe(1);
    end();
    await pass(world, 2_000);
    expect(world.starts('web')).toBe(2);
  });

  it('a restart that was put off is made by whoever guards then', async () => {
    const world = await guardedWorld({ services });
    const background = await world.guard({ background: true, suites: suite().suites });
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.starts('web')).toBe(1);
    // It hands over without a word, as one that died would.
    const guardianOf = async () => (await readRun(world.store, world.runId))?.guardian;
    const { id } = (await guardianOf()) ?? {};
    await world.guard({ suites: { running: null, idle: async () => undefined } });
    await eventually(world, async () => (await guardianOf())?.id !== id);
    await eventually(world, () => world.starts('web') === 2);
    await pass(world, 15_000);
    await background.end();
    expect((await world.incidents()).filter(({ service }) => service === 'web')).toMatchObject([
      { outcome: 'recovered', restarts: [{ reason: 'restarted with api', verdict: 'healthy' }] },
    ]);
  });
});

describe('the evidence', () => {
  it('has what plugins find out about a failed health check, and no secrets', async () => {
    const told: string[] = [];
    const network = definePlugin({
      name: 'network',
      apply: ({ hooks }) =>
        hooks.diagnoseService.tapPromise('network', async ({ service, services, report, suggest }) => {
          told.push(`${service.name} of ${services.map(({ name }) => name).join()}`);
          report('dns', { db: 'resolved', token: 'hunter2secret' });
          suggest('clean');
        }),
    });
    let well = true;
    const services = { api: modelService({ healthcheck, environment: { API_TOKEN: 'hunter2secret' } }) };
    const world = await guardedWorld({ services, plugins: [network] }, ({ runtime }) => {
      runtime.behaviours.api = (start) => ({ exec: () => (well || start > 1 ? 0 : 1) });
    });
    world.runtime.output.api = ['my token is hunter2secret'];
    await world.guard();
    well = false;
    await pass(world, 20_000, 200);
    const [incident] = await world.incidents();
    expect(told).toEqual(['api of api']);
    expect(incident?.restarts[0]?.evidence).toMatchObject({
      diagnosis: { dns: { db: 'resolved' } },
      gaps: [],
    });
    expect(incident?.error).toMatchObject({
      details: { diagnosis: { dns: { db: 'resolved' } } },
      suggestedActions: ['clean', 'setup', 'logs'],
    });
    expect(JSON.stringify(await world.store.read('incidents/test'))).not.toContain('hunter2secret');
  });

  it('says what it could not get', async () => {
    const world = await guardedWorld();
    await world.guard();
    world.runtime.breaks('logs', new Error('the disk is gone'));
    world.runtime.crash('api');
    await pass(world, 15_000);
    expect((await world.incidents())[0]?.restarts[0]?.evidence).toMatchObject({
      lines: [],
      gaps: ['the last lines: the disk is gone'],
    });
  });

  it('is read while the service is started at once, where that takes nothing away', async () => {
    const world = await guardedWorld({ container: { restartDelay: '0s' } }, ({ runtime }) => {
      runtime.keepsLines = true;
      runtime.behaviours.api = (start) => ({ startMs: start === 1 ? 0 : 200 });
    });
    world.runtime.output.api = ['last words'];
    await world.guard();
    await pass(world, 4_000);
    world.runtime.crash('api', { code: 3 });
    await pass(world, 20);
    expect(world.starts('api')).toBe(2);
    await pass(world, 15_000);
    expect(await world.incidents()).toMatchObject([
      {
        outcome: 'recovered',
        error: { code: 'CONTAINER_CRASH', details: { lines: ['last words'] } },
        restarts: [{ delayMs: 0, evidence: { exitCode: 3, lines: [{ text: 'last words' }] } }],
      },
    ]);
  });

  it('has the last hundred lines', async () => {
    const world = await guardedWorld();
    world.runtime.output.api = Array.from({ length: 150 }, (_, index) => `line ${index}`);
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 15_000);
    const lines = (await world.incidents())[0]?.restarts[0]?.evidence.lines ?? [];
    expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([100, 'line 50', 'line 149']);
  });
});

describe('two guardians of one run', () => {
  it('never restart a service twice', async () => {
    const world = await guardedWorld();
    const first = await world.guard();
    const second = await world.guard();
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.starts('api')).toBe(2);
    expect(world.told('guard_state')).toMatchObject([
      { state: 'guarding' },
      { state: 'waiting', message: expect.stringContaining(`process ${process.pid}`) },
    ]);
    // The one that waited takes over, and tells of what the other one did.
    await first.end();
    await eventually(world, () => world.told('guard_state').length === 4);
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.starts('api')).toBe(3);
    expect((await second.end()).incidents).toHaveLength(2);
    expect(await readRun(world.store, world.runId)).not.toHaveProperty('guardian');
  });

  it('take turns when one of them knows when a restart disturbs', async () => {
    const world = await guardedWorld();
    const background = await world.guard({ background: true });
    const guardianOf = async () => (await readRun(world.store, world.runId))?.guardian;
    const { id } = (await guardianOf()) ?? {};
    const suites = { running: null, idle: async () => undefined };
    const tests = await world.guard({ suites });
    await eventually(world, async () => (await guardianOf())?.id !== id);
    await eventually(world, () => world.told('guard_state').length === 4);
    expect(await guardianOf()).toMatchObject({ background: false, after: { id, background: true } });
    world.runtime.crash('api');
    await pass(world, 3_000);
    expect(world.starts('api')).toBe(2);
    await tests.end();
    await eventually(world, () => world.told('guard_state').length === 6);
    expect(await guardianOf()).toMatchObject({ id, background: true });
    world.runtime.crash('api');
    await pass(world, 6_000);
    expect(world.starts('api')).toBe(3);
    await background.end();
    expect(await guardianOf()).toBeUndefined();
  });

  it('go on where one of them died, with the same restarts', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 2 } }, ({ runtime }) => {
      runtime.behaviours.api = crashing;
    });
    const book = new GuardBook(world.kernel, world.runId, world.kernel.config.resilience.container);
    const run = await readRun(world.store, world.runId);
    await book.open('api', run?.services.api?.startedAt ?? 0);
    await book.take('api', 'exit code 1');
    const error = {
      code: 'CONTAINER_CRASH',
      category: 'container',
      severity: 'recoverable',
      timestamp: 0,
    } as const;
    await book.note('api', {
      service: 'api',
      runId: world.runId,
      startedAt: 0,
      restarts: [],
      error: { ...error, message: 'it crashed', details: {}, suggestedActions: [] },
    });
    world.runtime.crash('api');
    await world.guard();
    await pass(world, 60_000, 200);
    expect(world.starts('api')).toBe(2);
    expect(await world.incidents()).toMatchObject([
      { startedAt: 0, outcome: 'exhausted', restarts: [{ attempt: 2, delayMs: 4_000 }] },
    ]);
  });

  it('tell of a restart when it was made, whoever was there to see it', async () => {
    const world = await guardedWorld();
    world.runtime.behaviours.api = { startMs: 5_000 };
    const restartsOf = async () => (await guardStatus(world.kernel)).counts.get('api')?.restarts;
    const first = await world.guard();
    world.runtime.crash('api');
    await pass(world, 4_000);
    expect(await guardStatus(world.kernel)).toMatchObject({
      incidents: [{ outcome: 'open', restarts: 0, underWay: true }],
    });
    expect(await restartsOf()).toBe(0);
    const left = await openIncidents(world.store, world.runId);
    const ended = first.end();
    await pass(world, 5_000);
    await ended;
    expect(await world.incidents()).toMatchObject([
      { outcome: 'interrupted', restarts: [{ verdict: 'unknown' }] },
    ]);
    expect(await restartsOf()).toBe(0);

    // One that was killed has told nothing; whoever comes after it sees that the service has begun since.
    const book = new GuardBook(world.kernel, world.runId, world.kernel.config.resilience.container);
    world.runtime.behaviours.api = {};
    await book.take('api', 'exit code 1', () => left[0] ?? fail());
    await startByHand(world);
    await world.guard();
    await pass(world, 15_000);
    expect((await world.incidents()).at(-1)).toMatchObject({
      outcome: 'recovered',
      restarts: [{ verdict: 'healthy' }],
    });
    expect(await restartsOf()).toBe(1);
  });

  it('do not report once more what one of them has given up, and wait for it to come back', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 2 } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => (start < 4 ? crashing(start) : {});
    });
    const first = await world.guard();
    world.runtime.crash('api');
    await pass(world, 60_000, 200);
    await first.end();
    const second = await world.guard();
    await pass(world, 60_000, 200);
    expect((await second.end()).incidents).toEqual([]);
    expect((await world.incidents()).map(({ outcome }) => outcome)).toEqual(['exhausted']);
    expect((await guardStatus(world.kernel)).incidents).toMatchObject([{ service: 'api', restarts: 2 }]);
    expect(world.starts('api')).toBe(3);

    await world.guard();
    await startByHand(world);
    await pass(world, 15_000);
    world.runtime.crash('api');
    await pass(world, 5_000);
    expect(world.starts('api')).toBe(5);
  });

  it('do not tell as what is what was given up before the service was started again', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 1 } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => (start === 2 ? { exits: { code: 1, afterMs: 300 } } : {});
    });
    const incidents = async () => (await guardStatus(world.kernel)).incidents;
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 10_000);
    expect(await incidents()).toEqual([expect.not.objectContaining({ startedAgain: true })]);
    // By a setup.
    await world.passing(setUp(world.kernel, { build: false }, world.signal));
    expect(await incidents()).toMatchObject([{ outcome: 'exhausted', startedAgain: true }]);

    const other = await guardedWorld({ container: { maxRestarts: 0 } });
    const told = async () => (await guardStatus(other.kernel)).incidents;
    await other.guard();
    other.runtime.crash('api');
    await pass(other, 5_000);
    expect(await told()).toEqual([expect.not.objectContaining({ startedAgain: true })]);
    // Or by hand, and it was stable since.
    await startByHand(other);
    await pass(other, 15_000);
    expect(await told()).toMatchObject([{ outcome: 'exhausted', startedAgain: true }]);
  });

  it('count the restarts of both when they give up', async () => {
    const world = await guardedWorld({ container: { maxRestarts: 2 } }, ({ runtime }) => {
      runtime.behaviours.api = (start) => (start === 1 ? {} : { exits: { code: start, afterMs: 3_000 } });
    });
    const first = await world.guard();
    world.runtime.crash('api');
    await pass(world, 2_500);
    await first.end();
    await world.guard();
    await pass(world, 30_000, 200);
    expect(await world.incidents()).toMatchObject([
      { outcome: 'interrupted', restarts: [{ reason: 'exit code 1' }] },
      {
        outcome: 'exhausted',
        error: {
          message: expect.stringContaining('2 restarts did not help'),
          details: {
            attempts: 2,
            history: [
              { attempt: 1, reason: 'exit code 1' },
              { attempt: 2, reason: 'exit code 2' },
              { attempt: 3, reason: 'exit code 3', verdict: 'given-up' },
            ],
          },
        },
      },
    ]);
    expect(world.told('restart_exhausted')).toEqual([{ container: 'api', attempts: 2 }]);
  });

  it('close what is open when they end in order', async () => {
    const world = await guardedWorld();
    const guarding = await world.guard();
    world.runtime.crash('api');
    await pass(world, 500);
    const { incidents } = await guarding.end();
    expect(incidents).toMatchObject([{ service: 'api', outcome: 'interrupted', restarts: [] }]);
    expect(world.starts('api')).toBe(1);
  });
});

describe('the run', () => {
  it('stays alive while it is guarded', async () => {
    const world = await guardedWorld({ environment: { lease: '1m' } });
    const before = (await readRun(world.store, world.runId))?.leaseUntil ?? 0;
    await world.guard();
    await pass(world, 180_000, 1_000);
    const { leaseUntil = 0 } = (await readRun(world.store, world.runId)) ?? {};
    expect(leaseUntil - before).toBeGreaterThan(150_000);
  });

  it('takes its guardian with it when it is taken down', async () => {
    const world = await guardedWorld();
    const guarding = await world.guard();
    await world.passing(cleanCurrentRun(world.kernel, world.signal));
    await eventually(world, () => world.told('guard_state').length === 2);
    expect(world.told('guard_state').at(-1)).toMatchObject({ state: 'ended', message: 'the run is over' });
    expect(world.runtime.size).toBe(0);
    expect((await guarding.end()).incidents).toEqual([]);
  });

  it('leaves no sign of life of its guardian behind, neither of one that goes nor of one that was killed', async () => {
    const world = await guardedWorld();
    const signs = () => world.store.list('guardian-beats');
    // It sees that the run is gone only when it looks by itself, and has given one more sign until then.
    world.store.watch = async function* () {
      // Nobody tells.
    };
    const guarding = await world.guard();
    await pass(world, 1_950);
    expect(await signs()).toHaveLength(1);
    await world.passing(cleanCurrentRun(world.kernel, world.signal));
    await pass(world, 2_000);
    expect(await signs()).toEqual([]);
    await guarding.end();

    const { runId } = await world.passing(setUp(world.kernel, { build: false }, world.signal));
    await world.store.put('guardian-beats', runId, { id: 'killed', at: 0 });
    await world.passing(cleanCurrentRun(world.kernel, world.signal));
    expect(await signs()).toEqual([]);
  });

  it('has no service that crashes because it is taken down, although the guardian hears of that first', async () => {
    const world = await guardedWorld();
    const guarding = await world.guard();
    const { get } = world.store;
    world.runtime.crash('api', { code: 143 });
    // From the next look on it is being taken down, as when the record was changed right before.
    world.store.get = async (namespace, key) => {
      const found = await get.call(world.store, namespace, key);
      if (namespace !== 'runs' || !found) return found;
      return { ...found, value: { ...(found.value as object), state: 'stopping' } };
    };
    await pass(world, 20_000);
    expect(world.told('restart_attempt')).toEqual([]);
    expect((await guarding.end()).incidents).toEqual([]);
  });

  it('is not touched while a setup is at work, and is guarded as that leaves it', async () => {
    const services = { api: modelService() };
    const container = { restartDelay: '10m', maxRestartDelay: '10m' };
    const world = await guardedWorld({ services, container });
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 500);
    await changeRun(world.store, world.runId, (run) => ({ ...run, state: 'starting' }));
    await pass(world, 5_000);
    expect(world.starts('api')).toBe(1);
    await changeRun(world.store, world.runId, (run) => ({ ...run, state: 'up' }));
    const again = world.open({ services: { ...services, web: modelService() } });
    await world.passing(setUp(again, { build: false }, world.signal));
    expect(world.starts('api')).toBe(2);
    await eventually(world, async () => (await world.incidents()).length > 0);
    await pass(world, 20_000);
    expect(world.starts('api')).toBe(2);
    // What was open then was ended by the setup.
    expect(await world.incidents()).toMatchObject([{ service: 'api', outcome: 'interrupted' }]);
  });

  it('that is not there has nothing to guard', async () => {
    const world = await guardedWorld();
    await changeRun(world.store, world.runId, (run) => ({ ...run, state: 'stopping' }));
    const guarding = await world.guard();
    expect(world.told('guard_state')).toMatchObject([{ state: 'ended' }]);
    expect((await guarding.end()).incidents).toEqual([]);
  });

  it('is guarded on although the store fails for a moment', async () => {
    const world = await guardedWorld();
    const append = world.store.append.bind(world.store);
    let failures = 1;
    world.store.append = async (...entry) => {
      if (failures-- > 0) throw new Error('the store is busy');
      return append(...entry);
    };
    await world.guard();
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.told('service_state')).toContainEqual({
      service: 'api',
      state: 'failed',
      message: 'could not be guarded: the store is busy',
    });
    world.runtime.crash('api');
    await pass(world, 20_000);
    expect(world.starts('api')).toBe(3);
  });
});
