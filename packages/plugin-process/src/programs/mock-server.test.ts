import { request } from 'node:http';
import { createServer } from 'node:net';
import { type MockRoute, mockHealthPath, type PortMapping, type ServiceSpec } from '@argusai/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { service } from '../fixtures/service.js';
import { makeWorld, until, type World } from '../fixtures/world.js';

const route = (
  method: MockRoute['method'],
  path: string,
  response: Partial<MockRoute['response']> = {},
): MockRoute => ({
  method,
  path,
  response: { status: 200, headers: {}, delay: 0, ...response },
});

describe('a mock with routes', () => {
  it('answers with status, headers and body', async () => {
    const { port } = await startMock([
      route('GET', '/json', { body: { ok: true, list: [1] } }),
      route('GET', '/text', { body: 'plain', headers: { 'X-Mock': 'yes' } }),
      route('GET', '/page', { body: '<p>', headers: { 'Content-Type': 'text/html' } }),
      route('POST', '/made', { status: 201, body: null }),
      route('DELETE', '/gone', { status: 204, body: 'never sent' }),
      route('GET', '/empty'),
    ]);
    expect(await ask(port, 'GET', '/json?x=1')).toMatchObject({
      status: 200,
      body: '{"ok":true,"list":[1]}',
      headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': '22' },
    });
    expect(await ask(port, 'GET', '/text')).toMatchObject({
      body: 'plain',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-mock': 'yes' },
    });
    expect(await ask(port, 'GET', '/page')).toMatchObject({ headers: { 'content-type': 'text/html' } });
    expect(await ask(port, 'POST', '/made', 'x'.repeat(100_000))).toMatchObject({
      status: 201,
      body: 'null',
    });
    expect(await ask(port, 'DELETE', '/gone')).toMatchObject({ status: 204, body: '' });
    expect(await ask(port, 'GET', '/empty')).toMatchObject({ status: 200, body: '' });
  });

  it('knows parameters, open ends, any method and HEAD', async () => {
    const { port } = await startMock([
      route('GET', '/users/:id', { body: 'one' }),
      route('GET', '/users/me', { body: 'exact' }),
      route('GET', '/files/*', { body: 'file' }),
      route('ANY', '/any', { body: 'any' }),
      route('GET', '/a.b', { body: 'dot' }),
      route('GET', '/with space', { body: 'space' }),
    ]);
    const bodyOf = async (method: string, path: string) => (await ask(port, method, path)).body;
    expect(await bodyOf('GET', '/users/7')).toBe('one');
    expect(await bodyOf('GET', '/users/me')).toBe('exact');
    expect((await ask(port, 'GET', '/users/7/more')).status).toBe(404);
    expect(await bodyOf('GET', '/files/a/b.txt')).toBe('file');
    expect(await bodyOf('PATCH', '/any')).toBe('any');
    expect((await ask(port, 'GET', '/axb')).status).toBe(404);
    expect(await bodyOf('GET', '/with%20space')).toBe('space');
    expect((await ask(port, 'GET', '/100%')).status).toBe(404);
    expect(await ask(port, 'HEAD', '/users/7')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '3' },
    });
  });

  it('says which routes there are when there is none for a request', async () => {
    const { port } = await startMock([route('GET', '/a'), route('POST', '/b')]);
    const { status, body } = await ask(port, 'PUT', '/a?q');
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({
      error: 'The mock pay has no route for PUT /a',
      routes: ['GET /a', 'POST /b'],
    });
  });

  it('waits before it answers, as long as it is told', async () => {
    const { port } = await startMock([
      route('GET', '/slow', { delay: 300, body: 'slow' }),
      route('GET', '/quick'),
    ]);
    const order: string[] = [];
    await Promise.all([
      ask(port, 'GET', '/slow').then(() => order.push('slow')),
      ask(port, 'GET', '/quick').then(() => order.push('quick')),
    ]);
    expect(order).toEqual(['quick', 'slow']);
  });

  it('writes a line for each request, and goes on after one that it cannot answer', async () => {
    const { port, world } = await startMock([
      route('GET', '/x', { status: 201 }),
      route('GET', '/bad', { headers: { 'not a header': '1' } }),
    ]);
    await ask(port, 'GET', '/x?y=1');
    await expect(ask(port, 'GET', '/bad')).rejects.toThrow();
    await ask(port, 'GET', '/nothing');
    const lines: string[] = [];
    const query = { services: ['pay'], follow: true };
    for await (const { text } of world.runtime.logs(world.run, query, world.signal)) {
      lines.push(text);
      // A port may have these digits too.
      if (text.endsWith('→ 404')) break;
    }
    expect(lines.some((line) => line.startsWith('pay answers 2 routes on 127.0.0.1:'))).toBe(true);
    expect(lines).toContain('GET /x?y=1 → 201');
    expect(lines.some((line) => line.startsWith('GET /bad cannot be answered'))).toBe(true);
    expect(lines).toContain('GET /nothing → 404');
  });

  // Other systems have only one local address unless they are told otherwise.
  it.skipIf(process.platform !== 'linux')(
    'listens on more addresses, there on the port that it has and on its own where that is free',
    async () => {
      const [own, actual] = [await freePort(), await freePort()];
      const environment = { ARGUS_MOCK_ADDRESSES: '127.0.0.2, 127.0.0.3' };
      await holdPort(own, '127.0.0.3');
      await startMock([route('GET', '/x', { body: 'here' })], { environment, ports: [mapping(actual, own)] });
      expect(await ask(actual, 'GET', '/x')).toMatchObject({ body: 'here' });
      expect(await ask(own, 'GET', '/x', '', '127.0.0.2')).toMatchObject({ body: 'here' });
      expect(await ask(actual, 'GET', '/x', '', '127.0.0.2')).toMatchObject({ body: 'here' });
      expect(await ask(actual, 'GET', '/x', '', '127.0.0.3')).toMatchObject({ body: 'here' });
      await expect(ask(own, 'GET', '/x')).rejects.toThrow(/ECONNREFUSED/);
    },
  );

  it('answers who asks whether it does, whatever its routes are, and says nothing of it', async () => {
    const { port, world } = await startMock([route('ANY', '/*', { status: 503 })]);
    expect(await ask(port, 'GET', mockHealthPath)).toMatchObject({ status: 200 });
    expect(await ask(port, 'GET', '/other')).toMatchObject({ status: 503 });
    const linesOf = async () => {
      const lines: string[] = [];
      const query = { services: ['pay'], follow: false };
      for await (const { text } of world.runtime.logs(world.run, query, world.signal)) lines.push(text);
      return lines.join();
    };
    await until(async () => (await linesOf()).includes('/other'));
    expect(await linesOf()).not.toContain(mockHealthPath);
  });

  it('does without an address that is not there', async () => {
    const environment = { ARGUS_MOCK_ADDRESSES: '192.0.2.1' };
    const { port } = await startMock([route('GET', '/x')], { environment });
    expect(await ask(port, 'GET', '/x')).toMatchObject({ status: 200 });
  });

  // Other systems have only one local address unless they are told otherwise.
  describe.skipIf(process.platform !== 'linux')('on the gateway of its run', () => {
    const gateways = ['127.0.0.2'];
    const here = [route('GET', '/x', { body: 'here' })];
    const asking = service('api', { image: 'x' });
    const mockOn = async (environment = {}) => {
      const [actual, own] = [await freePort(), await freePort()];
      const speltOut = { ...asking, command: ['ask', `http://pay:${own}/`] };
      const mock = service('pay', { kind: 'mock', routes: here, environment, ports: [mapping(actual, own)] });
      return { world: await makeWorld(), actual, own, mock, speltOut };
    };

    it('listens on the port that it has and on its own, and nowhere else', async () => {
      const { world, actual, own, mock } = await mockOn();
      await world.runtime.start(mock, 'spec', world.context({ services: [mock, asking], gateways }));
      for (const port of [actual, own])
        expect(await ask(port, 'GET', '/x', '', '127.0.0.2')).toMatchObject({ body: 'here' });
      await expect(ask(actual, 'GET', '/x', '', '127.0.0.3')).rejects.toThrow(/ECONNREFUSED/);
    });

    it('needs the port that it has', async () => {
      const { world, actual, mock } = await mockOn();
      await holdPort(actual, '127.0.0.2');
      const context = world.context({ services: [mock, asking], gateways });
      await expect(world.runtime.start(mock, 'spec', context)).rejects.toMatchObject({
        code: 'PORT_CONFLICT',
        error: { details: { port: actual } },
      });
    });

    it('does without its own port, and says so, unless a container spells it out', async () => {
      const { world, own, actual, mock, speltOut } = await mockOn();
      await holdPort(own, '127.0.0.2');
      const misled = world.context({ services: [mock, speltOut], gateways });
      await expect(world.runtime.start(mock, 'spec', misled)).rejects.toMatchObject({
        code: 'PORT_CONFLICT',
        error: { details: { port: own, reason: 'spelt-out' } },
        message: expect.stringContaining('{{ports.pay}}'),
      });
      await world.runtime.start(mock, 'spec', world.context({ services: [mock, asking], gateways }));
      const message = `somebody else has the port ${own} on 127.0.0.2, so containers reach it at pay:${actual}`;
      expect(world.events.map(({ data }) => data)).toEqual([{ service: 'pay', state: 'starting', message }]);
    });

    it('does without an address that has gone since', async () => {
      const { world, actual, mock } = await mockOn();
      const gone = world.context({ services: [mock, asking], gateways: ['192.0.2.1'] });
      await world.runtime.start(mock, 'spec', gone);
      expect(await ask(actual, 'GET', '/x')).toMatchObject({ body: 'here' });
    });
  });

  it('is refused when containers get to the local address only, and one spells out the port that it did not get', async () => {
    const [actual, own] = [await freePort(), await freePort()];
    const world = await makeWorld();
    const mock = service('pay', { kind: 'mock', routes: [], ports: [mapping(actual, own)] });
    const api = service('api', { image: 'x', command: ['wget', `http://pay:${own}`] });
    const start = (services: ServiceSpec[]) =>
      world.runtime.start(mock, 'spec', world.context({ services, gateways: [] }));
    await expect(start([mock, api])).rejects.toMatchObject({
      code: 'PORT_CONFLICT',
      error: { details: { port: own, reason: 'spelt-out' } },
    });
    await start([mock, { ...api, command: ['wget', `http://other-pay:${own}`, `http://pay:${own}0`] }]);
  });

  it('is gone when it is removed, and answers again when it is started again', async () => {
    const { port, world, mock } = await startMock([route('GET', '/x')]);
    process.kill(world.stateOf('pay').child?.pid ?? 0, 'SIGKILL');
    await world.ended('pay');
    await world.start(mock);
    expect(await ask(port, 'GET', '/x')).toMatchObject({ status: 200 });
    expect(await world.remove()).toMatchObject([{ removed: true }]);
    await expect(ask(port, 'GET', '/x')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('is refused when its port is taken', async () => {
    const taken = await freePort();
    await holdPort(taken, '127.0.0.1');
    await expect(startMock([], { ports: [mapping(taken)] })).rejects.toMatchObject({ code: 'PORT_CONFLICT' });
  });

  it('is refused when it cannot listen at all', async () => {
    const ports = [{ ...mapping(await freePort()), ip: '192.0.2.1' }];
    await expect(startMock([], { ports })).rejects.toMatchObject({ code: 'SERVICE_START_FAILED' });
  });
});

function mapping(host: number, container = host): PortMapping {
  return { host, container, ip: null, protocol: 'tcp' };
}

async function startMock(
  routes: MockRoute[],
  rest: Partial<ServiceSpec> = {},
): Promise<{ port: number; world: World; mock: ServiceSpec }> {
  const world = await makeWorld();
  const ports = rest.ports ?? [mapping(await freePort())];
  const mock = service('pay', { kind: 'mock', routes, ...rest, ports });
  await world.start(mock);
  return { port: ports[0]?.host ?? 0, world, mock };
}

async function freePort(): Promise<number> {
  const server = await holdPort(0, '127.0.0.1');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function holdPort(port: number, host: string): Promise<ReturnType<typeof createServer>> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function ask(port: number, method: string, path: string, body = '', host = '127.0.0.1') {
  return new Promise<{ status: number | undefined; headers: object; body: string }>((resolve, reject) => {
    const asked = request({ host, port, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
