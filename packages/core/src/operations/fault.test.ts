import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeWorld, modelService, type World } from '../environment/fixtures/environment-kernel.js';
import { ModelRuntime } from '../environment/fixtures/model-runtime.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import { changeRun, readRun } from '../environment/runs/runs.js';
import type { Disturbance } from '../environment/runtime.js';
import { statusOf } from '../environment/status/status-of.js';
import type { Kernel } from '../kernel/kernel.js';
import { pause } from '../time/pause.js';
import { runOperation } from './run-operation.js';

/** A world whose services can be harmed; what was done to them is written down. */
function harmableWorld() {
  const done: string[] = [];
  const world = makeWorld((clock) => {
    const runtime = new ModelRuntime(clock);
    const disturb = async (_run: unknown, service: string, how: Disturbance) => {
      done.push(`${how} ${service}`);
      if (how === 'kill') runtime.crash(service, { code: 137 });
    };
    return [Object.assign(runtime, { disturb })];
  });
  return { world, done };
}

async function call(world: World, kernel: Kernel, name: string, input: object = {}, signal = world.signal) {
  const operation = kernel.operations.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const envelope = await world.passing(runOperation(kernel, operation, input, signal));
  if (envelope.ok) expect(operation.output.safeParse(envelope.data).error).toBeUndefined();
  return envelope;
}

const idOf = (envelope: Awaited<ReturnType<typeof call>>) =>
  envelope.ok ? String((envelope.data as { runId: string }).runId) : '';

const refused = (message: RegExp) => ({
  ok: false,
  error: { code: 'USAGE_INVALID', message: expect.stringMatching(message) },
});
const services = { api: modelService(), web: modelService() };

describe('fault-list', () => {
  it('names every fault, and what it should be reported as', async () => {
    const { world } = harmableWorld();
    expect(await call(world, world.open({}), 'fault-list')).toMatchObject({
      ok: true,
      data: {
        faults: [
          { name: 'kill-service', lasts: false, expect: 'CONTAINER_CRASH' },
          { name: 'pause-service', lasts: true, expect: 'HEALTH_CHECK_TIMEOUT' },
          { name: 'take-port', lasts: true, expect: 'PORT_CONFLICT' },
          { name: 'fill-disk', lasts: true, expect: 'DISK_SPACE_LOW' },
        ],
      },
    });
  });
});

