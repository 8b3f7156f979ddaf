import { describe, expect, it } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { service } from '../fixtures/service.js';
import { runtimeOf, runtimesOf } from './runtime-of.js';
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
