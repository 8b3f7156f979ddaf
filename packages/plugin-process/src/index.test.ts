import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildKernel, describePlugin } from '@argusai/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { forever, node, service } from './fixtures/service.js';
import { storeWith } from './fixtures/store-with.js';
import { tempFolder } from './fixtures/temp-folder.js';
import { makeWorld, type World } from './fixtures/world.js';
import processPlugin from './index.js';
import { options } from './options.js';
import { baseFolder } from './system/base-folder.js';

let world: World;

/** Brings about a world in which some services were started, and something then happened to them. */
function scenario(name: string, happen: () => Promise<void>) {
  return {
    name,
    async prepare() {
      world = await makeWorld({ size: 1_000_000, files: 3 }, 'test');
      await happen();
      return { options: { dir: world.base }, dir: world.dir, store: await storeWith(world) };
    },
    observe: async () =>
      (await world.runtime.inspect(world.run, ['api', 'job'], world.signal)).map(({ status }) => status),
  };
}

describePlugin(processPlugin, {
  scenarios: [
    scenario('a service that runs', () => world.start(service('api', { command: node(forever) }))),
    scenario('a service that has ended', async () => {
      await world.start(
        service('api', { command: ['false'] }),
        service('job', { command: ['true'], oneShot: true }),
      );
      await Promise.all([world.ended('api'), world.ended('job')]);
    }),
    scenario('a keeper that does not answer', async () => {
      await world.start(service('api', { command: node(forever) }));
      const { keeper, child } = world.stateOf('api');
      process.kill(keeper.pid, 'SIGSTOP');
      process.kill(child?.pid ?? 0, 'SIGKILL');
      await world.ended('api');
    }),
  ],
});

describe('the process plugin', () => {
  it('registers its runtime, its checker and its codes', () => {
    const kernel = buildKernel({ plugins: [processPlugin] });
    expect(kernel.runtimes.names()).toEqual(['process']);
    expect(kernel.checkers.names()).toEqual(['process.services']);
    for (const code of ['PROCESS_CRASH_LOOP', 'PROCESS_UNKEPT']) {
      expect(kernel.errorCodes.has(code)).toBe(true);
    }
  });

  it('keeps its files in the folder of the state, unless it is told another', () => {
    const project = { name: 'shop', dir: '/work/shop' };
    const none = { state: {} };
    const inState = { state: { dir: 'state' } };
    expect(baseFolder('kept', none, project, {})).toBe('/work/shop/kept');
    expect(baseFolder(undefined, inState, project, { ARGUS_STATE_DIR: '/s' })).toBe('/s/processes');
    expect(baseFolder(undefined, inState, project, {})).toBe('/work/shop/state/processes');
    expect(baseFolder(undefined, none, project, { XDG_STATE_HOME: '/x' })).toBe('/x/argus/processes');
    expect(baseFolder(undefined, none, project, { HOME: '/h' })).toBe('/h/.local/state/argus/processes');
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const { checkers, errorCodes } = buildKernel({ plugins: [processPlugin] });
    const codes = errorCodes.names().filter((name) => name.startsWith('PROCESS_'));
    for (const name of [...checkers.names(), ...codes, ...Object.keys(options.shape)]) {
      expect(readme).toContain(`\`${name}\``);
    }

    const folder = await tempFolder();
    vi.stubEnv('ARGUS_STATE_DIR', join(folder, 'state'));
    const program = join(folder, 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await import(program);
    expect(log.mock.calls).toEqual([['running'], ['hello from a process'], ['missing']]);
    log.mockRestore();
    vi.unstubAllEnvs();
  });
});
