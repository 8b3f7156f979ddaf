import type { ServiceSpec } from '@argusai/core';
import type { ContainerPlace } from '@argusai/plugin-docker';
import { describe, expect, it } from 'vitest';
import { serviceOf } from '../../../plugin-docker/src/runtime/fixtures/trial-run.js';
import { acquaintanceOf } from './acquaintance.js';
import { type Path, pathsOf, type ServiceMap } from './path.js';

const port = (container: number, host: number | null = container, ip: string | null = null) =>
  ({ container, host, ip, protocol: 'tcp' }) as const;
const check = { interval: 1, timeout: 1, retries: 1, startPeriod: 1 };
const place = (service: string, rest: Partial<ContainerPlace> = {}): ContainerPlace => ({
  service,
  id: `${service}-id`,
  name: `run-${service}`,
  image: 'x',
  running: true,
  pid: 1,
  networks: [{ name: 'run', aliases: [service], address: '' }],
  exposed: [],
  hosts: [],
  ...rest,
});

function mapOf(services: ServiceSpec[], places: ContainerPlace[] = []): ServiceMap {
  return {
    services,
    where: ({ image, command }) => (image ? 'container' : command ? 'machine' : 'elsewhere'),
    place: ({ name }) => places.find(({ service }) => service === name),
  };
}

const shown = ({ from, to, host, ports }: Path) =>
  `${from.name} → ${to.name} ${host} ${ports.map((one) => `${one.port}${one.promised ? '!' : ''}`).join(' ')}`;

describe('the paths of an environment', () => {
  it('lead from every service to what it depends on and to every mock, never to itself', () => {
    const image = 'x';
    const services = [
      serviceOf('api', { image, dependsOn: ['db', 'migrate'] }),
      serviceOf('db', { image }),
      serviceOf('migrate', { image, oneShot: true, dependsOn: ['db'] }),
      serviceOf('pay', { image, kind: 'mock', dependsOn: [] }),
      serviceOf('mail', { image, kind: 'mock' }),
    ];
    const paths = pathsOf(mapOf(services)).map(({ from, to }) => `${from.name} ${to.name}`);
    expect(paths).toEqual(['api db', 'api pay', 'api mail', 'db pay', 'db mail']);
  });

  it('go to the ports inside between containers: configured, checked, and those of the image', () => {
    const image = 'x';
    const services = [
      serviceOf('api', { image, dependsOn: ['web', 'db', 'bus', 'far'] }),
      serviceOf('web', {
        image,
        ports: [{ ...port(53), protocol: 'udp' }, port(80, 8080), port(9229)],
        healthcheck: { ...check, http: '/up' },
      }),
      serviceOf('db', { image, ports: [port(5432, null)], healthcheck: { ...check, tcp: 5432 } }),
      serviceOf('bus', { image, ports: [{ ...port(53), protocol: 'udp' }] }),
      serviceOf('far', { image, ports: [port(1)], healthcheck: { ...check, http: 'http://x/' } }),
      serviceOf('pay', { image, kind: 'mock', ports: [port(90)] }),
    ];
    const places = [place('bus', { exposed: [4222] }), place('pay', { exposed: [90, 91] })];
    const paths = pathsOf(mapOf(services, places)).filter(({ from }) => from.name === 'api');
    expect(paths.map(shown)).toEqual([
      'api → web web 80! 9229',
      'api → db db 5432!',
      'api → bus bus 4222',
      'api → far far 1',
      'api → pay pay 90! 91',
    ]);
  });

  it('go from a container to the published ports of what runs on this machine', () => {
    const services = [
      serviceOf('api', { image: 'x', dependsOn: ['web', 'job'] }),
      serviceOf('web', { command: 'x', ports: [port(80, 8080), port(81, 8081)] }),
      serviceOf('job', { command: 'x', healthcheck: { ...check, command: 'x' }, ports: [port(82)] }),
      serviceOf('pay', { command: 'x', kind: 'mock', ports: [port(90)] }),
    ];
    const paths = pathsOf(mapOf(services)).filter(({ from }) => from.name === 'api');
    // A process without a health check was waited for at its first port.
    expect(paths.map(shown)).toEqual(['api → web web 8080! 8081', 'api → job job 82', 'api → pay pay 90!']);
  });

  it('go from a container to the port that a mock has instead, also where another one is spelt out', () => {
    const pay = serviceOf('pay', { kind: 'mock', routes: [], ports: [port(90, 91)] });
    const services = [
      serviceOf('api', { image: 'x', environment: { PAY: 'http://pay:90/' } }),
      serviceOf('shop', { image: 'x', environment: { PAY: 'http://pay:900/' } }),
      pay,
    ];
    expect(pathsOf(mapOf(services)).map(shown)).toEqual(['api → pay pay 91!', 'shop → pay pay 91!']);
  });

  it('go from a process to where a service is published', () => {
    const services = [
      serviceOf('api', { command: 'x', dependsOn: ['web', 'any', 'six'] }),
      serviceOf('web', { image: 'x', ports: [port(80, 8080), port(81, 8081, '10.0.0.1')] }),
      serviceOf('any', { image: 'x', ports: [port(80, null)] }),
      serviceOf('six', { image: 'x', ports: [port(80, 1, '[fe80::1]')] }),
    ];
    expect(pathsOf(mapOf(services)).map(shown)).toEqual([
      'api → web localhost 8080',
      'api → any localhost ',
      'api → six fe80::1 1',
    ]);
  });
});

describe('whether one knows another', () => {
  const [api, db] = [serviceOf('api', { image: 'x', dependsOn: ['db'] }), serviceOf('db', { image: 'x' })];
  const mock = serviceOf('pay', { command: 'x', kind: 'mock' });
  const between = (from: ServiceSpec, to: ServiceSpec, ...places: ContainerPlace[]) =>
    acquaintanceOf({ from, to, host: to.name, ports: [] }, mapOf([from, to], places));

  it('is told by the networks that they share, and the name on it', () => {
    expect(between(api, db, place('api'), place('db'))).toBe('known');
    expect(between(api, db, place('api'), place('db', { networks: [] }))).toBe('not-known');
    const nameless = { networks: [{ name: 'run', aliases: ['4f2a'], address: '' }] };
    expect(between(api, db, place('api'), place('db', nameless))).toBe('not-known');
    expect(between(api, db, place('api', { networks: [] }), place('db'))).toBe('not-known');
  });

  it('is told by the names that a container was given, for what is outside', () => {
    expect(between(api, mock, place('api', { hosts: ['pay'] }))).toBe('known');
    expect(between(api, mock, place('api'))).toBe('older');
    const needs = { ...api, dependsOn: ['pay'] };
    expect(between(needs, mock, place('api'))).toBe('not-known');
  });

  it('is taken for granted where nobody can tell', () => {
    expect(between(mock, api)).toBe('known');
    expect(between(api, db)).toBe('known');
  });
});
