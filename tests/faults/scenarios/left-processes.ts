import { expect } from 'vitest';
import { leaveBehind } from '../faults/leave-behind.js';
import { ask, pluginsAndHolder, server } from '../projects/server.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const leftBehind: Expectation = {
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  details: ({ name }) => ({
    type: 'process',
    service: 'web',
    project: name,
    runtime: 'process',
    name: 'web',
    createdAt: expect.any(String),
    runId: expect.any(String),
    why: expect.stringContaining('died'),
  }),
};

const agent = { goals: [['check', '--fail-on', 'warn'], ['setup']] };

/** The service has its own port, which the one that was left behind had. */
async function hasItsPort(world: World): Promise<void> {
  expect((await ask(world.port)).env.SIGNS).toBe(world.dir);
}

/** Where the service of a live run says who it is. */
const livePids = new Map<World, number>();

/** Runs of other folders of the project left processes behind, or are alive. */
export const leftProcessScenarios: readonly Scenario[] = [
  {
    name: 'a killed run left processes behind, on our port',
    config: (world) => ({ services: { web: server(world) } }),
    fault: leaveBehind((other, { port }) => ({
      plugins: pluginsAndHolder,
      services: { web: server({ ...other, port }) },
    })),
    commands: [['check'], ['setup']],
    detected: leftBehind,
    recoverable: true,
    async verify(world) {
      await hasItsPort(world);
      expect(await world.processes()).toHaveLength(2);
    },
    without: 'fails',
    agent,
  },
  {
    name: 'a killed run lies beside a live one',
    config: (world) => ({ services: { web: server(world) } }),
    async before(world) {
      const live = await world.sibling();
      await live.configure({ services: { web: server({ ...live, port: world.port + 1 }) } });
      expect(await live.argus('setup')).toMatchObject({ code: 0 });
      livePids.set(world, (await ask(world.port + 1)).pid);
    },
    fault: leaveBehind((other, { port }) => ({
      plugins: pluginsAndHolder,
      services: { web: server({ ...other, port }) },
    })),
    commands: [['check', '--auto-fix'], ['setup']],
    detected: leftBehind,
    recoverable: true,
    async verify(world) {
      await hasItsPort(world);
      expect((await ask(world.port + 1)).pid).toBe(livePids.get(world));
      expect(await world.processes()).toHaveLength(4);
    },
    without: { pointless: 'as without the live one' },
    agent,
  },
];
