import { expect, it } from 'vitest';
import { parsePorts } from '../../config/port-mapping.js';
import { askedAt } from './asked-at.js';

const often = { interval: 1, timeout: 1, retries: 1, startPeriod: 0 };
const service = (check: object, ...ports: string[]) => ({
  ports: ports.flatMap(parsePorts),
  healthcheck: { ...often, ...check },
});

it.each([
  [{ tcp: 3000 }, 3000, null],
  [{ http: '/', port: 3000 }, 3000, null],
  [{ http: 'http://localhost:3000/x' }, 3000, null],
  [{ http: 'https://127.0.0.2/' }, 443, '127.0.0.2'],
  [{ http: 'http://[::1]:3000/' }, 3000, '[::1]'],
] as const)('a service with the health check %j is asked at %s of %s', (check, host, ip) => {
  const one = service(check);
  expect(askedAt(one, [one, service({ http: '/' }, '8080:80')])).toMatchObject({ host, ip, protocol: 'tcp' });
});

it.each([
  ['is a command', { command: 'true' }],
  ['asks elsewhere', { http: 'http://example.org:3000/' }],
  ['follows a port', { http: 'http://localhost:{{ports.web}}/' }],
  ['asks its own port', { tcp: 80 }, '8080:80'],
  ['asks another one', { http: 'http://localhost:8080/' }],
  ['asks where another one is asked', { tcp: 9090 }],
] as [string, object, string?][])(
  'a service whose health check %s is asked nowhere else',
  (_, check, port) => {
    const one = service(check, ...(port ? [port] : []));
    const others = [service({ http: '/' }, '8080:80'), service({ http: 'http://localhost:9090/' })];
    expect(askedAt(one, [one, ...others])).toBeUndefined();
  },
);
