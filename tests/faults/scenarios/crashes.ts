import { hostname } from 'node:os';
import { expect } from 'vitest';
import { duringTests } from '../faults/break-during-tests.js';
import { ask, server } from '../projects/server.js';
import { soon, suite } from '../projects/suite.js';
import type { Expectation, Scenario } from '../scenario.js';
import { detectionOf } from '../ways/detection.js';
import type { Answer } from '../world/answer.js';
import { endProcess } from '../world/processes-of.js';
import type { World } from '../world/world.js';

const crash = (service: string, exitCode: number): Expectation => ({
  code: 'CONTAINER_CRASH',
  category: 'container',
  severity: 'recoverable',
  details: () => ({ service, exitCode, runId: expect.any(String), finishedAt: expect.any(Number) }),
});

/** Tells a server to do something, and returns when it has heard: it answers, or ends and so hangs up. */
const say = async ({ port }: World, path: string) => {
  try {
    await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(60_000) });
  } catch (error) {
    // One that was not reached was not harmed either: the scenario would be about nothing.
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    if (!['UND_ERR_SOCKET', 'ECONNRESET'].includes(cause?.code ?? '')) throw error;
  }
};

const restarting = (world: World, restarts: Readonly<Record<string, unknown>> = {}) => ({
  services: { web: server(world) },
  tests: { suites: [suite(world, `http://127.0.0.1:${world.port}/`)] },
  resilience: { container: { ...soon, ...restarts } },
});

/** The tests passed, the report mentions the restart and why, and everything was taken down. */
const mentions = (service: string, reason: RegExp) => async (world: World, answers: readonly Answer[]) => {
  expect(answers.at(-1)?.data?.suites).toMatchObject([
    {
      outcome: 'passed',
      restarts: [{ service, attempt: 1, reason: expect.stringMatching(reason), verdict: 'healthy' }],
    },
  ]);
  expect(await world.processes()).toEqual([]);
};

/** The guardian that was killed in each world. */
const guardians = new WeakMap<World, number>();

const alone = { pointless: 'the guardian deals with it before anyone is asked' };

