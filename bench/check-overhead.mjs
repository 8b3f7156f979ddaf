import { createKernel, definePlugin, runChecks, usePlugin } from '@argusai/core';
import { contestant } from './runner/contestant.mjs';
import { importPeer, peersMissing } from './runner/peers.mjs';

const CHECKS = 1_000;
const CALLS = 5;

const numbers = Array.from({ length: CHECKS }, (_, index) => index);
const checkers = numbers.map((index) => ({
  name: `idle.c${index}`,
  check: async ({ pass }) => pass('fine'),
}));

function argus() {
  const idle = definePlugin({
    name: 'idle',
    apply: ({ hooks }) =>
      hooks.checkers.tap('idle', (registry) => {
        for (const checker of checkers) registry.add(checker);
      }),
  });
  const kernel = createKernel({
    project: { name: 'bench', dir: process.cwd() },
    plugins: [usePlugin(idle)],
  });
  return async () => {
    const { checks } = await runChecks(kernel);
    if (checks.length !== CHECKS) throw new Error(`${checks.length} results`);
  };
}

function bare() {
  const pass = (message) => ({ status: 'pass', message });
  return () => Promise.all(checkers.map(({ check }) => check({ pass })));
}

/** The health check of NestJS, with as many indicators that say that they are up. */
async function terminus(atEnd) {
  await importPeer('reflect-metadata');
  const [{ Module }, { NestFactory }, { HealthCheckService, TerminusModule }] = await Promise.all(
    ['@nestjs/common', '@nestjs/core', '@nestjs/terminus'].map(importPeer),
  );
  class Application {}
  Module({ imports: [TerminusModule] })(Application);
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  atEnd(() => application.close());
  const service = await application.resolve(HealthCheckService);
  const indicators = numbers.map((index) => async () => ({
    [`c${index}`]: { status: 'up', message: 'fine' },
  }));
  return async () => {
    const { details } = await service.check(indicators);
    if (Object.keys(details).length !== CHECKS) throw new Error('Not all were asked');
  };
}

const several = (call) => async () => {
  for (let done = 0; done < CALLS; done += 1) await call();
};

/** What the runner costs: checkers that do nothing, all run at once. */
export default {
  title: 'The kernel, per check',
  about:
    '1,000 checkers that do nothing, run at once: what deadlines, time limits, order, statuses and events cost. The floor is the `Promise.all` of the same functions; @nestjs/terminus asks as many indicators and has none of those.',
  async prepare({ atEnd, signal }) {
    const missing = peersMissing();
    return {
      tables: [
        {
          title: 'One check of 1,000',
          unit: 'µs',
          per: CHECKS * CALLS,
          rounds: 31,
          warmUps: 10,
          floor: 'Promise.all',
          peers: ['@nestjs/terminus'],
          contestants: {
            'Promise.all': several(bare()),
            argus: several(argus()),
            '@nestjs/terminus': await contestant(async () => several(await terminus(atEnd)), {
              signal,
              missing,
            }),
          },
          bars: [{ of: 'argus', over: 'Promise.all', most: 5 }],
        },
      ],
    };
  },
};
