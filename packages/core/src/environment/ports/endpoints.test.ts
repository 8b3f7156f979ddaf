import { expect, it } from 'vitest';
import { parsePorts } from '../../config/port-mapping.js';
import { endpointsOf } from './endpoints.js';

it.each([
  ['8080:80', ['http://localhost:8080']],
  ['0.0.0.0:8080:80', ['http://127.0.0.1:8080']],
  ['[::]:8080:80', ['http://[::1]:8080']],
  ['127.0.0.2:8080:80', ['http://127.0.0.2:8080']],
  ['[::1]:8080:80', ['http://[::1]:8080']],
  ['5353:53/udp', ['udp://localhost:5353']],
  ['15432:5432', ['tcp://localhost:15432']],
  ['80', []],
])('says where %s can be reached', (ports, endpoints) => {
  expect(endpointsOf(parsePorts(ports))).toEqual(endpoints);
});

it('says where a port can be reached that an engine lists with a plain address', () => {
  const port = { host: 8080, container: 80, protocol: 'tcp' } as const;
  expect(
    endpointsOf([
      { ...port, ip: '::1' },
      { ...port, ip: '::' },
    ]),
  ).toEqual(['http://[::1]:8080', 'http://[::1]:8080']);
});
