import { expect } from 'vitest';
import { duringTests } from '../faults/break-during-tests.js';
import { container, sign } from '../projects/container.js';
import { soon, suite } from '../projects/suite.js';
import type { Scenario } from '../scenario.js';
import type { Answer } from '../world/answer.js';
import type { World } from '../world/world.js';

const config = (world: World, rest: Readonly<Record<string, unknown>> = {}) => ({
  services: { web: container('web', { ports: [`${world.port}:80`], ...rest }) },
  tests: { suites: [suite(world, `http://127.0.0.1:${world.port}/`)] },
  // The delay before the first restart is the usual one.
  resilience: { container: { stabilityWindow: soon.stabilityWindow } },
});

/** Leaves a file in the container and waits until it has ended of it. */
const endBy = (file: string) => async (world: World) => {
  const { web = '' } = await world.containers();
  const ended = world.docker('wait', web);
  await sign(world, 'web', file);
  await ended;
};

/** The tests passed, the report mentions the restart, and nothing is left. */
const mentions = (reason: RegExp) => async (world: World, answers: readonly Answer[]) => {
  expect(answers.at(-1)?.data?.suites).toMatchObject([
    {
      outcome: 'passed',
      restarts: [{ service: 'web', reason: expect.stringMatching(reason), verdict: 'healthy' }],
    },
  ]);
  expect(await world.resources()).toEqual([]);
};

/** How long it took from the end of the service until it was healthy, and how much of that is the configured delay. */
function note(answers: readonly Answer[]): string {
  const [incident] = answers.at(-1)?.data?.incidents ?? [];
  const { at = 0, durationMs = 0, delayMs = 0, evidence } = incident?.restarts[0] ?? {};
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const endedAt = evidence?.endedAt;
  if (typeof endedAt !== 'number') throw new Error('nobody says when the service ended');
  const whole = at + durationMs - endedAt;
  return `healthy again ${seconds(whole)} s after its end, ${seconds(delayMs)} s of them the configured delay`;
}

const alone = { pointless: 'the guardian deals with it before anyone is asked' };

/** Containers fail while tests run. */
export const containerCrashScenarios: readonly Scenario[] = [
  {
    name: 'a container crashes once',
    config,
    fault: duringTests('ends a container', endBy('/end')),
    commands: [],
    detected: {
      code: 'CONTAINER_CRASH',
      category: 'container',
      severity: 'recoverable',
      details: () => ({
        service: 'web',
        exitCode: 3,
        container: expect.stringContaining('web'),
        finishedAt: expect.any(Number),
        lines: expect.arrayContaining(['told to end']),
      }),
    },
    recoverable: true,
    verify: mentions(/exit code 3/),
    note,
    without: 'fails',
    agent: alone,
  },
  {
    name: 'a container runs out of memory once',
    config: (world) => config(world, { memory: '24MB' }),
    fault: duringTests('has a container use up its memory', endBy('/eat')),
    commands: [],
    detected: {
      code: 'CONTAINER_OOM',
      category: 'container',
      severity: 'recoverable',
      details: () => ({
        service: 'web',
        exitCode: 137,
        memoryLimit: 24_000_000,
        memoryPeak: 24_000_000,
      }),
    },
    recoverable: true,
    verify: mentions(/OOM/),
    note,
    without: 'fails',
    agent: alone,
  },
  {
    name: 'a container crashes and nobody guards it',
    config: () => ({ services: { web: container('web') } }),
    async before(world) {
      expect(await world.argus('setup')).toMatchObject({ code: 0 });
    },
    fault: { name: 'ends a container', break: endBy('/end') },
    commands: [['check'], ['setup']],
    detected: {
      code: 'CONTAINER_CRASH',
      category: 'container',
      severity: 'recoverable',
      details: () => ({ service: 'web', exitCode: 3 }),
    },
    recoverable: true,
    async verify(world) {
      const { web = '' } = await world.containers();
      expect(await world.docker('exec', web, 'wget', '-q', '-O', '-', 'http://127.0.0.1/')).toBe('web');
    },
    without: { pointless: 'a setup starts it again' },
    agent: { goals: [['check']] },
  },
];
