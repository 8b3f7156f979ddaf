import { configSchema } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { container, service } from './fixtures/stage.js';
import { configuredWishes, wishesOf } from './wish.js';

describe('the wishes of a configuration', () => {
  it('are the host ports of its services and mocks', () => {
    const config = configSchema.parse({
      services: {
        api: { image: 'shop/api', ports: ['8080:3000', '[::1]:53:53/udp', 9000] },
        job: { command: 'true' },
      },
      mocks: {
        pay: { port: 9081, routes: [] },
        mail: { image: 'mail' },
        web: { image: 'web', port: '9082:80' },
        any: { image: 'any', port: '80' },
      },
    });
    const wish = { service: 'api', address: '*', protocol: 'tcp', any: false };
    expect(configuredWishes(config)).toEqual([
      { ...wish, port: 8080, container: 3000 },
      { ...wish, port: 53, container: 53, protocol: 'udp', address: '::1' },
      { ...wish, service: 'pay', port: 9081, container: 9081 },
      { ...wish, service: 'web', port: 9082, container: 80 },
    ]);
  });
});

describe('the wishes of a service', () => {
  it('leave any port of a container to the engine', () => {
    expect(wishesOf(container('api', [3000, '8080:80']))).toMatchObject([undefined, { port: 8080 }]);
  });

  it('name the port that a process listens on where any will do', () => {
    expect(wishesOf(service('api', [3000]))).toMatchObject([{ port: 3000, any: true }]);
  });
});
