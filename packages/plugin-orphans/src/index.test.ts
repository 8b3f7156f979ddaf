import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@argusai/core';
import { describePlugin } from '@argusai/core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LabelledRuntime } from './fixtures/labelled-runtime.js';
import { leave, recordOf, remember, rig } from './fixtures/rig.js';
import { bringing } from './fixtures/runtime-plugin.js';
import orphans from './index.js';

let docker: LabelledRuntime;
let processes: LabelledRuntime;

/** Brings about two runtimes with what one dead and one live run of the project have. */
async function aDeadRun(mood: LabelledRuntime['mood'] = 'well') {
  docker = new LabelledRuntime('docker');
  processes = new LabelledRuntime('process');
  const store = createMemoryStore({ id: 'mine' });
  const dead = await remember(store, recordOf('r1', { leaseUntil: 0 }));
  const live = await remember(store, recordOf('r2'));
  for (const run of [dead, live, recordOf('r3', { store: 'theirs' })]) {
    for (const type of ['container', 'network', 'volume'] as const) leave(docker, type, run);
    leave(processes, 'process', run, { name: 'api' });
  }
  docker.mood = mood;
  processes.mood = mood;
  return { store, plugins: [bringing(docker), bringing(processes)] };
}

const observe = () => [...docker.things.keys(), ...processes.things.keys()];

describePlugin(orphans, {
  options: { maxAge: '1d' },
  // Less than the slow runtimes take, so that whoever does not listen to the signal is found out.
  patienceMs: 500,
  scenarios: [
    { name: 'what a dead run left', prepare: () => aDeadRun(), observe, repairedBy: 'orphans.clean' },
    { name: 'runtimes that are down', prepare: () => aDeadRun('down'), observe },
    { name: 'runtimes that take their time', prepare: () => aDeadRun('slow'), observe },
  ],
});

describe('the orphans plugin', () => {
  it('registers what it has', () => {
    const { kernel } = rig();
    expect(kernel.checkers.names()).toEqual(['orphans.docker', 'orphans.processes']);
    expect(kernel.recoverers.names()).toEqual(['orphans.clean']);
    expect(kernel.operations.has('clean-foreign')).toBe(true);
    expect(kernel.errorCodes.has('ORPHAN_DETECTED')).toBe(true);
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const { kernel } = rig();
    const names = [...kernel.checkers.names(), ...kernel.recoverers.names(), 'clean-foreign', 'maxAge'];
    for (const name of [...names, 'ORPHAN_DETECTED', 'CLEANUP_FAILED'])
      expect(readme).toContain(`\`${name}\``);

    const folder = await mkdtemp(join(tmpdir(), 'argus-orphans-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = join(folder, 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    onTestFinished(() => log.mockRestore());
    await import(program);
    expect(log.mock.calls).toEqual([
      ['orphans.docker', 'skipped'],
      ['orphans.processes', 'skipped'],
      [0, 'things to remove'],
    ]);
  });
});
