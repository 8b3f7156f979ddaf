import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
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
      ...{ kind: 'mock', ports: [{ host: port, container: port, ip: null, protocol: 'tcp' }] },
      routes: [{ method: 'GET', path: '/x', response: { status: 200, headers: {}, delay: 0, body: 'paid' } }],
    });
    const services = [pay, service('api', { image })];
    await world.runtime.start(pay, 'spec', world.context({ services }));
    const run = ['run', '--rm', '--add-host', 'pay:host-gateway', image];
    const { stdout } = await promisify(execFile)(
      'docker',
      ['--host', host, ...run, 'wget', '-q', '-O', '-', `http://pay:${port}/x`],
      { timeout: 20_000 },
    );
    expect(stdout).toBe('paid');
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
