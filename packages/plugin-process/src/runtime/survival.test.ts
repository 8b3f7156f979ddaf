import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { forever, node } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';
import { membersOf } from '../programs/process-table.mjs';

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

/** The processes that have a word among their arguments. */
async function commandsWith(word: string): Promise<string[]> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 1e8 });
  return stdout.split('\n').filter((line) => line.includes(word));
}
