import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { check, contextOf, service } from '../fixtures/service.js';
import { KnownPorts } from '../ports/known-ports.js';
import { probeService } from './probe-service.js';
import { waitForItself } from './wait-for-itself.js';

/** A service at whose port somebody accepts connections: one, before he is gone, or as many as there are. */
async function visited(stays: boolean) {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
    if (!stays) server.close();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const gone = stays ? Promise.resolve() : once(server, 'close');
  const { port } = server.address() as AddressInfo;
  const world = makeWorld();
  const ports = [{ host: port, container: port, ip: '127.0.0.1', protocol: 'tcp' as const }];
  const { command: _, ...often } = check();
  const api = service('api', { ports, healthcheck: { ...often, tcp: port } });
  const context = contextOf(world, { services: [api] });
  await world.runtime.start(api, 'spec', context);
  const waiting = {
    service: api,
    runtime: world.runtime,
    context,
    look: async () => ({ service: 'api', status: 'running' as const }),
    probe: probeService(world.open({}), api, new KnownPorts([api]), context),
  };
  const ready = waitForItself(waiting, async () => void (await gone)).then(
    () => 'ready',
    (thrown) => thrown.error.code,
  );
  return { ready: await world.passing(ready), visits };
}

it('a service is not ready because somebody held its port for an instant', async () => {
  expect(await visited(false)).toMatchObject({ ready: 'HEALTH_CHECK_TIMEOUT' });
});

it('a service whose port goes on to answer is ready', async () => {
  expect(await visited(true)).toEqual({ ready: 'ready', visits: 2 });
});
