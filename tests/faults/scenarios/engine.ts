import { expect } from 'vitest';
import { duringTests } from '../faults/break-during-tests.js';
import type { engineFaults } from '../faults/break-engine.js';
import { container, read } from '../projects/container.js';
import { soon, suite } from '../projects/suite.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { World } from '../world/world.js';

const services = { web: container('web') };
const idle = { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'] };

/** A short patience with the engine, so that nobody has to wait long here. */
const impatient = [
  ['@argusai/plugin-docker', { timeout: '1s' }],
  ...['process', 'disk', 'ports', 'network', 'orphans'].map((name) => `@argusai/plugin-${name}`),
];

const unavailable = (reason: string): Expectation => ({
  code: 'DOCKER_UNAVAILABLE',
  category: 'infrastructure',
  severity: 'fatal',
  details: ({ host }) => ({ reason, endpoint: host }),
});

/** Nothing was begun: not even what needs no engine runs. */
async function nothingRuns(world: World): Promise<void> {
  expect(await world.processes()).toEqual([]);
}

async function answers(world: World): Promise<void> {
  expect(await read(world, 'web')).toBe('web');
}

/** The engine is gone, hangs, or has been away. */
export function engineScenarios(faults: ReturnType<typeof engineFaults>): readonly Scenario[] {
  return [
    {
      name: 'the daemon is stopped',
      config: () => ({ services: { ...services, local: idle } }),
      fault: faults.stopped,
      commands: [['check'], ['setup']],
      detected: unavailable('not-running'),
      recoverable: false,
      verify: nothingRuns,
      // A setup asks the engine before it begins anything, whether it checks or not.
      without: 'works',
      agent: { goals: [['setup']] },
    },
    {
      name: 'the daemon hangs',
      config: () => ({ plugins: impatient, services: { ...services, local: idle } }),
      fault: faults.hung,
      commands: [['check'], ['setup']],
      detected: unavailable('hung'),
      recoverable: false,
      verify: nothingRuns,
      // A setup asks the engine before it begins anything, whether it checks or not.
      without: 'works',
      agent: { pointless: 'as when it is stopped' },
    },
    {
      name: 'the daemon was away for long',
      config: () => ({ services, resilience: { circuitBreaker: { resetTimeoutMs: 600_000 } } }),
      fault: faults.stoppedForLong,
      commands: [['check'], ['reset-circuit', 'docker'], ['setup']],
      detected: {
        code: 'CIRCUIT_OPEN',
        category: 'infrastructure',
        severity: 'fatal',
        details: () => ({ circuit: 'docker', failureCount: 5, lastError: expect.any(String) }),
      },
      recoverable: true,
      verify: answers,
      without: { pointless: 'a circuit that is never opened is not in the way' },
      agent: { goals: [['setup']] },
    },
    {
      name: 'the daemon dies in the middle of a setup',
      config: () => ({
        services: { ...services, web: container('web', { dependsOn: ['local'] }), local: idle },
      }),
      fault: faults.stoppedInSetup,
      commands: [['reset-circuit', 'docker'], ['setup']],
      detected: unavailable('not-running'),
      recoverable: true,
      async verify(world) {
        await answers(world);
        // The engine has nothing but one container and its network; one process runs, and what keeps it.
        expect(await world.resources()).toHaveLength(2);
        expect(await world.processes()).toHaveLength(2);
      },
      without: 'fails',
      agent: { goals: [['setup']] },
    },
    {
      name: 'the daemon is restarted while tests run',
      config: (world) => ({
        services,
        tests: {
          suites: [
            suite(world, `docker exec $(docker ps -q -f label=argusai.project=${world.name}) true`),
            // It begins when nobody is bringing anything back, so that it is known by then what came of the restart.
            { id: 'after', command: 'true' },
          ],
        },
        resilience: { container: soon },
      }),
      fault: duringTests('restarts the engine', faults.restarted.break),
      commands: [],
      detected: {
        code: 'CONTAINER_CRASH',
        category: 'container',
        severity: 'recoverable',
        details: () => ({ service: 'web', exitCode: expect.any(Number) }),
      },
      recoverable: true,
      async verify(world, answers) {
        expect(answers.at(-1)?.data).toMatchObject({
          suites: [{ outcome: 'passed' }, { outcome: 'passed' }],
          incidents: [{ service: 'web', restarts: [{ attempt: 1, verdict: 'healthy' }] }],
        });
        expect(await world.resources()).toEqual([]);
      },
      without: 'fails',
      agent: { pointless: 'the guardian deals with it before anyone is asked' },
    },
    {
      name: 'the daemon was restarted and nobody guards',
      config: () => ({ services }),
      async before(world) {
        expect(await world.argus('setup')).toMatchObject({ code: 0 });
      },
      fault: faults.restarted,
      commands: [['check'], ['setup']],
      detected: {
        code: 'CONTAINER_CRASH',
        category: 'container',
        severity: 'recoverable',
        details: () => ({ service: 'web', exitCode: expect.any(Number) }),
      },
      recoverable: true,
      verify: answers,
      without: { pointless: 'a setup starts it again' },
      agent: { goals: [['check']] },
    },
  ];
}
