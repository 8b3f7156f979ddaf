import { expect, it } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { environmentOf, mockHealthPath } from './environment-of.js';

const of = (config: object, dir = '/work/shop', name = 'My Shop!') =>
  environmentOf(configSchema.parse(config), { name, dir }).services;

it('takes services as they are configured, then mocks', () => {
  const services = {
    api: {
      image: 'api:1',
      command: ['serve'],
      entrypoint: '/run',
      memory: '64MB',
      cpus: 0.5,
      user: 1000,
      ports: ['8080:80'],
      healthcheck: { tcp: 80 },
      dependsOn: ['bank'],
      environment: { A: 1 },
    },
  };
  const routes = [{ path: '/pay' }];
  const mocks = {
    bank: { port: 9000, routes, vars: { url: 'x' } },
    queue: { image: 'queue:1' },
    web: { image: 'web:1', port: '18891:80', command: ['serve'] },
  };
  expect(of({ services, mocks })).toMatchObject([
    {
      name: 'api',
      kind: 'service',
      image: 'api:1',
      command: ['serve'],
      entrypoint: '/run',
      memory: 64_000_000,
      cpus: 0.5,
      user: '1000',
      healthcheck: { tcp: 80 },
      dependsOn: ['bank'],
      ports: [{ host: 8080, container: 80 }],
      environment: { A: '1' },
      oneShot: false,
    },
    {
      name: 'bank',
      kind: 'mock',
      routes,
      vars: { url: 'x' },
      dependsOn: [],
      oneShot: false,
      ports: [{ host: 9000, container: 9000, ip: null, protocol: 'tcp' }],
      healthcheck: { http: mockHealthPath },
    },
    { name: 'queue', kind: 'mock', image: 'queue:1', ports: [] },
    {
      name: 'web',
      kind: 'mock',
      image: 'web:1',
      command: ['serve'],
      ports: [{ host: 18_891, container: 80, ip: null, protocol: 'tcp' }],
    },
  ]);
});

it('leaves out what is not configured', () => {
  const [api] = of({ services: { api: { command: 'serve' } } });
  const optional = ['image', 'build', 'entrypoint', 'healthcheck', 'memory', 'cpus', 'user', 'routes'];
  expect(Object.keys(api ?? {}).filter((key) => optional.includes(key))).toEqual([]);
});

it('finds folders of builds from the folder of the project', () => {
  const [plain, whole] = of({
    services: {
      plain: { build: 'api' },
      whole: { build: { context: '../web', dockerfile: 'Dev.Dockerfile', args: { V: '1' }, target: 'dev' } },
    },
  });
  expect(plain?.build).toEqual({ context: '/work/shop/api', args: {} });
  expect(whole?.build).toEqual({
    context: '/work/web',
    dockerfile: '/work/web/Dev.Dockerfile',
    args: { V: '1' },
    target: 'dev',
  });
});

it('names what it builds after project, service and folder, unless it has a name', () => {
  const services = { Api_1: { build: '.' }, named: { build: '.', image: 'mine:1' } };
  const [built, named] = of({ services });
  expect(built?.image).toMatch(/^argus-my-shop-api-1:[0-9a-f]{8}$/);
  expect(named?.image).toBe('mine:1');
  expect(of({ services }, '/elsewhere')[0]?.image).not.toBe(built?.image);
  expect(of({ services }, '/work/shop', '!!')[0]?.image).toMatch(/^argus-x-api-1:/);
});
