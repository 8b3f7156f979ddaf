import { rename } from 'node:fs/promises';
import {
  createMemoryStore,
  definePlugin,
  type Plugin,
  type RunRecord,
  runChecks,
  type StateStore,
  storeUnavailable,
  structuredError,
  systemClock,
} from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { storeWith } from '../fixtures/store-with.js';
import { makeWorld, until, type World } from '../fixtures/world.js';
import processPlugin from '../index.js';
import { ownEnds } from '../records/own-ends.js';
import { ProcessRecords } from '../records/process-records.js';
import { createProcessRuntime } from '../runtime/process-runtime.js';

describe('process.services', () => {
  it('has nothing to look at when nothing of the project is up', async () => {
    const world = await makeWorld();
    expect(await check(world, createMemoryStore())).toMatchObject([{ status: 'skipped' }]);
    await world.start(service('api', { command: node('process.exit(1)') }));
    await world.ended('api');
    for (const record of [{ state: 'starting' }, { leaseUntil: 1 }] as Partial<RunRecord>[]) {
      expect(await check(world, await storeWith(world, record))).toMatchObject([{ status: 'skipped' }]);
    }
    const elsewhere = { ...world, dir: `${world.dir}/other-folder` };
    expect(await check(elsewhere, await storeWith(world))).toMatchObject([{ status: 'skipped' }]);
  });

  it('does not say that nothing is up where the store cannot be used', async () => {
    const world = await makeWorld();
    const notice = structuredError(
      storeUnavailable,
      { message: 'the store is a file', details: { store: 'x', reason: 'no-access' } },
      1,
    );
    const blind = Object.assign(createMemoryStore(), { notices: () => [notice] });
    expect(await check(world, blind)).toMatchObject([
      { status: 'unknown', message: 'Nobody knows what runs here: the store is a file' },
    ]);
  });

  it('passes for services that run and for those that have done their work', async () => {
    const world = await makeWorld();
    await world.start(
      service('api', { command: node(forever) }),
      service('job', { command: ['true'], oneShot: true }),
    );
    await world.ended('job');
    const checks = await check(world, await storeWith(world));
    expect(checks.map(({ status, target, message }) => [status, target, message]).sort()).toEqual([
      ['pass', 'api', 'api runs'],
      ['pass', 'job', 'job has done its work'],
    ]);
  });

  it('fails for services that have ended, with how and with what they said last', async () => {
    const world = await makeWorld();
    await world.start(
      service('api', { command: node('console.log("no database"); process.exit(3)') }),
      service('web', { command: ['true'] }),
      service('job', { command: ['false'], oneShot: true }),
      service('hit', { command: node(forever) }),
    );
    process.kill(world.stateOf('hit').child?.pid ?? 0, 'SIGKILL');
    await Promise.all(['api', 'web', 'job', 'hit'].map((name) => world.ended(name)));
    const checks = await check(world, await storeWith(world));
    expect(checks.map(({ status }) => status)).toEqual(['fail', 'fail', 'fail', 'fail']);
    const errorOf = (name: string) => checks.find(({ target }) => target === name)?.error;
    expect(errorOf('api')).toMatchObject({
      code: 'CONTAINER_CRASH',
      message: 'api has ended, with exit code 3',
      details: { service: 'api', runId: 'run-1', exitCode: 3, lines: ['no database'] },
    });
    expect(errorOf('web')).toMatchObject({ details: { exitCode: 0 } });
    expect(errorOf('job')).toMatchObject({ details: { exitCode: 1 } });
    expect(errorOf('hit')).toMatchObject({ details: { exitCode: 137, signal: 'SIGKILL' } });
  });

  it('fails for a service that ends again and again, even while it runs', async () => {
    const world = await makeWorld();
    const script = `const fs = require('node:fs');
      const turn = fs.existsSync('turn') ? Number(fs.readFileSync('turn', 'utf8')) : 0;
      fs.writeFileSync('turn', String(turn + 1));
      if (turn < 3) process.exit(turn + 1); else { ${forever} }`;
    const api = service('api', { command: node(script) });
    for (let turn = 0; turn < 3; turn += 1) {
      await world.start(api);
      await world.ended('api');
    }
    await world.start(api);
    const store = await storeWith(world);
    expect(await check(world, store)).toMatchObject([
      {
        status: 'fail',
        target: 'api',
        message: 'api ended 3 times in 300 s',
        error: { code: 'PROCESS_CRASH_LOOP', details: { exits: 3, exitCodes: [1, 2, 3] } },
      },
    ]);
    expect(await check(world, store, { crashes: 4 })).toMatchObject([{ status: 'pass' }]);
  });

  it('counts the ends of before it was set up anew, of the same service in the same folder', async () => {
    const world = await makeWorld();
    const store = await storeWith(world);
    const runtime = createProcessRuntime({
      records: new ProcessRecords(store, () => world.base),
      clock: systemClock,
      output: { size: 1_000_000, files: 3 },
      diskSpaceThreshold: 1,
    });
    const services = [
      service('api', { command: node('process.exit(7)') }),
      service('job', { command: ['true'], oneShot: true }),
    ];
    for (let turn = 0; turn < 3; turn += 1) {
      if (turn > 0) {
        const all = await runtime.resources({ project: world.run.project }, world.signal);
        await runtime.remove(all, { graceMs: 0, signal: world.signal });
      }
      await Promise.all(services.map((one) => runtime.start(one, 'spec', world.context())));
      await Promise.all(services.map(({ name }) => world.ended(name)));
    }
    const checks = await check(world, store);
    expect(checks.map(({ target, status, error }) => [target, status, error?.code])).toEqual([
      ['api', 'fail', 'PROCESS_CRASH_LOOP'],
      ['job', 'pass', undefined],
    ]);
    expect(checks[0]?.error?.details).toMatchObject({ exits: 3, exitCodes: [7, 7, 7] });
    expect(await check(world, store, { crashes: 4 })).toMatchObject([
      { error: { code: 'CONTAINER_CRASH' } },
      {},
    ]);
  });

  it('counts an end once, however often it was noted', async () => {
    const world = await makeWorld();
    const api = service('api', { command: node('process.exit(7)') });
    for (let turn = 0; turn < 2; turn += 1) {
      await world.start(api);
      await world.ended('api');
    }
    const store = await storeWith(world);
    const records = new ProcessRecords(store, () => world.base);
    const [record] = await records.list({ project: world.run.project });
    if (!record) throw new Error('there is no record');
    // As two who remove it at once do, and one whose removal fails.
    const ends = ownEnds({ record, state: world.stateOf('api') });
    for (let turn = 0; turn < 2; turn += 1) await records.noteEnds(record, ends);
    expect(await check(world, store)).toMatchObject([{ error: { code: 'CONTAINER_CRASH' } }]);
    expect(await check(world, store, { crashes: 2 })).toMatchObject([
      { error: { code: 'PROCESS_CRASH_LOOP', details: { exits: 2, exitCodes: [7, 7] } } },
    ]);
  });

  it('warns of a service that nothing keeps, and fails when it ends unseen', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const store = await storeWith(world);
    const { keeper, child } = world.stateOf('api');
    process.kill(keeper.pid, 'SIGKILL');
    await until(async () => (await world.inspect('api')).details?.kept === false);
    expect(await check(world, store)).toMatchObject([
      {
        status: 'warn',
        error: { code: 'PROCESS_UNKEPT', details: { pid: child?.pid, keeperPid: keeper.pid } },
      },
    ]);
    process.kill(child?.pid ?? 0, 'SIGKILL');
    await world.ended('api');
    expect(await check(world, store)).toMatchObject([
      {
        status: 'fail',
        message: 'api has ended, nobody saw how',
        error: { code: 'CONTAINER_CRASH', details: { exitCode: null } },
      },
    ]);
  });

  it('fails for one that runs and whose health check does not succeed, as a status does', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(`console.log('warming up'); ${forever}`) }));
    await until(async () => {
      const query = { services: ['api'], follow: false };
      for await (const { text } of world.runtime.logs(world.run, query, world.signal))
        return text === 'warming up';
      return false;
    });
    const noted = { runtime: 'process', spec: '', ports: [], startedAt: 0 };
    const store = await storeWith(world, { services: { api: noted } });
    const look = (command: string) => {
      const healthcheck = { command: node(command) };
      return check(world, store, {}, { api: { command: node(forever), healthcheck } });
    };
    expect(await look('process.exit(0)')).toMatchObject([
      { status: 'pass', message: 'api runs and is well' },
    ]);
    expect(await look('process.exit(7)')).toMatchObject([
      {
        status: 'fail',
        target: 'api',
        message: expect.stringContaining('api is not well: exit code 7'),
        error: { code: 'HEALTH_CHECK_TIMEOUT', details: { service: 'api', tries: 1, lines: ['warming up'] } },
      },
    ]);
  });

  it('tells each by itself where the health check of one hangs', async () => {
    const world = await makeWorld();
    const names = ['slow', 'well', 'crashed'];
    await world.start(
      service('slow', { command: node(forever) }),
      service('well', { command: node(forever) }),
      service('crashed', { command: node('process.exit(3)') }),
    );
    await world.ended('crashed');
    const noted = { runtime: 'process', spec: '', ports: [], startedAt: 0 };
    const store = await storeWith(world, {
      services: Object.fromEntries(names.map((name) => [name, noted])),
    });
    const hangs = { command: node(forever), timeout: '30s' };
    const checks = await check(
      world,
      store,
      {},
      {
        slow: { command: node(forever), healthcheck: hangs },
        well: { command: node(forever), healthcheck: { command: node('') } },
        crashed: { command: node(forever) },
      },
    );
    expect(checks.map(({ target, status }) => [target, status]).sort()).toEqual([
      ['crashed', 'fail'],
      ['slow', 'unknown'],
      ['well', 'pass'],
    ]);
    expect(checks.find(({ target }) => target === 'slow')?.message).toMatch(
      /slow runs, .*within 5000 ms, and it may take 30000 ms/,
    );
  });

  it('passes beside services of a runtime that does not answer', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: node(forever) }));
    const noted = { runtime: 'process', spec: '', ports: [], startedAt: 0 };
    const store = await storeWith(world, { services: { api: noted, db: { ...noted, runtime: 'silent' } } });
    const silent = definePlugin({
      name: 'silent',
      apply: ({ hooks }) =>
        hooks.runtimes.tap('silent', (runtimes) =>
          runtimes.add({
            ...world.runtime,
            name: 'silent',
            runs: () => false,
            inspect: (_run, _services, signal) =>
              new Promise((_, reject) => {
                signal.addEventListener('abort', () => reject(signal.reason), { once: true });
              }),
          }),
        ),
    });
    const api = { command: node(forever), healthcheck: { command: node('') } };
    expect(await check(world, store, {}, { api }, [silent])).toMatchObject([
      { status: 'pass', message: 'api runs and is well' },
    ]);
  });

  it('fails for what is up by the record of the run and is not there, and names it', async () => {
    const world = await makeWorld();
    await world.start(
      service('api', { command: node(forever) }),
      service('web', { command: node(forever) }),
      service('job', { command: ['true'], oneShot: true }),
    );
    await world.ended('job');
    const noted = { runtime: 'process', spec: '', ports: [], startedAt: 0 };
    const configured = {
      api: { command: 'api' },
      web: { command: 'web' },
      job: { command: 'true', oneShot: true },
      never: { command: 'never' },
      box: { image: 'box' },
    };
    const services = { api: noted, web: noted, job: noted, old: noted, box: { ...noted, runtime: 'docker' } };
    const look = async (record: Partial<RunRecord> = {}) =>
      check(world, await storeWith(world, { services, ...record }), {}, configured);
    // What its keeper writes, and the only copy of its record that this store has.
    await rename(world.records.folderOf('run-1', 'api'), `${world.dir}/api-away`);
    await rename(world.records.folderOf('run-1', 'job'), `${world.dir}/job-away`);
    onTestFinished(async () => {
      await rename(`${world.dir}/api-away`, world.records.folderOf('run-1', 'api'));
      await world.remove(0);
    });
    expect(await look()).toMatchObject([
      { status: 'pass', target: 'web' },
      {
        status: 'fail',
        target: 'api',
        message: 'api is up by the record of its run, but what is kept of its process is gone',
        error: {
          code: 'CONTAINER_CRASH',
          suggestedActions: ['setup'],
          details: { service: 'api', runId: 'run-1', status: 'missing', exitCode: null },
        },
      },
    ]);
    expect(await look({ state: 'starting' })).toMatchObject([{ status: 'skipped' }]);
    expect(await look({ leaseUntil: 1 })).toMatchObject([{ status: 'skipped' }]);
    expect(await look({ worktree: '/somewhere/else' })).toMatchObject([{ status: 'pass', target: 'web' }]);
  });

  it.runIf(process.platform === 'linux')('fails for one that was stopped and does nothing', async () => {
    const world = await makeWorld();
    const store = await storeWith(world);
    await world.start(service('api', { command: node(forever) }));
    await world.runtime.disturb?.(world.run, 'api', 'pause', world.signal);
    await until(async () => (await world.inspect('api')).paused === true);
    expect(await check(world, store)).toMatchObject([
      {
        status: 'fail',
        message: 'api hangs: it is paused',
        error: { code: 'HEALTH_CHECK_TIMEOUT', details: { service: 'api', tries: 1 } },
      },
    ]);
  });
});

async function check(
  { dir, base }: Pick<World, 'dir' | 'base'>,
  store: StateStore,
  options: object = {},
  services: object = {},
  others: readonly Plugin[] = [],
) {
  const config = { project: { name: 'shop' }, services };
  const plugins = [[processPlugin, { dir: base, ...options }] as const, ...others];
  const kernel = buildKernel({ plugins, store, dir, config });
  const shop = { ...kernel, project: { name: 'shop', dir } };
  const { checks } = await runChecks(shop, { only: ['process.services'] });
  return checks;
}
