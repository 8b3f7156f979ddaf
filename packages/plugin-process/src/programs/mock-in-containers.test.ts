import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { service } from '../fixtures/service.js';
import { makeWorld } from '../fixtures/world.js';

describeWithEngine('a mock beside containers', ({ host }) => {
  it('is reached by its name from a container', async () => {
    const image = await makeTestImage(host);
    const world = await makeWorld();
    const port = await freePort();
    const pay = service('pay', {
      kind: 'mock',
      ports: [{ host: port, container: port, ip: null, protocol: 'tcp' }],
      routes: [{ method: 'GET', path: '/x', response: { status: 200, headers: {}, delay: 0, body: 'paid' } }],
    });
    const docker = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)('docker', ['--host', host, ...args], { timeout: 20_000 });
      return stdout.trim();
    };
    // Others may use the same engine.
    const mine = randomUUID().slice(0, 8);
    const [own, other] = [
      await docker('network', 'create', `own-${mine}`),
      await docker('network', 'create', `other-${mine}`),
    ];
    onTestFinished(() => void docker('network', 'rm', own, other));
    const gatewayOf = (id: string) =>
      docker('network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', id);
    const gateway = await gatewayOf(own);
    const services = [pay, service('api', { image })];
    await world.runtime.start(pay, 'spec', world.context({ services, gateways: [gateway] }));
    const ask = (network: string, address: string) =>
      docker(
        ...['run', '--rm', '--network', network, '--add-host', `pay:${address}`, image],
        ...['wget', '-q', '-O', '-', `http://pay:${port}/x`],
      );
    expect(await ask(own, gateway)).toBe('paid');
    // It is nobody's business on the network of another run.
    await expect(ask(other, await gatewayOf(other))).rejects.toThrow(/refused/);
  });
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
