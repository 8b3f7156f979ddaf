import { expect } from 'vitest';
import { testImage } from '../../support/test-image.js';
import {
  killArgus,
  killBuild,
  killClean,
  killCleanOfContainers,
  killRun,
  type Moment,
} from '../faults/kill-argus.js';
import { container, read } from '../projects/container.js';
import { ask, pluginsAndHolder, server } from '../projects/server.js';
import { suite } from '../projects/suite.js';
import type { Expectation, Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

/** Something of the project that is found after its run has died. */
const left = (type: string, why: string, rest: Readonly<Record<string, unknown>> = {}): Expectation => ({
  code: 'ORPHAN_DETECTED',
  category: 'infrastructure',
  severity: 'warning',
  details: ({ name, dir }) => ({
    type,
    project: name,
    worktree: dir,
    runtime: type === 'process' ? 'process' : 'docker',
    ...rest,
    why: expect.stringContaining(why),
  }),
});

const leftBehind = left('process', 'died while starting', { service: 'db' });

/** The moments, and whether something is left behind by then. */
const moments: readonly [Moment, boolean][] = [
  ['gate', false],
  ['prepare', false],
  ['resolve', false],
  ['start', false],
  ['waiting', true],
  ['verify', true],
];

/** Both services answer, and nothing else is there but the one that keeps them. */
async function verify(world: World): Promise<void> {
  expect((await ask(world.port + 1)).env.ARGUS_PORT_DB).toBe(String(world.port));
  expect((await ask(world.port)).env.PORT).toBe(String(world.port));
  expect(await world.processes()).toHaveLength(3);
}

/** Two processes that need each other. */
const pair = (world: World) => ({ db: server(world), web: server(world, 1, { dependsOn: ['db'] }) });

/** Everything is up. */
async function before(world: World): Promise<void> {
  expect(await world.argus('setup')).toMatchObject({ code: 0 });
}

/** The tests have passed. */
function passed(answers: readonly Answer[]): void {
  expect(answers.at(-1)).toMatchObject({ code: 0, data: { suites: [{ outcome: 'passed' }] } });
}

/** An image that is not built while a file is there. */
const slowImage = `FROM ${testImage}\nCOPY . /src\nRUN test ! -e /src/slow || { echo begun; sleep 600; }\n`;

const enough = { pointless: 'a setup that was killed tells as much' };
const untold = { recoverable: true, without: enough, agent: enough } as const;
const forTests = 'whoever it was set up for has gone';

/** Argus itself is killed, at every stage of a setup. */
const setupScenarios: readonly Scenario[] = moments.map(([moment, leaves]) => ({
  name: `argus is killed in a setup: ${moment}`,
  config: (world) => ({
    plugins: pluginsAndHolder,
    services: pair(world),
  }),
  fault: killArgus(moment),
  commands: leaves ? [['check'], ['setup']] : [['setup']],
  detected: leaves ? leftBehind : { nothing: 'nothing had been started, or it was on its way out' },
  recoverable: true,
  verify,
  without: moment === 'verify' ? 'fails' : { pointless: 'the last one tells as much' },
  agent:
    moment === 'verify'
      ? { goals: [['check', '--fail-on', 'warn'], ['setup']] }
      : { pointless: 'the last one tells as much' },
}));

/** Argus itself is killed, in whatever it does with processes. */
export const argusKilledScenarios: readonly Scenario[] = [
  ...setupScenarios,
  {
    name: 'argus is killed in a clean',
    config: (world) => ({ services: pair(world), environment: { stopTimeout: '60s' } }),
    before,
    fault: killClean,
    commands: [['check'], ['setup']],
    detected: left('process', 'died while stopping', { service: 'db' }),
    verify,
    ...untold,
  },
  {
    name: 'argus is killed while tests run',
    config: (world) => ({
      services: { web: server(world) },
      tests: { suites: [suite(world, `http://127.0.0.1:${world.port}/`)] },
    }),
    fault: killRun,
    commands: [['check'], ['run']],
    detected: left('process', forTests, { service: 'web' }),
    async verify(world, answers) {
      passed(answers);
      expect(await world.processes()).toEqual([]);
    },
    ...untold,
  },
];

/** The same with containers. */
export const argusKilledWithContainersScenarios: readonly Scenario[] = [
  {
    name: 'argus alone is killed in a setup: build',
    config: () => ({ services: { web: container('web', { image: undefined, build: { context: '.' } }) } }),
    before: (world) => world.write('Dockerfile', slowImage),
    fault: killBuild,
    commands: [['setup']],
    detected: {
      event: 'cleanup_resource',
      data: () => ({ type: 'command', name: 'web', action: 'removed' }),
    },
    async verify(world) {
      expect(await read(world, 'web')).toBe('web');
      expect(await world.processes()).toEqual([]);
    },
    ...untold,
  },
  {
    name: 'argus is killed in a clean of containers',
    config: () => ({ services: { web: container('web') } }),
    before,
    fault: killCleanOfContainers,
    commands: [['check'], ['setup']],
    detected: left('network', 'died while stopping'),
    async verify(world, answers) {
      expect(await read(world, 'web')).toBe('web');
      const runId = answers.at(-1)?.data?.runId ?? 'none';
      expect((await world.resources()).filter((name) => !name.includes(runId))).toEqual([]);
    },
    ...untold,
  },
  {
    name: 'argus is killed while tests run with containers',
    config: (world) => ({
      services: { web: container('web', { ports: [`${world.port}:80`] }) },
      tests: { suites: [suite(world, `http://127.0.0.1:${world.port}/`)] },
    }),
    fault: killRun,
    commands: [['check'], ['run']],
    detected: left('container', forTests, { service: 'web' }),
    async verify(world, answers) {
      passed(answers);
      expect(await world.resources()).toEqual([]);
    },
    ...untold,
  },
];
