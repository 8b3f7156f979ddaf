import { expect } from 'vitest';
import { corruptStore } from '../faults/corrupt-store.js';
import { ask, server } from '../projects/server.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const corrupt: Expectation = {
  code: 'STORE_CORRUPT',
  category: 'system',
  severity: 'warning',
  details: ({ state }) => ({
    store: expect.stringContaining(state),
    movedTo: expect.stringContaining('.corrupt-'),
  }),
};

const config = (world: World) => ({ services: { web: server(world) } });
const pids = new Map<World, number>();

/** What argus remembers is lost. */
export const stateScenarios: readonly Scenario[] = [
  {
    name: 'the state file is damaged while nothing is up',
    config,
    async before(world) {
      await world.argus('setup');
      await world.argus('clean');
    },
    fault: corruptStore,
    commands: [['setup']],
    detected: corrupt,
    recoverable: true,
    async verify(world) {
      expect((await ask(world.port)).env.PORT).toBe(String(world.port));
      expect(await world.argus('status')).toMatchObject({ code: 0, data: { run: { alive: true } } });
    },
    without: { pointless: 'the store looks after itself' },
    agent: { goals: [['setup']] },
  },
  {
    name: 'the state file is damaged while an environment is up',
    config,
    async before(world) {
      await world.argus('setup');
      pids.set(world, (await ask(world.port)).pid);
    },
    fault: corruptStore,
    commands: [['check'], ['setup']],
    detected: corrupt,
    recoverable: true,
    /** Nobody knows any more whose the old one is, so it stays, and the new one has another port. */
    async verify(world, answers) {
      expect((await ask(world.port)).pid).toBe(pids.get(world));
      const [{ actualPort = 0 } = {}] = answers.at(-1)?.data?.portMappings ?? [];
      expect((await ask(actualPort)).env.PORT).toBe(String(actualPort));
      expect(actualPort).not.toBe(world.port);
    },
    without: 'fails',
    agent: { goals: [['setup']] },
  },
];
