import { describe, expect, it } from 'vitest';
import { ArgusError, isArgusError } from '../../model/argus-error.js';
import { defineErrorCode } from '../../model/error-code.js';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import { makeWorld, type World } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { check, contextOf, service } from '../fixtures/service.js';
import { lookAt } from '../looks/look-at.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { probeService } from './probe-service.js';
import { waitUntilReady } from './wait-until-ready.js';

/** Starts a service and waits for it, as a setup does. Gives what came of it and how long that took. */
async function waiting(world: World, one: ServiceSpec, signal = world.signal) {
  const kernel = world.open({});
  const context = contextOf(world, { services: [one], signal });
  await world.runtime.start(one, 'spec', context);
  const begun = world.clock.monotonic();
  const look = async () => {
    const states = await lookAt(kernel, context.run, [one], context.signal);
    return states.get(one.name) ?? { service: one.name, status: 'missing' as const };
  };
  const probe = probeService(kernel, one, new KnownPorts([one]), context);
  const ready = waitUntilReady({ service: one, runtime: world.runtime, context, look, probe });
  const thrown = await world.passing(
    ready.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  const error = isArgusError(thrown) ? thrown.error : thrown;
  return { error, tookMs: world.clock.monotonic() - begun };
}

const slowly = (clock: Clock, signal: AbortSignal) => pause(clock, 2_500, signal);

const engineBusy = defineErrorCode({
  code: 'ENGINE_BUSY',
  category: 'infrastructure',
  severity: 'recoverable',
  summary: 'The engine is busy',
  suggestedActions: [],
});

/** A world in which to look at a service takes what is given before it is done. */
function worldWhere(beforeLook: (clock: Clock, signal: AbortSignal) => Promise<void>): World {
  return makeWorld((clock) => {
    const runtime = new ModelRuntime(clock);
    const inspect = runtime.inspect.bind(runtime);
    runtime.inspect = async (run, services, signal) => {
      await beforeLook(clock, signal);
      return inspect(run, services, signal);
    };
    return [runtime];
  });
}

describe('waiting for a health check', () => {
  it('ends as soon as it passes', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: (ranMs) => (ranMs >= 2_000 ? 0 : 1) };
    const { error, tookMs } = await waiting(world, service('api', { healthcheck: check({ retries: 100 }) }));
    expect(error).toBeUndefined();
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    expect(tookMs).toBeLessThanOrEqual(3_100);
  });

  it('tries often at first, because most services are up in no time', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: (ranMs) => (ranMs >= 80 ? 0 : 1) };
    const { tookMs } = await waiting(world, service('api', { healthcheck: check() }));
    expect(tookMs).toBeLessThan(300);
  });

  it('gives up after so many failures, with what was seen last and what the service printed', async () => {
    const world = makeWorld();
    let tries = 0;
    world.runtime.behaviours.api = { exec: () => 10 + ++tries };
    world.runtime.output.api = ['begins', 'cannot reach the database'];
    const { error } = await waiting(world, service('api', { healthcheck: check({ retries: 7 }) }));
    expect(error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: 'api did not become healthy: exit code 17: «asked api»',
      details: {
        service: 'api',
        check: 'ask',
        tries: 7,
        outputs: [13, 14, 15, 16, 17].map((code) => `exit code ${code}: «asked api»`),
        lines: ['begins', 'cannot reach the database'],
      },
    });
  });

  it('does not count failures in the start period', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: () => 1 };
    const healthcheck = check({ retries: 2, startPeriod: 20_000 });
    const { tookMs } = await waiting(world, service('api', { healthcheck }));
    expect(tookMs).toBeGreaterThanOrEqual(20_000);
    expect(tookMs).toBeLessThan(25_000);
  });

  it('takes a command that never ends for a failure', async () => {
    const world = makeWorld();
    const given: AbortSignal[] = [];
    world.runtime.behaviours.api = {
      exec: (_, signal) => {
        given.push(signal);
        return new Promise(() => undefined);
      },
    };
    const healthcheck = check({ retries: 2, timeout: 700 });
    const { error } = await waiting(world, service('api', { healthcheck }));
    expect(error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      details: { tries: 2, outputs: ['failed: it did not end within 700 ms (2 times)'] },
    });
    expect(given.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('takes a command that cannot be run for a failure', async () => {
    const world = makeWorld();
    world.runtime.breaks('exec api', new Error('it is not running'), 2);
    const { error } = await waiting(world, service('api', { healthcheck: check() }));
    expect(error).toBeUndefined();
  });

  it('ends also where the runtime is too slow to say how the service is, and does not blame the service', async () => {
    const world = worldWhere(slowly);
    world.runtime.breaks('exec api', new Error('no answer'));
    const healthcheck = check({ retries: 4, startPeriod: 20_000 });
    const { error, tookMs } = await waiting(world, service('api', { healthcheck }));
    expect(error).toMatchObject({
      code: 'HEALTH_UNKNOWN',
      message: 'It could not be told whether api is healthy: model did not answer within 2000 ms',
      details: {
        service: 'api',
        runtime: 'model',
        check: 'ask',
        reason: 'model did not answer within 2000 ms',
      },
    });
    expect(tookMs).toBeGreaterThanOrEqual(20_000);
    expect(tookMs).toBeLessThan(60_000);
  });

  it('ends with what the runtime itself says, where it says something', async () => {
    let looks = 0;
    const world = worldWhere(async () => {
      // The first look of each try.
      if (looks++ % 2 === 0) throw new ArgusError(engineBusy, { message: 'the engine is busy' });
    });
    world.runtime.breaks('exec api', new Error('no answer'));
    const { error } = await waiting(world, service('api', { healthcheck: check() }));
    expect(error).toMatchObject({ code: 'ENGINE_BUSY', message: 'the engine is busy' });
    expect(looks).toBe(6);
  });

  it('does not give up on a service because the runtime was slow for a while', async () => {
    const world = worldWhere(slowly);
    world.runtime.breaks('exec api', new Error('no answer'), 2);
    world.runtime.behaviours.api = { exec: (ranMs) => (ranMs >= 15_000 ? 0 : 1) };
    const healthcheck = check({ retries: 3 });
    expect((await waiting(world, service('api', { healthcheck }))).error).toBeUndefined();
  });

  it('ends when the service does, with its exit code', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: () => 1, exits: { code: 3, afterMs: 500 } };
    const healthcheck = check({ startPeriod: 60_000 });
    const { error } = await waiting(world, service('api', { healthcheck }));
    expect(error).toMatchObject({
      code: 'SERVICE_START_FAILED',
      message: 'api ended with exit code 3 before it was ready',
      details: { service: 'api', reason: 'exited', exitCode: 3 },
    });
  });

  it('tells when the service ran out of memory, or when nobody knows how it ended', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: () => 1, exits: { code: 137, afterMs: 0, oomKilled: true } };
    world.runtime.behaviours.web = { exec: () => 1, exits: { afterMs: 0 } };
    const messages = [];
    for (const name of ['api', 'web'])
      messages.push((await waiting(world, service(name, { healthcheck: check(), memory: 16e6 }))).error);
    expect(messages).toMatchObject([
      {
        code: 'CONTAINER_OOM',
        message: 'api ran out of memory before it was ready; its limit is 16 MB',
        details: { service: 'api', runId: 'r1', exitCode: 137, memoryLimit: 16e6, memoryPeak: 16e6 },
      },
      { message: 'web ended with exit code unknown before it was ready', details: { exitCode: null } },
    ]);
  });

  it('ends when it is cancelled', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    world.runtime.behaviours.api = { exec: () => 1 };
    world.clock.after(5_000, () => stop.abort());
    const healthcheck = check({ startPeriod: 600_000 });
    const { error, tookMs } = await waiting(world, service('api', { healthcheck }), stop.signal);
    expect(error).toBe(stop.signal.reason);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('says so when the log cannot be read', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { exec: () => 1 };
    world.runtime.breaks('logs', new Error('no log'));
    const { error } = await waiting(world, service('api', { healthcheck: check() }));
    expect(error).toMatchObject({ details: { lines: ['(the log could not be read: no log)'] } });
  });

  it('needs a port to try', async () => {
    const { command: _, ...http } = check();
    const { error } = await waiting(makeWorld(), service('api', { healthcheck: { ...http, http: '/' } }));
    expect(error).toMatchObject({
      details: { outputs: expect.arrayContaining([expect.stringContaining('no port')]) },
    });
  });
});

