import { expect } from 'vitest';
import { killArgus, type Moment } from '../faults/kill-argus.js';
import { ask, pluginsAndHolder, server } from '../projects/server.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const leftBehind: Expectation = {
  ...{ code: 'ORPHAN_DETECTED', category: 'infrastructure', severity: 'warning' },
  details: ({ name, dir }) => ({
    ...{ type: 'process', service: 'db', project: name, worktree: dir, runtime: 'process' },
    why: expect.stringContaining('died while starting'),
  }),
};

/** The moments, and whether something is left behind by then. */
const moments: readonly [Moment, boolean][] = [
  ['gate', false],
  ['resolve', false],
  ['start', false],
  ['waiting', true],
  ['verify', true],
];

/** Both services answer, and nothing else is there: each has one that keeps it. */
async function verify(world: World): Promise<void> {
  expect((await ask(world.port + 1)).env.ARGUS_PORT_DB).toBe(String(world.port));
  expect((await ask(world.port)).env.PORT).toBe(String(world.port));
  expect(await world.processes()).toHaveLength(4);
}

/** Argus itself is killed, at every stage of a setup. */
export const argusKilledScenarios: readonly Scenario[] = moments.map(([moment, leaves]) => ({
  name: `argus is killed in a setup: ${moment}`,
  config: (world) => ({
    plugins: pluginsAndHolder,
    services: { db: server(world), web: server(world, 1, { dependsOn: ['db'] }) },
  }),
  fault: killArgus(moment),
  commands: leaves ? [['check'], ['setup']] : [['setup']],
  detected: leaves ? leftBehind : { nothing: 'nothing had been started' },
  recoverable: true,
  verify,
  without: moment === 'verify' ? 'fails' : { pointless: 'the last one tells as much' },
  agent:
    moment === 'verify'
      ? { goals: [['check', '--fail-on', 'warn'], ['setup']] }
      : { pointless: 'the last one tells as much' },
}));
