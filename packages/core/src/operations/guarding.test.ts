import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeWorld, modelService, type World } from '../environment/fixtures/environment-kernel.js';
import { ownIdentity, processStart } from '../environment/processes/process-identity.js';
import type { RunGuardian } from '../environment/runs/run-record.js';
import { changeRun, readRun } from '../environment/runs/runs.js';
import { guardRun } from '../guardian/guard-run.js';
import type { Kernel } from '../kernel/kernel.js';
import { definePlugin } from '../model/plugin.js';
import { runOperation } from './run-operation.js';

const config = { services: { api: modelService() }, resilience: { container: { restartDelay: '0s' } } };

async function run(world: World, kernel: Kernel, name: string, input: object = {}, signal = world.signal) {
  const operation = kernel.operations.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const envelope = await world.passing(runOperation(kernel, operation, input, signal));
  if (envelope.ok) expect(operation.output.safeParse(envelope.data).error).toBeUndefined();
  return envelope as {
    ok: boolean;
    data: Record<string, never> & { runId: string };
    error?: { code: string };
  };
}

/** A process that stands for a guardian: it ends when it is told to, or does not listen. */
async function standIn(world: World, runId: string, script = 'process.stdin.resume()'): Promise<RunGuardian> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('ready')`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const { pid = 0 } = child;
  const startedAt = (await processStart(pid)) ?? '';
  const { host } = await ownIdentity();
  const guardian = {
    host,
    pid,
    startedAt,
    id: `stand-in ${pid}`,
    since: world.clock.now(),
    background: true,
  };
  await changeRun(world.store, runId, (record) => ({ ...record, guardian }));
  return guardian;
}

const lives = async ({ pid, startedAt }: RunGuardian) => (await processStart(pid)) === startedAt;

describe('a setup with a guardian', () => {
  /** A kernel in which a guardian that is launched takes its place at once, as long as it is told how. */
  function launching(world: World, launch: (runId: string) => Promise<void>) {
    const kernel = world.open(config);
    return Object.freeze({
      ...kernel,
      launchGuardian: async (runId: string) => {
        await launch(runId);
        return { log: '/state/guardian.log' };
      },
    });
  }

  it('starts one and says which', async () => {
    const world = makeWorld();
    let pid = 0;
    const kernel = launching(world, async (runId) => {
      ({ pid } = await standIn(world, runId));
    });
    const { data } = await run(world, kernel, 'setup', { guard: true });
    expect(data.guardian).toMatchObject({ guarding: true, pid });
    expect((await run(world, kernel, 'status')).data.guardian).toMatchObject({
      pid,
      alive: true,
      background: true,
    });
  });

  it('says where to look when it does not get to its place', async () => {
    const world = makeWorld();
    const kernel = launching(world, async () => undefined);
    const { data } = await run(world, kernel, 'setup', { guard: true });
    expect(data.guardian).toEqual({ guarding: false, log: '/state/guardian.log' });
  });

  it('ends the one before, also one that does not listen, and starts another although it is not asked to', async () => {
    const world = makeWorld();
    const launched: RunGuardian[] = [];
    const kernel = launching(world, async (runId) => {
      launched.push(await standIn(world, runId));
    });
    const { data } = await run(world, kernel, 'setup', { guard: true });
    const stubborn = await standIn(
      world,
      data.runId,
      "process.on('SIGTERM', () => undefined); process.stdin.resume()",
    );
    await run(world, kernel, 'setup');
    expect(await lives(stubborn)).toBe(false);
    expect(launched).toHaveLength(2);
    expect((await readRun(world.store, data.runId))?.guardian?.pid).toBe(launched[1]?.pid);
  });

  it('keeps the one before where it would do nothing differently, and says so', async () => {
    const world = makeWorld();
    let launches = 0;
    const stop = new AbortController();
    const works: Promise<unknown>[] = [];
    const guarding: Kernel = launching(world, async (runId) => {
      launches += 1;
      works.push(guardRun(guarding, runId, { signal: stop.signal, background: true }));
    });
    const { data } = await run(world, guarding, 'setup', { guard: true });
    const guardianOf = async () => (await readRun(world.store, data.runId))?.guardian;
    const { id } = (await guardianOf()) ?? {};
    const again = await run(world, guarding, 'setup');
    expect(again.data.guardian).toMatchObject({ guarding: true, kept: true });
    expect(launches).toBe(1);
    await world.passing(vi.waitUntil(async () => !(await guardianOf())?.rests));
    expect(await guardianOf()).toMatchObject({ id });
    stop.abort();
    await world.passing(Promise.all(works));
  });

  it('that fails starts another for what stays up of a run that was guarded', async () => {
    const world = makeWorld();
    const launched: RunGuardian[] = [];
    const kernel = launching(world, async (runId) => {
      launched.push(await standIn(world, runId));
    });
    const { data } = await run(world, kernel, 'setup', { guard: true });
    const failing = definePlugin({
      name: 'failing',
      apply: ({ hooks }) =>
        hooks.verifyEnvironment.tapPromise('failing', () => Promise.reject(new Error('it broke'))),
    });
    const { launchGuardian } = kernel;
    const broken = Object.freeze({ ...world.open(config, { plugins: [failing] }), launchGuardian });
    expect(await run(world, broken, 'setup')).toMatchObject({ ok: false, error: { message: 'it broke' } });
    expect(launched).toHaveLength(2);
    expect(await readRun(world.store, data.runId)).toMatchObject({
      state: 'up',
      guardian: { pid: launched[1]?.pid },
    });
  });

  it('is refused where nobody knows how to start one', async () => {
    const world = makeWorld();
    const envelope = await run(world, world.open(config), 'setup', { guard: true });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
    expect(world.runtime.size).toBe(0);
  });
});

describe('a clean', () => {
  it('ends the background guardian before it takes anything down, and the one who is to guard after another', async () => {
    const world = makeWorld();
    const kernel = world.open(config);
    const { data } = await run(world, kernel, 'setup');
    const background = await standIn(world, data.runId);
    const tests = {
      ...background,
      ...(await ownIdentity()),
      id: 'tests',
      background: false,
      after: background,
    };
    await changeRun(world.store, data.runId, (record) => ({ ...record, guardian: tests }));
    const order: string[] = [];
    const remove = world.runtime.remove.bind(world.runtime);
    world.runtime.remove = async (...removal) => {
      order.push(`removes while it ${(await lives(background)) ? 'lives' : 'is gone'}`);
      return remove(...removal);
    };
    await run(world, kernel, 'clean');
    expect(order[0]).toBe('removes while it is gone');
    expect(await world.store.list('guardian')).toEqual([]);
  });

  it('does not end what another process is by now', async () => {
    const world = makeWorld();
    const kernel = world.open(config);
    const { data } = await run(world, kernel, 'setup');
    const guardian = await standIn(world, data.runId);
    await changeRun(world.store, data.runId, (record) => ({
      ...record,
      guardian: { ...guardian, startedAt: 'another time' },
    }));
    await run(world, kernel, 'clean');
    expect(await lives(guardian)).toBe(true);
  });
});

describe('guard', () => {
  it('guards the run of this folder until it is told to end, and tells what happened', async () => {
    const world = makeWorld();
    const kernel = world.open(config);
    const { data } = await run(world, kernel, 'setup');
    const stop = new AbortController();
    const guarding = run(world, kernel, 'guard', {}, stop.signal);
    world.runtime.behaviours.api = () => ({});
    const crash = kernel.events.subscribe(({ type, data: told }) => {
      if (type === 'guard_state' && 'state' in told && told.state === 'guarding') {
        setImmediate(() => world.runtime.crash('api', { code: 5 }));
      }
      if (type === 'incident_end') stop.abort();
    });
    const { data: report } = await guarding;
    crash();
    expect(report).toMatchObject({
      runId: data.runId,
      incidents: [{ service: 'api', outcome: 'recovered' }],
    });
    const status = await run(world, kernel, 'status');
    expect(status.data).toMatchObject({
      guardian: null,
      services: [{ name: 'api', restarts: 1 }],
      incidents: [{ service: 'api', code: 'CONTAINER_CRASH', outcome: 'recovered', restarts: 1 }],
    });
  });

  it('has nothing to do where nothing runs', async () => {
    const world = makeWorld();
    expect(await run(world, world.open(config), 'guard')).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID' },
    });
    // Whoever starts one in the background knows the run, which may have ended meanwhile.
    expect(await run(world, world.open(config), 'guard', { run: 'gone', background: true })).toMatchObject({
      data: { incidents: [] },
    });
  });

  it('says which runs there are when it is told another', async () => {
    const world = makeWorld();
    const kernel = world.open(config);
    expect(await run(world, kernel, 'guard', { run: 'typo' })).toMatchObject({
      error: {
        code: 'USAGE_INVALID',
        message: `There is no run typo of ${kernel.project.name}; argus setup brings one up`,
        details: { known: [] },
      },
    });
    const { data } = await run(world, kernel, 'setup');
    const runId = String(data.runId);
    expect(await run(world, kernel, 'guard', { run: 'typo' })).toMatchObject({
      error: {
        code: 'USAGE_INVALID',
        message: `There is no run typo of ${kernel.project.name}; there are ${runId}`,
        details: { known: [runId] },
      },
    });
    const mistyped = `${runId.slice(0, -1)}x`;
    expect(await run(world, kernel, 'guard', { run: mistyped })).toMatchObject({
      error: { message: expect.stringMatching(new RegExp(`; did you mean ${runId}\\?$`)) },
    });
  });

  it('shows what is open, and who was to guard and is gone', async () => {
    const world = makeWorld();
    const plugin = definePlugin({ name: 'quiet', apply: () => undefined });
    const kernel = world.open(
      { ...config, resilience: { container: { restartDelay: '1h', maxRestartDelay: '1h' } } },
      { plugins: [plugin] },
    );
    const { data } = await run(world, kernel, 'setup');
    const stop = new AbortController();
    const guarding = run(world, kernel, 'guard', {}, stop.signal);
    await world.passing(
      new Promise<void>((resolve) => {
        kernel.events.subscribe(({ type }) => {
          if (type === 'guard_state') setImmediate(() => world.runtime.crash('api'));
          if (type === 'restart_attempt') resolve();
        });
      }),
    );
    await world.clock.advance(1_000);
    await changeRun(world.store, data.runId, ({ guardian, ...record }) =>
      guardian ? { ...record, guardian: { ...guardian, startedAt: 'long ago' } } : record,
    );
    const status = await run(world, kernel, 'status');
    expect(status.data).toMatchObject({
      guardian: { alive: false },
      incidents: [{ service: 'api', outcome: 'open', endedAt: null, restarts: 0 }],
    });
    stop.abort();
    await guarding;
  });
});
