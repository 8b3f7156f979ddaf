import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMakeReadOnly, makeReadOnly } from '../../../store-sqlite/src/fixtures/read-only.js';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';
import { statePath } from '../programs/keeper-state.mjs';
import { membersOf } from '../programs/process-table.mjs';

const stubborn = `process.on('SIGTERM', () => console.log('no')); console.log('ready'); ${forever}`;
const tree = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['-e', '${forever}'], { stdio: 'inherit' });
  spawn('/bin/sh', ['-c', 'sleep 1000 & sleep 1000'], { stdio: 'inherit' });
  console.log('ready');
  ${forever}`;

describe('removing a process', () => {
  it('lets it end by itself, and takes everything away', async () => {
    const world = await makeWorld();
    const file = join(world.dir, 'said-goodbye');
    const script = `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); process.exit(0); }); console.log('ready'); ${forever}`;
    await startReady(world, 'api', script);
    const { keeper, child } = world.stateOf('api');
    expect(await world.remove()).toMatchObject([{ removed: true, resource: { id: 'run-1/api' } }]);
    expect(await readdir(world.dir)).toContain('said-goodbye');
    expect(await readdir(world.base)).toEqual([]);
    expect(await processStart(keeper.pid)).not.toBe(keeper.start);
    expect(await processStart(child?.pid ?? 0)).not.toBe(child?.start);
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
  });

  it.skipIf(!canMakeReadOnly)(
    'ends it also where nothing can be removed, and says what is left',
    async () => {
      const world = await makeWorld();
      await startReady(world, 'api', `console.log('ready'); ${forever}`);
      const { keeper, child } = world.stateOf('api');
      const makeWritable = makeReadOnly(world.base);
      const [end] = await world.remove();
      expect(end).toMatchObject({
        removed: false,
        error: {
          code: 'CLEANUP_FAILED',
          message: expect.stringMatching(
            /it has ended, but what is kept of it in .* could not be removed: E/,
          ),
        },
      });
      expect(await processStart(keeper.pid)).not.toBe(keeper.start);
      expect(await processStart(child?.pid ?? 0)).not.toBe(child?.start);
      expect(await world.inspect('api')).toMatchObject({ status: 'exited' });
      makeWritable();
      expect(await world.remove()).toMatchObject([{ removed: true }]);
      expect(await readdir(world.base)).toEqual([]);
    },
  );

  it('ends everything that the process has started', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', tree);
    const group = world.stateOf('api').child?.pid ?? 0;
    await until(() => membersOf(group).length >= 4);
    expect(await world.remove()).toMatchObject([{ removed: true }]);
    expect(membersOf(group)).toEqual([]);
  });

  it('gives those that the process has started the time to end, also when it is quicker itself', async () => {
    const world = await makeWorld();
    const file = join(world.dir, 'slow-goodbye');
    const slow = `process.on('SIGTERM', () => setTimeout(() => { require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); process.exit(); }, 300)); console.log('ready'); ${forever}`;
    await world.start(
      service('api', { command: ['/bin/sh', '-c', `"$0" -e "$1" & wait`, process.execPath, slow] }),
    );
    await hasSaid(world, 'api', 'ready');
    await world.remove();
    expect(await readdir(world.dir)).toContain('slow-goodbye');
  });

  it('kills one that does not listen when its time is over', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', stubborn);
    const { child } = world.stateOf('api');
    expect(await world.remove(200)).toMatchObject([{ removed: true }]);
    expect(await processStart(child?.pid ?? 0)).not.toBe(child?.start);
  });

  it('kills one whose keeper hangs', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', stubborn);
    const { keeper, child } = world.stateOf('api');
    process.kill(keeper.pid, 'SIGSTOP');
    expect(await world.remove(50)).toMatchObject([{ removed: true }]);
    expect(await processStart(child?.pid ?? 0)).not.toBe(child?.start);
    expect(await processStart(keeper.pid)).not.toBe(keeper.start);
  });

  it('ends what is left of a group whose leader and keeper are gone', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', tree);
    const { keeper, child } = world.stateOf('api');
    const group = child?.pid ?? 0;
    await until(() => membersOf(group).length >= 4);
    process.kill(keeper.pid, 'SIGKILL');
    process.kill(group, 'SIGKILL');
    await until(async () => (await processStart(group)) === undefined);
    expect(membersOf(group).length).toBeGreaterThan(0);
    expect(await world.remove(50)).toMatchObject([{ removed: true }]);
    expect(membersOf(group)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'ends daemons that have left its group, wherever they went',
    async () => {
      const world = await makeWorld();
      const other = await makeWorld();
      const polite = join(world.dir, 'daemon-goodbye');
      const daemon = `process.on('SIGTERM', () => { require('node:fs').writeFileSync(process.argv[1], ''); process.exit(0); }); console.log(process.pid); ${forever}`;
      const stubbornDaemon = `process.on('SIGTERM', () => {}); console.log(process.pid); ${forever}`;
      const script = 'setsid "$0" -e "$1" "$3" & setsid "$0" -e "$2" & wait';
      const command = ['/bin/sh', '-c', script, process.execPath, daemon, stubbornDaemon];
      await world.start(service('api', { command: [...command, polite] }));
      await other.start(service('api', { command: [...command, join(other.dir, 'unused')] }));
      const pids = async ({ runtime, run, signal }: World) => {
        const lines: number[] = [];
        for await (const { text } of runtime.logs(run, { services: ['api'], follow: true }, signal)) {
          if (lines.push(Number(text)) === 2) break;
        }
        return lines;
      };
      const [ours, theirs] = await Promise.all([pids(world), pids(other)]);
      const group = world.stateOf('api').child?.pid ?? 0;
      expect(membersOf(group)).not.toEqual(expect.arrayContaining(ours));
      expect(await world.remove(500)).toMatchObject([{ removed: true }]);
      expect(await Promise.all(ours.map((pid) => processStart(pid)))).toEqual([undefined, undefined]);
      expect(await readdir(world.dir)).toContain('daemon-goodbye');
      // The same run and service of another store.
      expect(await Promise.all(theirs.map((pid) => processStart(pid)))).not.toContain(undefined);
    },
  );

  it('is done when it was removed before', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: ['true'] }));
    const listed = await world.runtime.resources({ project: 'shop' }, world.signal);
    await world.remove();
    expect(await world.runtime.remove(listed, { graceMs: 0, signal: world.signal })).toMatchObject([
      { removed: true },
    ]);
  });

  it('stops waiting when it is cancelled, and says that the process is still there', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', stubborn);
    const listed = await world.runtime.resources({ project: 'shop' }, world.signal);
    const controller = new AbortController();
    const removed = world.runtime.remove(listed, { graceMs: 60_000, signal: controller.signal });
    // It was asked to end, and has said no.
    await hasSaid(world, 'api', 'no');
    controller.abort();
    expect(await removed).toMatchObject([
      { removed: false, error: { code: 'CLEANUP_FAILED', details: { id: 'run-1/api', type: 'process' } } },
    ]);
    expect(await world.inspect('api')).toMatchObject({ status: 'running' });
  });

  it('starts and removes twenty at once', async () => {
    const world = await makeWorld();
    const names = Array.from({ length: 20 }, (_, index) => `api-${index}`);
    await world.start(...names.map((name) => service(name, { command: ['sleep', '1000'] })));
    const states = await world.runtime.inspect(world.run, names, world.signal);
    expect(states.map(({ status }) => status)).toEqual(names.map(() => 'running'));
    const groups = names.map((name) => world.stateOf(name).child?.pid ?? 0);
    const results = await world.remove();
    expect(results.filter(({ removed }) => removed)).toHaveLength(20);
    expect(groups.flatMap((group) => membersOf(group))).toEqual([]);
    expect(await readdir(world.base)).toEqual([]);
  });
});

describe('a process that is not provably ours', () => {
  it('gets no signal when its number was noted with another start', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: ['true'] }));
    await world.ended('api');
    const stranger = await strangeProcess();
    const state = world.stateOf('api');
    process.kill(state.keeper.pid, 'SIGKILL');
    const forged = { pid: stranger, start: 'another boot/1' };
    await writeFile(
      statePath(world.records.folderOf('run-1', 'api')),
      JSON.stringify({ ...state, phase: 'running', keeper: forged, child: forged }),
    );
    expect(await world.inspect('api')).toMatchObject({ status: 'exited' });
    expect(await world.remove(100)).toMatchObject([{ removed: true }]);
    expect(await processStart(stranger)).toBeDefined();
  });

  it('is left alone on another machine', async () => {
    const world = await makeWorld();
    await startReady(world, 'api', forever.replace('set', "console.log('ready'); set"));
    const record = await world.records.find('run-1', 'api');
    if (!record) throw new Error('there is no record');
    await world.records.save({ ...record, host: 'elsewhere' });
    expect(await world.remove(0)).toMatchObject([
      { removed: false, error: { details: { reason: 'it runs on elsewhere' } } },
    ]);
    expect(await processStart(world.stateOf('api').child?.pid ?? 0)).toBeDefined();
    await world.records.save(record);
  });

  it('is left alone when the resource is of another project, store or runtime', async () => {
    const world = await makeWorld();
    await world.start(service('api', { command: ['sleep', '1000'] }));
    const [own] = await world.runtime.resources({ project: 'shop' }, world.signal);
    if (!own) throw new Error('there is no resource');
    const others = [
      { ...own, project: 'other' },
      { ...own, store: 'other' },
      { ...own, runtime: 'docker' },
    ];
    const results = await world.runtime.remove(others, { graceMs: 0, signal: world.signal });
    expect(results.map(({ removed }) => removed)).toEqual([false, false, false]);
    expect(await world.inspect('api')).toMatchObject({ status: 'running' });
  });
});

async function strangeProcess(): Promise<number> {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

async function startReady(world: World, name: string, script: string): Promise<void> {
  await world.start(service(name, { command: node(script) }));
  await hasSaid(world, name, 'ready');
}

async function hasSaid({ runtime, run, signal }: World, name: string, words: string): Promise<void> {
  for await (const { text } of runtime.logs(run, { services: [name], follow: true }, signal)) {
    if (text === words) return;
  }
}
