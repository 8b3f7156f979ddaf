import { describe, expect, it } from 'vitest';
import { makeWorld } from './fixtures/environment-kernel.js';
import { ModelRuntime } from './fixtures/model-runtime.js';
import { contextOf, runOf, service } from './fixtures/service.js';
import { lookAt, runtimeOf, runtimesOf, sharedLook } from './look.js';
import type { ServiceState } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';

const hasImage = ({ image }: ServiceSpec) => image !== undefined;
const twoRuntimes = () =>
  makeWorld((clock) => [
    new ModelRuntime(clock, { name: 'commands', runs: (one) => !hasImage(one) }),
    new ModelRuntime(clock, { name: 'images', runs: hasImage }),
  ]);

describe('runtimes', () => {
  it('are chosen by what a service is', () => {
    const kernel = twoRuntimes().open({});
    expect(runtimeOf(kernel, service('a')).name).toBe('commands');
    expect(runtimeOf(kernel, service('a', { image: 'x' })).name).toBe('images');
  });

  it('that are missing are named by the plugin that brings them', () => {
    const kernel = makeWorld((clock) => [new ModelRuntime(clock, { runs: () => false })]).open({});
    expect(() => runtimeOf(kernel, service('a'))).toThrow('it needs @argusai/plugin-process');
    expect(() => runtimeOf(kernel, service('a', { image: 'x' }))).toThrow('@argusai/plugin-docker');
  });

  it('of a run are those that it has used and those that it would use', () => {
    const kernel = twoRuntimes().open({});
    const used = { services: { a: { runtime: 'commands', spec: '', ports: [], startedAt: 0 } } };
    const names = (...args: [Parameters<typeof runtimesOf>[1], ServiceSpec[]]) =>
      runtimesOf(kernel, ...args).map(({ name }) => name);
    expect(names(undefined, [])).toEqual([]);
    expect(names(used, [])).toEqual(['commands']);
    expect(names(used, [service('b', { image: 'x' })])).toEqual(['commands', 'images']);
  });
});

it('looks at all services of a runtime at once', async () => {
  const world = twoRuntimes();
  const context = contextOf(world);
  await world.runtime.start(service('a'), 'spec', context);
  const services = [service('a'), service('b'), service('c', { image: 'x' })];
  const states = await lookAt(world.open({}), runOf(), services, world.signal);
  expect([...states.values()].map(({ status }) => status)).toEqual(['running', 'missing', 'missing']);
  expect(world.runtime.looks).toBe(1);
});

describe('looks that are shared', () => {
  /** A look that is answered when the test says so. */
  function slowLook() {
    const asked: string[][] = [];
    const answers: ((error?: Error) => void)[] = [];
    const look = sharedLook((services) => {
      asked.push(services.map(({ name }) => name));
      const states = services.map(({ name }): [string, ServiceState] => [
        name,
        { service: name, status: 'running', restarts: asked.length },
      ]);
      return new Promise((resolve, reject) => {
        answers.push((error) => (error ? reject(error) : resolve(new Map(states))));
      });
    });
    return { asked, answers, look };
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('are made together, and what is asked meanwhile is answered by the next', async () => {
    const { asked, answers, look } = slowLook();
    const first = ['a', 'b', 'a'].map((name) => look(service(name)));
    await turn();
    const second = ['a', 'c'].map((name) => look(service(name)));
    await turn();
    expect(asked).toEqual([['a', 'b']]);
    answers[0]?.();
    expect((await Promise.all(first)).map(({ restarts }) => restarts)).toEqual([1, 1, 1]);
    await turn();
    answers[1]?.();
    expect((await Promise.all(second)).map(({ restarts }) => restarts)).toEqual([2, 2]);
    expect(asked).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('that fail fail for those who asked, and for nobody later', async () => {
    const { answers, look } = slowLook();
    const first = look(service('a'));
    await turn();
    const second = look(service('a'));
    answers[0]?.(new Error('it is down'));
    await expect(first).rejects.toThrow('it is down');
    await turn();
    answers[1]?.();
    expect(await second).toMatchObject({ status: 'running' });
  });

  it('tell of what nobody knows as missing', async () => {
    const look = sharedLook(async () => new Map());
    expect(await look(service('a'))).toEqual({ service: 'a', status: 'missing' });
  });
});
