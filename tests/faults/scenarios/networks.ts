import { expect } from 'vitest';
import { forgetName, moveToOtherNetwork } from '../faults/misplace.js';
import { container } from '../projects/container.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const common = {
  config: () => ({ services: { web: container('web', { dependsOn: ['db'] }), db: container('db') } }),
  async before(world: World) {
    expect(await world.argus('setup')).toMatchObject({ code: 0 });
    await reaches(world);
  },
  commands: [['check'], ['setup']],
  recoverable: true,
  verify: reaches,
  without: 'fails',
  agent: { goals: [['check']] },
} as const;

/** One reaches the other by its name. */
async function reaches(world: World): Promise<void> {
  const { web = '' } = await world.containers();
  const answer = await world.docker('exec', web, 'timeout', '5', 'wget', '-q', '-O', '-', 'http://db/');
  expect(answer).toBe('db');
}

/** Containers do not find each other any more. */
export const networkScenarios: readonly Scenario[] = [
  {
    name: 'a container is on the wrong network',
    fault: moveToOtherNetwork('db'),
    detected: {
      ...{ code: 'NETWORK_UNREACHABLE', category: 'network', severity: 'recoverable' },
      details: ({ name }) => ({
        ...{ source: 'db', reason: 'not-connected', target: expect.stringContaining(name) },
        topology: expect.arrayContaining([{ network: `${name}-elsewhere`, containers: ['db'] }]),
      }),
    },
    ...common,
  },
  {
    name: 'the name of a container is missing',
    fault: forgetName('db'),
    detected: {
      ...{ code: 'DNS_RESOLUTION_FAILED', category: 'network', severity: 'recoverable' },
      details: ({ name }) => ({
        ...{ host: 'db', network: expect.stringContaining(name) },
        containers: expect.arrayContaining([expect.stringContaining('db'), expect.stringContaining('web')]),
      }),
    },
    ...common,
  },
];
