import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { forever, node, service } from '../fixtures/service.js';
import { tempFolder } from '../fixtures/temp-folder.js';
import { makeWorld, until, type World } from '../fixtures/world.js';
import { membersOf } from '../programs/process-table.mjs';
import { lives } from '../records/sighting.js';

const starter = fileURLToPath(new URL('../fixtures/starter.mjs', import.meta.url));

describe('a process whose starter has gone', () => {
  it('goes on, and what it says and how it ends is known to the next who looks', async () => {
    const world = await makeWorld();
    const script = `setInterval(() => {
      if (!require('node:fs').existsSync('go-on')) return;
      console.log('still here');
      process.exit(9);
    }, 20)`;
    const { child, go } = start(world, 'api', 'end', node(script));
    await go();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await world.inspect('api')).toMatchObject({ status: 'running', spec: 'spec' });
    await writeFile(join(world.dir, 'go-on'), '');
    await world.ended('api');
    expect(await world.inspect('api')).toMatchObject({ exitCode: 9 });
    const lines: string[] = [];
    const query = { services: ['api'], follow: false };
    for await (const { text } of world.runtime.logs(world.run, query, world.signal)) lines.push(text);
    expect(lines).toEqual(['still here']);
  });

  it('goes on when the starter and its whole group were killed', async () => {
    const world = await makeWorld();
    const { child, said, go } = start(world, 'api', 'hang', node(forever));
    await go();
    await said('started');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');
    expect(await world.inspect('api')).toMatchObject({ status: 'running', details: { kept: true } });
    expect(await world.remove()).toMatchObject([{ removed: true }]);
    expect(await world.inspect('api')).toEqual({ service: 'api', status: 'missing' });
  });

  it('can be found and removed whenever the starter was killed', async () => {
    const world = await makeWorld();
    const mark = `--mark-${process.pid}-${Date.now()}`;
    const starters = [0, 5, 10, 20, 30, 40, 60, 90].map((delayMs) => ({
      delayMs,
      ...start(world, `api-${delayMs}`, 'hang', node(forever, '--', mark)),
    }));
    await Promise.all(starters.map(({ said }) => said('ready')));
    for (const { delayMs, child, go } of starters) {
      await go();
      await setTimeout(delayMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const results = await world.remove(1_000);
    expect(results.filter(({ removed }) => !removed)).toEqual([]);
    // One that was only just beginning finds that it is no longer wanted.
    await until(async () => (await commandsWith(mark)).length === 0);
    await until(async () => (await commandsWith(world.base)).length === 0);
    expect(await world.runtime.resources({ project: 'shop' }, world.signal)).toEqual([]);
    // A starter that was killed with all it remembered may leave an empty folder, but nothing in it.
    const left = await readdir(world.base, { recursive: true });
    expect(left.filter((name) => name.endsWith('.json') || name.endsWith('.log'))).toEqual([]);
  });
});

describe('the keeper of a run', () => {
  it('is one for all that is started in it, by whomever, and ends with the last', async () => {
    const world = await makeWorld();
    const { child, go } = start(world, 'other', 'end', node(forever));
    await go();
    await once(child, 'exit');
    const names = ['a', 'b', 'c', 'd'];
    await world.start(...names.map((name) => service(name, { command: node(forever) })));
    const { keeper } = world.stateOf('other');
    expect(names.map((name) => world.stateOf(name).keeper)).toEqual(names.map(() => keeper));
    const all = await world.runtime.resources({ project: 'shop' }, world.signal);
    const [last, ...first] = all;
    await world.runtime.remove(first, { graceMs: 5_000, signal: world.signal });
    expect(await lives(keeper)).toBe(true);
    expect((await world.inspect(last?.name ?? '')).status).toBe('running');
    await world.remove();
    expect(await lives(keeper)).toBe(false);
    expect(await readdir(world.base)).toEqual([]);
  });

  it('is found however long the path to it is', async () => {
    const folder = join(await tempFolder(), 'x'.repeat(120));
    await mkdir(folder);
    const world = await makeWorld(undefined, 'shop', folder);
    await world.start(service('a', { command: node(forever) }), service('b', { command: node(forever) }));
    expect(world.stateOf('a').keeper).toEqual(world.stateOf('b').keeper);
    expect(await world.remove()).toMatchObject([{ removed: true }, { removed: true }]);
  });

  it('goes on without a service whose folder is gone, which then ends', async () => {
    const world = await makeWorld();
    await world.start(service('a', { command: node(forever) }), service('b', { command: node(forever) }));
    const { keeper, child } = world.stateOf('a');
    await rm(world.records.folderOf('run-1', 'a'), { recursive: true });
    process.kill(child?.pid ?? 0, 'SIGKILL');
    await until(async () => !(await lives(child)));
    expect(await world.inspect('b')).toMatchObject({ status: 'running', details: { kept: true } });
    expect(world.stateOf('b').keeper).toEqual(keeper);
  });

  it('ends all politely when it is told to end', async () => {
    const world = await makeWorld();
    const polite = `process.on('SIGTERM', () => process.exit(3)); console.log('ready'); ${forever}`;
    await world.start(service('a', { command: node(polite) }), service('b', { command: node(polite) }));
    await until(async () => (await linesOf(world, 'a', 'b')).length === 2);
    process.kill(world.stateOf('a').keeper.pid, 'SIGTERM');
    await Promise.all([world.ended('a'), world.ended('b')]);
    expect(await world.inspect('a')).toMatchObject({ exitCode: 3 });
    expect(await world.inspect('b')).toMatchObject({ exitCode: 3 });
  });

  it('that hangs keeps nobody from ending or starting one of its services, and is left to the others', async () => {
    const world = await makeWorld();
    const api = service('api', { command: node(forever) });
    await world.start(api, service('other', { command: node(forever) }));
    const { keeper, child } = world.stateOf('api');
    process.kill(keeper.pid, 'SIGSTOP');
    await world.runtime.stop(world.run, ['api'], { graceMs: 50, signal: world.signal });
    expect(await lives(child)).toBe(false);
    await world.runtime.start(api, 'another spec', world.context());
    const next = world.stateOf('api');
    expect(next.keeper.pid).not.toBe(keeper.pid);
    process.kill(keeper.pid, 'SIGCONT');
    process.kill(world.stateOf('other').child?.pid ?? 0, 'SIGKILL');
    await world.ended('other');
    // It has noticed by then that the first is not its own any more.
    expect(world.stateOf('api')).toEqual(next);
    expect(await world.inspect('api')).toMatchObject({ status: 'running', details: { kept: true } });
  });
});

describe('a process whose keeper was killed', () => {
  it('is seen as running without a keeper, and is removed with its whole group', async () => {
    const world = await makeWorld();
    const { child, go } = start(world, 'api', 'end', node(forever));
    await go();
    await once(child, 'exit');
    const { keeper, child: kept } = world.stateOf('api');
    process.kill(keeper.pid, 'SIGKILL');
    await until(async () => (await world.inspect('api')).details?.kept === false);
    expect(await world.inspect('api')).toMatchObject({ status: 'running' });
    expect(await world.remove()).toMatchObject([{ removed: true }]);
    expect(membersOf(kept?.pid ?? 0)).toEqual([]);
  });

  it('is started anew with the others, by one keeper again', async () => {
    const world = await makeWorld();
    const services = ['a', 'b'].map((name) => service(name, { command: node(forever) }));
    await world.start(...services);
    const { keeper } = world.stateOf('a');
    process.kill(keeper.pid, 'SIGKILL');
    await until(async () => !(await lives(keeper)));
    await world.runtime.stop(world.run, ['a', 'b'], { graceMs: 1_000, signal: world.signal });
    await world.start(...services);
    expect(world.stateOf('a').keeper).toEqual(world.stateOf('b').keeper);
    expect(world.stateOf('a').keeper).not.toEqual(keeper);
    expect(await world.inspect('a')).toMatchObject({ status: 'running', details: { kept: true } });
    expect(await world.remove()).toMatchObject([{ removed: true }, { removed: true }]);
    expect(await readdir(world.base)).toEqual([]);
  });
});

function start({ base, dir }: World, name: string, then: 'hang' | 'end', command: string[]) {
  const child = spawn(process.execPath, [starter, base, dir, name, then, ...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const heard = new Set<string>();
  lines.on('line', (line) => heard.add(line));
  const said = (line: string) => until(() => heard.has(line));
  const go = async () => {
    await said('ready');
    child.stdin.write('go');
  };
  return { child, said, go };
}

async function linesOf({ runtime, run, signal }: World, ...services: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of runtime.logs(run, { services, follow: false }, signal)) lines.push(text);
  return lines;
}

/** The processes that have a word among their arguments. */
async function commandsWith(word: string): Promise<string[]> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 1e8 });
  return stdout.split('\n').filter((line) => line.includes(word));
}
