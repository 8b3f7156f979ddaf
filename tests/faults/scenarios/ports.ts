import { expect } from 'vitest';
import { isHeld, takePort, takePortInTime } from '../faults/take-port.js';
import { ask, pluginsAndHolder, server } from '../projects/server.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

const conflict: Expectation = {
  code: 'PORT_CONFLICT',
  category: 'network',
  severity: 'recoverable',
  details: ({ port }) => ({ service: 'web', port, protocol: 'tcp', pid: expect.any(Number) }),
};

/** The service answers on the port that argus says, and whoever took its port still has it. */
async function verify(world: World, answers: readonly Answer[]): Promise<void> {
  const { data } = answers.at(-1) ?? {};
  const { actualPort = 0, reassigned } = data?.portMappings.find(({ service }) => service === 'web') ?? {};
  expect([reassigned, actualPort === world.port]).toEqual([true, false]);
  expect((await ask(actualPort)).env.PORT).toBe(String(actualPort));
  expect(await isHeld(world)).toBe(true);
}

/** Somebody else has a port. */
export const portScenarios: readonly Scenario[] = [
  {
    name: 'a port is taken before the setup',
    config: (world) => ({ services: { web: server(world) } }),
    fault: takePort,
    commands: [['check'], ['setup']],
    detected: conflict,
    recoverable: true,
    verify,
    without: 'fails',
    agent: { goals: [['setup']] },
  },
  {
    name: 'a port is taken between the check and the start',
    config: (world) => ({ plugins: pluginsAndHolder, services: { web: server(world) } }),
    fault: takePortInTime,
    commands: [],
    // The setup that meets it gets over it.
    detected: {
      event: 'port_conflict',
      data: ({ port }) => ({ service: 'web', port, pid: expect.any(Number) }),
    },
    recoverable: true,
    verify,
    without: 'fails',
    agent: { pointless: 'nobody hears of it before it is over' },
  },
];
