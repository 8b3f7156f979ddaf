import { expect, it } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { ModelRuntime } from '../fixtures/model-runtime.js';
import { contextOf, runOf, service } from '../fixtures/service.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { lookAt } from './look-at.js';

const hasImage = ({ image }: ServiceSpec) => image !== undefined;
const twoRuntimes = () =>
  makeWorld((clock) => [
    new ModelRuntime(clock, { name: 'commands', runs: (one) => !hasImage(one) }),
    new ModelRuntime(clock, { name: 'images', runs: hasImage }),
  ]);

it('looks at all services of a runtime at once', async () => {
  const world = twoRuntimes();
  const context = contextOf(world);
  await world.runtime.start(service('a'), 'spec', context);
  const services = [service('a'), service('b'), service('c', { image: 'x' })];
  const states = await lookAt(world.open({}), runOf(), services, world.signal);
  expect([...states.values()].map(({ status }) => status)).toEqual(['running', 'missing', 'missing']);
  expect(world.runtime.looks).toBe(1);
});