describe('waiting for a service without a health check', () => {
  it('gives it a moment in which to end', async () => {
    const world = makeWorld();
    world.runtime.behaviours.brief = { exits: { code: 2, afterMs: 100 } };
    expect((await waiting(world, service('brief'))).error).toMatchObject({ details: { exitCode: 2 } });
    const { error, tookMs } = await waiting(world, service('api'));
    expect({ error, isShort: tookMs >= 100 && tookMs < 500 }).toEqual({ error: undefined, isShort: true });
  });

  it('goes by the health that the image reports', async () => {
    const world = makeWorld();
    world.runtime.behaviours.good = { health: (ranMs) => (ranMs > 1_000 ? 'healthy' : 'starting') };
    world.runtime.behaviours.bad = { health: (ranMs) => (ranMs > 1_000 ? 'unhealthy' : 'starting') };
    const good = await waiting(world, service('good', { image: 'x' }));
    expect([good.error, good.tookMs > 1_000]).toEqual([undefined, true]);
    expect((await waiting(world, service('bad', { image: 'x' }))).error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: "bad did not become healthy: the image's own check",
    });
  });

  it('waits for its first port when it is a process', async () => {
    const ports = [{ host: 1, container: 1, ip: '127.0.0.1', protocol: 'tcp' as const }];
    const { error } = await waiting(makeWorld(), service('api', { ports }));
    expect(error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: expect.stringContaining('connecting to 127.0.0.1:1 failed'),
    });
  });
});

describe('waiting for a one-shot', () => {
  it('ends when it is done', async () => {
    const world = makeWorld();
    world.runtime.behaviours.seed = { exits: { code: 0, afterMs: 3_000 } };
    const { error, tookMs } = await waiting(world, service('seed', { oneShot: true }));
    expect([error, tookMs >= 3_000]).toEqual([undefined, true]);
  });

  it('fails when it fails', async () => {
    const world = makeWorld();
    world.runtime.behaviours.seed = { exits: { code: 1, afterMs: 100 } };
    expect((await waiting(world, service('seed', { oneShot: true }))).error).toMatchObject({
      code: 'SERVICE_START_FAILED',
    });
  });
});
