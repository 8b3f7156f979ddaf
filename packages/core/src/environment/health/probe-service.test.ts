import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pause } from '../../time/pause.js';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { check, contextOf, service } from '../fixtures/service.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { probeService } from './probe-service.js';

/** A server that says on which path it was asked; gives its port. */
async function server(address = '127.0.0.1'): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '');
    response.end();
  });
  server.listen(0, address);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

const { command: _, ...times } = check();

/** Tries a check of a service that publishes its port 80 there. */
function probe(rest: Partial<HealthSpec>, host: number, ip: string | null = null) {
  const ports = [
    { host: 1, container: 79, ip: null, protocol: 'tcp' as const },
    { host, container: 80, ip, protocol: 'tcp' as const },
  ];
  return probeOf(rest, { ports });
}

function probeOf(rest: Partial<HealthSpec>, spec: Partial<ServiceSpec>) {
  const world = makeWorld();
  const api = service('api', spec);
  return probeService(world.open({}), api, new KnownPorts([api]), contextOf(world))({ ...times, ...rest });
}

describe('a health check from here', () => {
  it.each([null, '0.0.0.0', '127.0.0.1'])('goes to the published port on %s', async (ip) => {
    const { port, asked } = await server();
    expect(await probe({ http: '/health', port: 80 }, port, ip)).toMatchObject({ healthy: true });
    expect(await probe({ tcp: 80 }, port, ip)).toMatchObject({ healthy: true });
    expect(asked).toEqual(['/health']);
  });

  it.each(['[::1]', '::1', '[::]'])('goes to an IPv6 address, written %s', async (ip) => {
    const { port } = await server('::1');
    expect(await probe({ http: '/health', port: 80 }, port, ip)).toMatchObject({
      healthy: true,
      output: `GET http://[::1]:${port}/health answered 200`,
    });
    expect(await probe({ tcp: 80 }, port, ip)).toMatchObject({ healthy: true });
  });

  it('goes to the first port when none is named', async () => {
    const { port } = await server();
    expect(await probe({ http: '/' }, port)).toMatchObject({
      healthy: false,
      output: expect.stringContaining('http://localhost:1/'),
    });
  });

  it('goes to a port as it is when a process does not publish it', async () => {
    const { port } = await server();
    expect(await probe({ tcp: port }, 1)).toMatchObject({ healthy: true });
  });

  it('never goes to somebody else who has the port that a container does not publish', async () => {
    const { port, asked } = await server();
    const mapping = { host: port, container: port, ip: null, protocol: 'tcp' as const };
    for (const ports of [
      [],
      [{ ...mapping, container: port - 1 }],
      [{ ...mapping, protocol: 'udp' as const }],
      // Not yet known where.
      [{ ...mapping, host: null }],
    ])
      for (const rest of [{ tcp: port }, { http: '/', port }])
        expect(await probeOf(rest, { image: 'x', ports })).toEqual({
          healthy: false,
          unknown: expect.objectContaining({ code: 'HEALTH_UNKNOWN' }),
          output: `the container publishes no port ${port}, so that it cannot be asked there`,
        });
    const udp = [{ ...mapping, protocol: 'udp' as const }];
    expect(await probeOf({ http: '/' }, { image: 'x', ports: udp })).toMatchObject({
      unknown: { code: 'HEALTH_UNKNOWN' },
    });
    expect(asked).toEqual([]);
  });

  it('goes wherever a whole URL says', async () => {
    const { port, asked } = await server();
    expect(await probe({ http: `http://127.0.0.1:${port}/there` }, 1)).toMatchObject({ healthy: true });
    expect(asked).toEqual(['/there']);
  });
});

it('a health command that turns bad has its whole time to say so again in its own words', async () => {
  const world = makeWorld();
  const { clock, runtime } = world;
  const api = service('api');
  let exitCode = 0;
  runtime.exec = async () => {
    await pause(clock, 3_000);
    return { exitCode, output: 'the database is away' };
  };
  Object.assign(runtime, {
    endsWell: async (...given: Parameters<typeof runtime.exec>) =>
      (await runtime.exec(...given)).exitCode === 0,
  });
  const probe = probeService(world.open({}), api, new KnownPorts([api]), contextOf(world));
  expect(await world.passing(probe(check()))).toMatchObject({ healthy: true });
  exitCode = 1;
  expect(await world.passing(probe(check()))).toMatchObject({
    healthy: false,
    answered: true,
    output: 'exit code 1: «the database is away»',
  });
});

it('a health command that prints nothing is told by its exit code alone', async () => {
  const world = makeWorld();
  world.runtime.exec = async () => ({ exitCode: 3, output: ' \n' });
  const api = service('api');
  const probe = probeService(world.open({}), api, new KnownPorts([api]), contextOf(world));
  expect(await probe(check())).toMatchObject({ healthy: false, output: 'exit code 3' });
});