describe('fault-inject', () => {
  it('kills a service of the run of this folder', async () => {
    const { world, done } = harmableWorld();
    const kernel = world.open({ services });
    await call(world, kernel, 'setup');
    expect(
      await call(world, kernel, 'fault-inject', { fault: 'kill-service', service: 'web' }),
    ).toMatchObject({
      ok: true,
      data: { target: 'service:web', message: 'web was killed', expect: 'CONTAINER_CRASH', undone: false },
    });
    expect(done).toEqual(['kill web']);
    expect(world.events.at(-1)).toMatchObject({ type: 'fault_injected', data: { target: 'service:web' } });
    // It is dead now, so it cannot be killed again.
    expect(
      await call(world, kernel, 'fault-inject', { fault: 'kill-service', service: 'web' }),
    ).toMatchObject(refused(/web does not run/));
  });

  it('pauses a service for as long as it is told to', async () => {
    const { world, done } = harmableWorld();
    const kernel = world.open({ services: { web: modelService() } });
    await call(world, kernel, 'setup');
    const envelope = await call(world, kernel, 'fault-inject', { fault: 'pause-service', for: '5s' });
    expect(envelope).toMatchObject({
      ok: true,
      data: { target: 'service:web', undone: true, lastedMs: 5_000 },
    });
    expect(done).toEqual(['pause web', 'resume web']);
    expect(world.events.at(-1)).toMatchObject({ type: 'fault_undone' });
  });

  it('ends as soon as another is in the place of what it paused, and says when', async () => {
    const { world } = harmableWorld();
    const kernel = world.open({ services: { web: modelService() } });
    const runId = idOf(await call(world, kernel, 'setup'));
    world.clock.after(2_000, async () => {
      const run = await readRun(kernel.store, runId);
      const service = world.runtime.services.get('web');
      if (!run || !service) throw new Error('nothing is there');
      const { project, events, clock } = kernel;
      world.runtime.crash('web');
      // As long as nothing is there it may yet be restarted.
      await pause(clock, 3_500, world.signal);
      const context = { run, project, events, clock, signal: world.signal, services: [] };
      await world.runtime.start(service, run.services.web?.spec ?? '', context);
    });
    expect(await call(world, kernel, 'fault-inject', { fault: 'pause-service', for: '50s' })).toMatchObject({
      data: {
        undone: false,
        replaced: true,
        message: expect.stringMatching(/^web was paused for up to 50s; .*; it was replaced after 6s$/),
        lastedMs: 6_000,
      },
    });
    expect(world.events.at(-1)).toMatchObject({ type: 'fault_undone', data: { replaced: true } });
  });

  it('pauses a service for longer than its health check takes to fail, and says so', async () => {
    const { world } = harmableWorld();
    const healthcheck = { command: 'true', interval: '2s', timeout: '3s', retries: 4 };
    const kernel = world.open({ services: { web: { ...modelService(), healthcheck } } });
    await call(world, kernel, 'setup');
    expect(await call(world, kernel, 'fault-inject', { fault: 'pause-service' })).toMatchObject({
      data: { message: expect.stringMatching(/^web was paused for up to 50s;/), lastedMs: 50_000 },
    });
    const bare = harmableWorld();
    const other = bare.world.open({ services: { web: modelService() } });
    await call(bare.world, other, 'setup');
    expect(await call(bare.world, other, 'fault-inject', { fault: 'pause-service' })).toMatchObject({
      data: { message: expect.stringMatching(/^web was paused for up to 30s;/), lastedMs: 30_000 },
    });
  });

  it('is in the record of the run while it lasts, and status says so', async () => {
    const { world, done } = harmableWorld();
    const kernel = world.open({ services: { web: modelService() } });
    world.runtime.behaviours.web = { paused: () => done.at(-1) === 'pause web' };
    const runId = idOf(await call(world, kernel, 'setup'));
    const now = world.clock.now();
    const during: { faults?: RunRecord['faults']; services?: object[] } = {};
    world.clock.after(50_000, async () => {
      Object.assign(during, await readRun(kernel.store, runId));
      const { services } = await statusOf(kernel, hostname(), world.signal);
      Object.assign(during, { services });
    });
    await call(world, kernel, 'fault-inject', { fault: 'pause-service', for: '1m' });
    expect(during.faults).toMatchObject([
      { fault: 'pause-service', service: 'web', by: { pid: process.pid } },
    ]);
    const until = during.faults?.[0]?.until ?? 0;
    expect(until).toBeGreaterThanOrEqual(now + 60_000);
    const message = `it is paused on purpose until ${new Date(until).toISOString()}`;
    expect(during.services).toMatchObject([{ status: 'paused', message }]);
    expect((await readRun(kernel.store, runId))?.faults).toEqual([]);
  });

  it('that was killed is told by status, and taken back by the next setup or guardian', async () => {
    for (const next of ['setup', 'guard']) {
      const { world, done } = harmableWorld();
      const kernel = world.open({ services: { web: modelService() } });
      let isLeft = false;
      world.runtime.behaviours.web = { paused: () => isLeft && done.length === 0 };
      const runId = idOf(await call(world, kernel, 'setup'));
      isLeft = true;
      const until = world.clock.now();
      const by = { host: hostname(), pid: process.pid, startedAt: 'another time' };
      const left = { fault: 'pause-service', service: 'web', until, by };
      await changeRun(kernel.store, runId, (run) => ({ ...run, faults: [left] }));
      expect(await call(world, kernel, 'status')).toMatchObject({
        data: {
          services: [
            {
              message: `it is paused: the argus that was to let it go on at ${new Date(until).toISOString()} is gone; argus setup does it`,
            },
          ],
        },
      });
      const stop = new AbortController();
      kernel.events.subscribe(({ type }) => type === 'fault_undone' && stop.abort());
      await call(world, kernel, next, {}, next === 'setup' ? world.signal : stop.signal);
      expect(done).toEqual(['resume web']);
      expect((await readRun(kernel.store, runId))?.faults).toEqual([]);
      expect(world.runtime.calls).toEqual(['start web']);
    }
  });

  it('takes a fault back at once when it is stopped', async () => {
    const { world, done } = harmableWorld();
    const kernel = world.open({ services: { web: modelService() } });
    await call(world, kernel, 'setup');
    const stop = new AbortController();
    world.clock.after(1_000, () => stop.abort());
    await call(world, kernel, 'fault-inject', { fault: 'pause-service' }, stop.signal);
    expect(done).toEqual(['pause web', 'resume web']);
  });

  it('refuses what is not up, not known, not of this run, or cannot be harmed', async () => {
    const { world, done } = harmableWorld();
    const kernel = world.open({ services });
    const kill = (rest = {}) => call(world, kernel, 'fault-inject', { fault: 'kill-service', ...rest });
    expect(await kill({ service: 'web' })).toMatchObject(refused(/Nothing of .* is up in this folder/));
    await call(world, kernel, 'setup');
    expect(await kill()).toMatchObject(refused(/which service is meant: api, web/));
    expect(await kill({ service: 'wep' })).toMatchObject(refused(/did you mean web/));
    expect(await kill({ service: 'zzzzzz' })).toMatchObject(refused(/there are api, web/));
    expect(await kill({ fault: 'kill-servic' })).toMatchObject(refused(/did you mean kill-service/));
    expect(await kill({ fault: 'zzzzzz' })).toMatchObject(refused(/there are kill-service, pause-service/));
    // Another folder of the project has no run of its own.
    const elsewhere = world.open({ services }, { dir: '/elsewhere' });
    expect(
      await call(world, elsewhere, 'fault-inject', { fault: 'kill-service', service: 'web' }),
    ).toMatchObject(refused(/Nothing of .* is up/));
    // Somebody else's container has taken the place of ours.
    const resources = world.runtime.resources.bind(world.runtime);
    world.runtime.resources = async (query) =>
      (await resources(query)).map((one) => ({ ...one, store: 'another' }));
    expect(await kill({ service: 'web' })).toMatchObject(refused(/Nothing shows that web belongs/));
    expect(done).toEqual([]);
  });

  it.each(['kill-service', 'pause-service'])('refuses %s where the runtime cannot do it', async (fault) => {
    const world = makeWorld();
    const kernel = world.open({ services: { web: modelService() } });
    await call(world, kernel, 'setup');
    expect(await call(world, kernel, 'fault-inject', { fault })).toMatchObject(refused(/on model cannot be/));
  });

  it('holds a port that a service asks for, and gives it back', async () => {
    const world = makeWorld();
    const port = await freePort();
    const kernel = world.open({ services: { web: modelService({ ports: [`${port}:80`] }) } });
    const held: boolean[] = [];
    kernel.events.subscribe(async ({ type }) => {
      if (type === 'fault_injected') held.push(await isFree(port));
    });
    const envelope = await call(world, kernel, 'fault-inject', { fault: 'take-port', for: '1s' });
    expect(envelope).toMatchObject({ ok: true, data: { target: `port:${port}`, undone: true } });
    expect([held, await isFree(port)]).toEqual([[false], true]);
  });

  it('refuses a port that is in use, or that nobody asks for', async () => {
    const world = makeWorld();
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    const kernel = world.open({
      services: { web: modelService({ ports: [`${port}:80`] }), db: modelService() },
    });
    const take = (rest = {}) => call(world, kernel, 'fault-inject', { fault: 'take-port', ...rest });
    expect(await take()).toMatchObject(refused(/is in use; argus clean gives it back/));
    expect(await take({ service: 'db' })).toMatchObject(refused(/No service db asks for a port/));
    const bare = world.open({ services: { db: modelService() } });
    expect(await call(world, bare, 'fault-inject', { fault: 'take-port' })).toMatchObject(
      refused(/No service asks/),
    );
  });

  it('fills the disk until less than half of the threshold is free, and removes what it wrote', async () => {
    const world = makeWorld();
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'argus-fill-')));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const { bavail, bsize } = await statfs(dir);
    const during: { names?: string[]; sizes?: number[] } = {};
    const fill = (threshold: number, size: string) => {
      const kernel = world.open({ resilience: { preflight: { diskSpaceThreshold: threshold } } }, { dir });
      kernel.events.subscribe(({ type }) => {
        if (type === 'fault_injected') Object.assign(during, { names: readdirSync(dir), sizes: openIn(dir) });
      });
      return call(world, kernel, 'fault-inject', { fault: 'fill-disk', for: '1s', size });
    };
    // Others use this disk too, so what is written here is little, and whether it was enough is for the fault to say.
    const free = bavail * bsize;
    expect(await fill(2 * (free - 50_000_000), '500MB')).toMatchObject({ ok: true, data: { undone: true } });
    // Whoever is killed meanwhile leaves nothing, because it has no name.
    expect(during.names).toEqual([]);
    if (process.platform === 'linux') expect(during.sizes).toEqual([expect.closeTo(50_000_000, -8)]);
    expect([await readdir(dir), openIn(dir)]).toEqual([[], []]);
    expect(await fill(2_000, '1MB')).toMatchObject(refused(/would have to be written, at most 1 MB/));
    expect(await fill(4 * free, '1MB')).toMatchObject(refused(/is free in .* already/));
  });
});

/** The sizes of the files in a folder that this process has open; of macOS that cannot be told like this. */
function openIn(dir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    const link = `/proc/self/fd/${fd}`;
    // What listed them is there too, and closed by now.
    const isOpen = lstatSync(link, { throwIfNoEntry: false }) !== undefined;
    return isOpen && readlinkSync(link).startsWith(dir) ? [statSync(link).size] : [];
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once('error', () => resolve(false));
    trial.listen(port, '127.0.0.1', () => trial.close(() => resolve(true)));
  });
}
