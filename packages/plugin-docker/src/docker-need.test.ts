import {
  configSchema,
  containerCrash,
  createMemoryStore,
  diskSpaceLow,
  type Json,
  planRecovery,
} from '@argusai/core';
import { buildKernel, checking, registering } from '@argusai/core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dockerNeed } from './docker-need.js';
import docker from './index.js';

const project = { name: 'shop' };

const needOf = (config: object, store = createMemoryStore()) =>
  dockerNeed({ config: configSchema.parse(config), project, store });

describe('whether a project needs Docker', () => {
  it.each([
    ['nothing at all', {}],
    ['an image', { services: { api: { image: 'api' } } }],
    ['a build', { services: { api: { build: '.' } } }],
    ['a command in an image', { services: { api: { image: 'api', command: 'serve' } } }],
    ['a mock with an image', { mocks: { pay: { image: 'pay' } } }],
    ['a command and an image', { services: { api: { command: 'serve' }, db: { image: 'db' } } }],
  ])('it may with %s', async (_, config) => {
    expect(await needOf(config)).toEqual({ for: 'services' });
  });

  it.each([
    ['commands', { services: { api: { command: 'serve' } } }],
    ['mocks that argus answers for', { mocks: { pay: { port: 9081, routes: [{ path: '/' }] } } }],
  ])('it does not with only %s', async (_, config) => {
    expect(await needOf(config)).toEqual({
      for: 'nothing',
      why: 'No service or mock of this project needs Docker',
    });
  });

  it.each([
    ['a service there', { services: { api: { runtime: 'docker' } } }, 'runs'],
    ['had one there', { services: {}, runtimes: ['docker', 'process'] }, 'runs'],
    ['none there', { services: { api: { runtime: 'process' } }, runtimes: ['process'] }, 'nothing'],
  ])('it counts a run of the project that has %s', async (_, run, expected) => {
    const store = createMemoryStore();
    const config = { services: { api: { command: 'serve' } } };
    await store.put('runs', 'r0', { id: 'r0', project: 'bank', services: {}, runtimes: ['docker'] });
    expect(await needOf(config, store)).toMatchObject({ for: 'nothing' });
    await store.put('runs', 'r1', { id: 'r1', project: 'shop', ...run } as Json);
    expect(await needOf(config, store)).toMatchObject({ for: expected });
  });
});

describe('a project of commands', () => {
  it('plans its repairs without asking Docker, so that no engine is missed', async () => {
    vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock');
    onTestFinished(() => void vi.unstubAllEnvs());
    const ended = { service: 'api', runId: 'r1', status: 'exited', exitCode: 1, finishedAt: null };
    const ailing = registering('ailing', {
      checkers: [
        checking('ailing.disk', ({ fail }) =>
          fail(diskSpaceLow, { message: 'full', details: { available: 1, required: 2, path: '/' } }),
        ),
        checking('ailing.api', ({ fail }) =>
          fail(containerCrash, { target: 'api', message: 'it ended', details: ended }),
        ),
      ],
    });
    const config = { services: { api: { command: 'serve' } } };
    const kernel = buildKernel({ plugins: [docker, ailing], config });
    const { steps, notices } = await planRecovery(kernel, { only: ['ailing'] });
    expect([steps, notices]).toEqual([[], []]);
    expect(await kernel.circuits.states()).toMatchObject([{ name: 'docker', failureCount: 0 }]);
  });
});