/** Services that are processes, or mocks, fail while tests run. */
export const crashScenarios: readonly Scenario[] = [
  {
    name: 'a process crashes once',
    config: restarting,
    fault: duringTests('ends a service', (world) => say(world, '/crash')),
    commands: [],
    detected: crash('web', 3),
    recoverable: true,
    verify: mentions('web', /exit code 3/),
    without: 'fails',
    agent: alone,
  },
  {
    name: 'a process hangs',
    config(world) {
      const config = restarting(world);
      const healthcheck = {
        http: '/health',
        interval: '50ms',
        timeout: '300ms',
        retries: 3,
        startPeriod: '10s',
      };
      return { ...config, services: { web: server(world, 0, { healthcheck }) } };
    },
    fault: duringTests('has a service never answer again', (world) => say(world, '/mute')),
    commands: [],
    detected: {
      code: 'HEALTH_CHECK_TIMEOUT',
      category: 'container',
      severity: 'recoverable',
      details: () => ({ service: 'web', tries: 3, outputs: expect.any(Array), lines: expect.any(Array) }),
    },
    recoverable: true,
    verify: mentions('web', /health check/),
    without: 'fails',
    agent: alone,
  },
  {
    name: 'a mock dies',
    config: (world) => ({
      ...restarting(world),
      services: {},
      mocks: { pay: { port: world.port, routes: [{ path: '/', response: { body: 'paid' } }] } },
    }),
    fault: duringTests('kills a mock', async (world) => {
      const line = (await world.processes()).find((one) => one.includes('mock-server.js'));
      endProcess(Number.parseInt(line ?? '', 10));
    }),
    commands: [],
    detected: crash('pay', 137),
    recoverable: true,
    verify: mentions('pay', /exit code 137|SIGKILL/),
    without: 'fails',
    agent: alone,
  },
  {
    name: 'a process crashes again and again',
    config: (world) => restarting({ ...world, patienceMs: 3_000 }, { maxRestarts: 2 }),
    fault: duringTests('keeps a service from starting', async (world) => {
      await world.write('crash');
      await say(world, '/crash');
    }),
    commands: [],
    detected: {
      code: 'CONTAINER_RESTART_EXHAUSTED',
      category: 'container',
      severity: 'fatal',
      details: () => ({
        service: 'web',
        attempts: 2,
        limit: 'max-restarts',
        pattern: 'crash-loop',
        history: [
          expect.objectContaining({ attempt: 1, reason: 'exit code 3', delayMs: 200 }),
          expect.objectContaining({ attempt: 2, reason: 'exit code 3', delayMs: 400 }),
          expect.objectContaining({ attempt: 3, reason: 'exit code 3', verdict: 'given-up' }),
        ],
      }),
    },
    recoverable: false,
    async verify(world, answers) {
      expect(answers.at(-1)).toMatchObject({ code: 1, data: { suites: [{ outcome: 'failed' }] } });
      expect(await world.processes()).toEqual([]);
    },
    without: { pointless: 'it cannot work' },
    agent: alone,
  },
  {
    name: 'the health of a service flaps',
    // It answers, so it is left alone until the first suite is over.
    config: (world) => ({
      ...restarting(world),
      tests: {
        suites: [
          suite(world, `http://127.0.0.1:${world.port}/`, 'first'),
          suite(world, `http://127.0.0.1:${world.port}/health`, 'second'),
        ],
      },
    }),
    fault: duringTests('makes a service unwell most of the time', async (world) => {
      const { pid } = await ask(world.port);
      await say(world, '/flap');
      // The first suite goes on until it has been noticed.
      for (let seen = ''; !seen.includes('HEALTH_CHECK_TIMEOUT'); ) {
        const { data } = await world.argus('status');
        seen = JSON.stringify(data?.incidents);
      }
      expect((await ask(world.port)).pid).toBe(pid);
      // One that happens to be well at the end of the suite is let be until it is unwell again.
      await say(world, '/sick');
    }),
    commands: [],
    detected: {
      code: 'HEALTH_CHECK_TIMEOUT',
      category: 'container',
      severity: 'recoverable',
      details: () => ({ service: 'web', outputs: expect.arrayContaining([expect.stringContaining('503')]) }),
    },
    recoverable: true,
    async verify(world, answers) {
      const { suites, incidents } = answers.at(-1)?.data ?? {};
      expect(suites).toMatchObject([{ outcome: 'passed' }, { outcome: 'passed' }]);
      expect(incidents).toMatchObject([
        { service: 'web', suite: 'first', restarts: [{ attempt: 1, verdict: 'healthy' }] },
      ]);
      expect(await world.processes()).toEqual([]);
    },
    without: { pointless: 'it works now and then' },
    agent: alone,
  },
  {
    name: 'the guardian is killed, then a service',
    config: restarting,
    async before(world) {
      expect(await world.argus('setup', '--guard')).toMatchObject({ code: 0 });
    },
    fault: {
      name: 'kills the guardian, then ends a service',
      async break(world) {
        const { data } = await world.argus('status');
        guardians.set(world, data?.guardian?.pid ?? 0);
        endProcess(data?.guardian?.pid ?? 0);
        // That nobody guards any more is said.
        expect(await world.argus('status')).toMatchObject({ data: { guardian: { alive: false } } });
        await say(world, '/crash');
      },
    },
    commands: [['check'], ['setup']],
    detected: {
      code: 'GUARDIAN_GONE',
      category: 'infrastructure',
      severity: 'warning',
      details: (world) => ({ runId: expect.any(String), pid: guardians.get(world), host: hostname() }),
    },
    recoverable: true,
    async verify(world, answers) {
      // What nobody was there to see is found all the same.
      expect(detectionOf(crash('web', 3), world, answers)).toMatchObject({ found: 'CONTAINER_CRASH' });
      const { pid } = await ask(world.port);
      const { data } = await world.argus('status');
      expect(data?.guardian).toMatchObject({ alive: true });
      // And it guards.
      await say(world, '/crash');
      const pidNow = async () => (await ask(world.port).catch(() => undefined))?.pid ?? pid;
      await expect.poll(pidNow, { timeout: 30_000 }).not.toBe(pid);
    },
    without: { pointless: 'the same command starts everything again' },
    agent: { goals: [['check']] },
  },
];
