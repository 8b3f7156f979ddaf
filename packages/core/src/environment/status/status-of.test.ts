import { describe, expect, it } from 'vitest';
import { healthcheck, makeWorld, modelService, type World } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import type { RunRecord } from '../runs/run-record.js';
import { changeRun } from '../runs/runs.js';
import { setUp } from '../setup/set-up.js';
import { statusOf } from './status-of.js';

const services = {
  api: modelService({ image: 'api', ports: ['8080:80'], healthcheck }),
  seed: modelService({ oneShot: true, dependsOn: ['api'] }),
  worker: modelService(),
};

async function up(world: World, dir = '/project') {
  const kernel = world.open({ services }, { dir });
  world.runtime.behaviours.seed = { exits: { code: 0, afterMs: 100 } };
  const { runId } = await world.passing(setUp(kernel, { build: true }, world.signal));
  const status = (of = kernel) => world.passing(statusOf(of, 'here', world.signal));
  return { kernel, runId, status };
}

describe('a status', () => {
  it('is all missing where nothing is set up', async () => {
    const world = makeWorld();
    const status = await statusOf(world.open({ services }), 'here', world.signal);
    expect(status).toMatchObject({ project: 'test', run: null, otherRuns: [] });
    expect(status.services.map((one) => `${one.name} ${one.runtime} ${one.status} ${one.health}`)).toEqual([
      ...['api model missing none', 'seed model missing none', 'worker model missing none'],
    ]);
  });

  it('shows services, their health, and the lease', async () => {
    const world = makeWorld();
    const { status, runId } = await up(world);
    const { run, services: shown } = await status();
    expect(run).toMatchObject({
      id: runId,
      state: 'up',
      alive: true,
      owner: expect.stringMatching(/\/\d+$/),
    });
    expect(run?.leaseMs).toBeGreaterThan(0);
    expect(shown).toMatchObject([
      { name: 'api', status: 'running', health: 'healthy', endpoints: ['http://localhost:8080'] },
      { name: 'seed', status: 'exited', health: 'none', message: 'done', exitCode: 0 },
      { name: 'worker', status: 'running', health: 'none', message: 'running', restarts: 0 },
    ]);
  });

  it('shows what is unwell, has ended, or is gone', async () => {
    const world = makeWorld();
    const { kernel, status, runId } = await up(world);
    world.runtime.behaviours.api = { exec: () => 7 };
    world.runtime.behaviours.seed = { exits: { code: 2, afterMs: 0 } };
    world.runtime.behaviours.worker = { exits: { code: 137, afterMs: 0, oomKilled: true } };
    expect((await status()).services).toMatchObject([
      { status: 'running', health: 'unhealthy', message: 'exit code 7: «asked api»' },
      { status: 'exited', health: 'unhealthy', message: 'exit code 2' },
      { status: 'exited', health: 'unhealthy', message: 'ran out of memory' },
    ]);
    world.runtime.behaviours.worker = { exits: { afterMs: 0 } };
    expect((await status()).services[2]).toMatchObject({ message: 'exit code unknown', exitCode: null });
    const all = await world.runtime.resources({ project: 'test', runId });
    await world.runtime.remove(all, { signal: world.signal });
    expect((await status(kernel)).services).toMatchObject([
      { status: 'missing', message: 'was started, and nothing of it is left' },
      { status: 'missing', message: 'was done, and nothing of it is left' },
      { status: 'missing', message: 'was started, and nothing of it is left' },
    ]);
  });

  it('shows a service as starting while its setup waits for it and its failures do not count yet', async () => {
    const world = makeWorld();
    const slow = { ...healthcheck, startPeriod: '60s', retries: 100 };
    const kernel = world.open({ services: { api: modelService({ healthcheck: slow }) } });
    world.runtime.behaviours.api = { exec: (ranMs) => (ranMs < 90_000 ? 7 : 0) };
    const setup = setUp(kernel, { build: true }, world.signal);
    const shown = async () => {
      const { run, services: all } = await statusOf(kernel, 'here', world.signal);
      return `${run?.state} ${all[0]?.health} ${all[0]?.message}`;
    };
    await world.clock.advance(30_000);
    expect(await shown()).toBe('starting starting exit code 7: «asked api»');
    await world.clock.advance(40_000);
    expect(await shown()).toBe('starting unhealthy exit code 7: «asked api»');
    await world.passing(setup);
    expect(await shown()).toMatch('up healthy');
  });

  it('shows what was well and is no more as unhealthy, however short ago it was started', async () => {
    const world = makeWorld();
    const kernel = world.open({
      services: { api: modelService({ healthcheck: { ...healthcheck, startPeriod: '60s' } }) },
    });
    await world.passing(setUp(kernel, { build: true }, world.signal));
    world.runtime.behaviours.api = { exec: () => 7 };
    const { services: all } = await statusOf(kernel, 'here', world.signal);
    expect(all[0]?.health).toBe('unhealthy');
  });

  it('shows what is paused, without waiting for a check that nobody answers', async () => {
    const world = makeWorld();
    const { status } = await up(world);
    const paused = () => true;
    world.runtime.behaviours.api = { paused, exec: () => new Promise<never>(() => undefined) };
    world.runtime.behaviours.worker = { paused };
    expect((await status()).services).toMatchObject([
      { name: 'api', status: 'paused', health: 'unhealthy', message: 'it is paused' },
      { name: 'seed', status: 'exited' },
      { name: 'worker', status: 'paused', health: 'unhealthy', message: 'it is paused' },
    ]);
  });

  it('shows the health that an image reports of itself', async () => {
    const world = makeWorld();
    const { status } = await up(world);
    world.runtime.behaviours.worker = { health: () => 'unhealthy' };
    expect((await status()).services[2]).toMatchObject({ status: 'running', health: 'unhealthy' });
  });

  it('says what could not be looked at', async () => {
    const world = makeWorld();
    const { status } = await up(world);
    world.runtime.breaks('inspect', new Error('no answer'));
    expect((await status()).services[0]).toMatchObject({
      status: 'unknown',
      health: 'unknown',
      message: 'could not be looked at: no answer',
      endpoints: ['http://localhost:8080'],
    });
  });

  /** Commands run on one model, images on another. */
  const mixed = () =>
    makeWorld((clock) => [
      new ModelRuntime(clock, { name: 'commands', runs: ({ image }) => image === undefined }),
      new ModelRuntime(clock, { name: 'images', runs: ({ image }) => image !== undefined }),
    ]);

  it('shows what the other runtimes have when one cannot be asked', async () => {
    const world = mixed();
    const kernel = world.open({ services: { web: { image: 'web' }, worker: modelService() } });
    await world.passing(setUp(kernel, { build: true }, world.signal));
    const images = kernel.runtimes.get('images');
    (images as ModelRuntime).breaks('inspect', new Error('no answer'));
    expect((await statusOf(kernel, 'here', world.signal)).services).toMatchObject([
      { name: 'web', runtime: 'images', status: 'unknown', message: 'could not be looked at: no answer' },
      { name: 'worker', runtime: 'commands', status: 'running', message: 'running' },
    ]);
  });

  it('shows what really runs when the configuration has changed since', async () => {
    const world = mixed();
    const web = { image: 'web', ports: ['8080:80'] };
    await world.passing(
      setUp(
        world.open({ services: { web, job: modelService(), old: modelService() } }),
        { build: true },
        world.signal,
      ),
    );
    const command = modelService({ ports: ['8080:80'], healthcheck: { ...healthcheck, command: 'ask me' } });
    const changed = world.open({ services: { web: command, fresh: modelService() } });
    const { services: shown } = await statusOf(changed, 'here', world.signal);
    expect(shown).toMatchObject([
      { name: 'web', runtime: 'images', status: 'running', health: 'none' },
      { name: 'fresh', runtime: 'commands', status: 'missing' },
      { name: 'job', runtime: 'commands', status: 'running', note: 'no longer in the configuration' },
      { name: 'old', runtime: 'commands', status: 'running', note: 'no longer in the configuration' },
    ]);
    expect(shown[0]).toMatchObject({
      note: 'the configuration wants it on commands by now',
      endpoints: ['http://localhost:8080'],
    });

    world.runtime.behaviours.job = { exits: { code: 3, afterMs: 0 } };
    const run = await world.store.list('runs');
    const runId = String(run[0]?.key);
    const all = await world.runtime.resources({ project: 'test', runId });
    await world.runtime.remove(
      all.filter(({ name }) => name === 'old'),
      { signal: world.signal },
    );
    const later = (await statusOf(changed, 'here', world.signal)).services.slice(2);
    expect(later).toMatchObject([{ name: 'job', status: 'exited', health: 'none', message: 'exit code 3' }]);
    world.runtime.breaks('inspect', new Error('no answer'));
    expect((await statusOf(changed, 'here', world.signal)).services.slice(2)).toMatchObject([
      { name: 'job', status: 'unknown', note: 'no longer in the configuration' },
      { name: 'old', status: 'unknown' },
    ]);
  });

  it('says of services whose runtime is not loaded that they could not be looked at', async () => {
    const world = makeWorld((clock) => [new ModelRuntime(clock, { name: 'lost' })]);
    const kernel = world.open({ services: { worker: modelService() } });
    await world.passing(setUp(kernel, { build: true }, world.signal));
    const without = { ...makeWorld().open({ services: { worker: modelService() } }), store: world.store };
    expect((await statusOf(without, 'here', world.signal)).services).toMatchObject([
      { status: 'unknown', message: 'could not be looked at: no loaded plugin brings the runtime lost' },
    ]);
  });

  it('shows other runs of the project, dead or alive', async () => {
    const world = makeWorld();
    const other = await up(world, '/elsewhere');
    const { status, runId } = await up(world);
    const [alive] = (await status()).otherRuns;
    expect(alive).toEqual({
      id: other.runId,
      project: 'test',
      worktree: '/elsewhere',
      state: 'up',
      alive: true,
    });
    await changeRun(world.store, other.runId, (run) => ({ ...run, leaseUntil: 0 }));
    expect(await status()).toMatchObject({ run: { id: runId }, otherRuns: [{ alive: false }] });
  });

  it('says why a run is over: by its lease, or by the process that is gone', async () => {
    const world = makeWorld();
    const { status, runId } = await up(world);
    const gone = { host: 'here', pid: 999_999_999, startedAt: 'long gone' };
    const why = async (change: Partial<RunRecord>) => {
      await changeRun(world.store, runId, (run) => ({ ...run, ...change }));
      return (await status()).run;
    };
    expect(await why({})).not.toHaveProperty('why');
    expect(await why({ leaseUntil: 0 })).toMatchObject({ alive: false, why: 'its lease ran out' });
    expect(await why({ holders: [{ ...gone, id: 'one' }] })).toMatchObject({
      why: 'its argus, process 999999999, is gone',
    });
    expect(await why({ state: 'starting', owner: gone })).toMatchObject({
      why: 'its argus, process 999999999, died while starting',
    });
    expect(await why({ state: 'stopping', owner: { host: '', pid: 0, startedAt: '' } })).toMatchObject({
      why: 'it was not taken down completely',
    });
  });

  it('asks a service with the environment that it was started with', async () => {
    const world = makeWorld();
    const config = {
      services: {
        db: modelService({ image: 'db', ports: ['5432:5432'], vars: { db: 'pg://localhost:5432' } }),
        api: modelService({ environment: { DB: '{{vars.db}}' }, healthcheck, dependsOn: ['db'] }),
      },
    };
    const kernel = world.open(config);
    await world.passing(setUp(kernel, { build: true }, world.signal));
    const asked: Record<string, string>[] = [];
    const exec = world.runtime.exec.bind(world.runtime);
    world.runtime.exec = (service, ...rest) => {
      asked.push({ ...service.environment });
      return exec(service, ...rest);
    };
    await world.passing(statusOf(kernel, 'here', world.signal));
    const told = { ARGUS_PORT_DB: '5432', ARGUS_URL_DB: 'tcp://localhost:5432' };
    expect(asked).toEqual([{ DB: 'pg://localhost:5432', ...told }]);

    // What it refers to now is not known in this run.
    const { db: _, ...rest } = config.services;
    const changed = {
      api: { ...rest.api, environment: { DB: '{{ports.queue}}' }, dependsOn: [] },
      queue: modelService({ ports: ['5672:5672'] }),
    };
    const { services: shown } = await world.passing(
      statusOf(world.open({ services: changed }), 'here', world.signal),
    );
    expect(shown).toMatchObject([
      { name: 'api', status: 'running', health: 'healthy' },
      { name: 'queue', status: 'missing' },
      { name: 'db', status: 'running' },
    ]);
  });

  it('does not tell that a circuit is closed through which nothing is asked', async () => {
    const world = makeWorld();
    const kernel = world.open({});
    const circuit = kernel.circuits.define({ name: 'engine', isFault: () => true });
    await circuit.execute(() => Promise.reject(new Error('away'))).catch(() => undefined);
    expect((await statusOf(kernel, 'here', world.signal)).circuits).toEqual([]);
  });

  it('shows circuits', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    kernel.circuits.define({ name: 'engine', isFault: () => true });
    await world.clock.advance(1_000);
    const { circuits } = await statusOf(kernel, 'here', world.signal);
    const never = { lastStateTransition: null, sinceTransition: null };
    expect(circuits).toMatchObject([{ name: 'engine', state: 'closed', failureCount: 0, ...never }]);
    expect(circuits[0]).not.toHaveProperty('failureHistory');
  });
});
