import { configSchema } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { whyNoDocker } from './docker-need.js';

const reasonFor = (config: object) => whyNoDocker(configSchema.parse(config));

describe('whether a project needs Docker', () => {
  it.each([
    ['nothing at all', {}],
    ['an image', { services: { api: { image: 'api' } } }],
    ['a build', { services: { api: { build: '.' } } }],
    ['a command in an image', { services: { api: { image: 'api', command: 'serve' } } }],
    ['a mock with an image', { mocks: { pay: { image: 'pay' } } }],
    ['a command and an image', { services: { api: { command: 'serve' }, db: { image: 'db' } } }],
  ])('it may with %s', (_, config) => {
    expect(reasonFor(config)).toBeUndefined();
  });

  it.each([
    ['commands', { services: { api: { command: 'serve' } } }],
    ['mocks that argus answers for', { mocks: { pay: { port: 9081, routes: [{ path: '/' }] } } }],
  ])('it does not with only %s', (_, config) => {
    expect(reasonFor(config)).toBe('No service or mock of this project needs Docker');
  });
});
