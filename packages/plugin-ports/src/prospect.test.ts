import { configSchema } from '@argusai/core';
import { expect, it } from 'vitest';
import type { Conflict } from './conflict.js';
import { holdTcp } from './fixtures/hold-port.js';
import { prospectOf } from './prospect.js';

it('is refused wherever the engine is in a virtual machine, whoever has the port that is spelt out', async () => {
  const { port } = await holdTcp('127.0.0.1');
  const config = configSchema.parse({
    services: { api: { image: 'x', command: ['ask', `http://pay:${port}/`] } },
    mocks: { pay: { port, routes: [] }, other: { port, routes: [] } },
  });
  const of = (service: string): Conflict => ({
    wish: { service, protocol: 'tcp', address: '*', port, container: port, any: false },
    cause: { kind: 'held' },
  });
  expect(await prospectOf(of('pay'), config, 'darwin')).toBe('refused');
  expect(await prospectOf(of('other'), config, 'darwin')).toBe('moved');
});
