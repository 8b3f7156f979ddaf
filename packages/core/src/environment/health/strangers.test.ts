import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { recordOf, service } from '../fixtures/service.js';
import type { Runtime } from '../runtime.js';
import { strangersAt } from './strangers.js';
import { tryOnce } from './try-health.js';

/** A service at whose port somebody listens, of whom its runtime says this. */
async function listened(isOwn: Runtime['isOwn'], also?: (port: number) => Promise<unknown>) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const world = makeWorld();
  Object.assign(world.runtime, { isOwn });
  const kernel = world.open({});
  await also?.(port);
  const ports = [{ host: port, container: port, ip: also ? null : '127.0.0.1', protocol: 'tcp' as const }];
  const asked = { service: service('api', { ports }), ports };
  const record = recordOf();
  return {
    look: () => world.passing(strangersAt(kernel, record, [asked], world.signal)),
    tried: () => world.passing(tryOnce(kernel, { ...asked, healthcheck: undefined }, record, world.signal)),
  };
}

it('one who is provably no part of the service is a stranger', async () => {
  const { look, tried } = await listened(async (_, __, listeners) => listeners.map(() => false));
  expect(await look()).toMatchObject({ strangers: [{ service: 'api', holder: { pid: process.pid } }] });
  expect(await tried()).toMatchObject({
    healthy: false,
    answered: true,
    conflict: { code: 'PORT_CONFLICT', details: { service: 'api', pid: process.pid } },
  });
});

it('one of whom nobody can tell is none, and it was looked', async () => {
  const { look, tried } = await listened(async (_, __, listeners) => listeners.map(() => undefined));
  expect(await look()).toEqual({ strangers: [], unlooked: [] });
  expect(await tried()).toBeUndefined();
});

it('where the runtime cannot be asked, nobody knows', async () => {
  const { look, tried } = await listened(() => Promise.reject(new Error('no answer')));
  expect(await look()).toMatchObject({
    strangers: [],
    unlooked: [{ service: { name: 'api' }, reason: 'no answer' }],
  });
  expect(await tried()).toMatchObject({
    healthy: false,
    unknown: {
      code: 'HEALTH_UNKNOWN',
      message: 'It could not be told who listens on the ports of api: no answer',
    },
  });
});

it('one on another address of the port is beside the service', async () => {
  const beside = createServer();
  const { look } = await listened(
    async (_, __, listeners) => listeners.map(({ address }) => address !== '::1'),
    (port) => {
      onTestFinished(() => void beside.close());
      return once(beside.listen(port, '::1'), 'listening');
    },
  );
  expect(await look()).toMatchObject({ strangers: [{ service: 'api', isBeside: true }] });
});
