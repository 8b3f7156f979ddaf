import { expect } from 'vitest';
import { duringTests } from '../faults/break-during-tests.js';
import { forgetName, moveToOtherNetwork, takeOffNetwork } from '../faults/misplace.js';
import { container } from '../projects/container.js';
import { soon, suite } from '../projects/suite.js';
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

const needy = { interval: '100ms', timeout: '5s', retries: 3, startPeriod: '30s' };

/** One is well only as long as it reaches the other. */
const needsOther = { ...needy, command: 'timeout 2 wget -q -O - http://db/', startPeriod: '1s' };

/** Containers do not find each other any more. */
export const networkScenarios: readonly Scenario[] = [
  {
    name: 'a container is on the wrong network',
    fault: moveToOtherNetwork('db'),
    detected: {
      code: 'NETWORK_UNREACHABLE',
      category: 'network',
      severity: 'recoverable',
      details: ({ name }) => ({
        source: 'db',
        reason: 'not-connected',
        target: expect.stringContaining(name),
        topology: expect.arrayContaining([{ network: `${name}-elsewhere`, containers: ['db'] }]),
      }),
    },
    ...common,
  },
  {
    name: 'the name of a container is missing',
    fault: forgetName('db'),
    detected: {
      code: 'DNS_RESOLUTION_FAILED',
      category: 'network',
      severity: 'recoverable',
      details: ({ name }) => ({
        host: 'db',
        network: expect.stringContaining(name),
        containers: expect.arrayContaining([expect.stringContaining('db'), expect.stringContaining('web')]),
      }),
    },
    ...common,
  },
  {
    name: 'a container that is well only with its network has lost it',
    ...common,
    config: () => ({
      services: {
        web: container('web', { dependsOn: ['db'], healthcheck: needsOther }),
        db: container('db'),
      },
    }),
    fault: takeOffNetwork('web'),
    detected: {
      code: 'NETWORK_UNREACHABLE',
      category: 'network',
      severity: 'recoverable',
      details: ({ name }) => ({
        source: 'web',
        reason: 'not-connected',
        target: expect.stringContaining(name),
      }),
    },
    agent: { goals: [['setup'], ['check']] },
  },
  {
    name: 'a container loses its network while tests run',
    config: (world) => ({
      services: {
        web: container('web', { ports: [`${world.port}:80`], healthcheck: { ...needy, http: '/' } }),
      },
      tests: { suites: [suite(world, `http://127.0.0.1:${world.port}/`)] },
      resilience: { container: soon },
    }),
    fault: duringTests('takes a container off its network', (world) => takeOffNetwork('web').break(world)),
    commands: [],
    detected: {
      code: 'HEALTH_CHECK_TIMEOUT',
      category: 'container',
      severity: 'recoverable',
      details: () => ({
        service: 'web',
        diagnosis: { network: { connectivity: [], topology: [] }, dns: [] },
      }),
    },
    recoverable: true,
    async verify(world, answers) {
      const { suites, incidents } = answers.at(-1)?.data ?? {};
      expect(suites).toMatchObject([
        { outcome: 'passed', restarts: [{ service: 'web', verdict: 'healthy' }] },
      ]);
      const repaired = ['web: connected to its network again'];
      expect(incidents).toMatchObject([{ restarts: [{ verdict: 'healthy', repaired }] }]);
      expect(await world.resources()).toEqual([]);
    },
    without: 'fails',
    agent: { pointless: 'the guardian deals with it before anyone is asked' },
  },
];
