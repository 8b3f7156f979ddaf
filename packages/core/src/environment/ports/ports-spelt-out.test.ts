import { expect, it } from 'vitest';
import { service } from '../fixtures/service.js';
import { portsSpeltOut } from './ports-spelt-out.js';

const image = 'x';
const mockAt = (host: number) => ({
  name: 'pay.v1',
  ports: [{ host, container: 9090, ip: null, protocol: 'tcp' as const }],
});
const found = (rest: Parameters<typeof service>[1], host = 9091) =>
  portsSpeltOut(mockAt(host), [service('api', rest)]);

it('finds a port that is spelt out after a name, and no other', () => {
  const asking = (text: string) => found({ image, command: [text] }).length > 0;
  expect(['http://pay.v1:9090/x', 'pay.v1:9090', 'tcp://a:b@pay.v1:9090'].every(asking)).toBe(true);
  expect(['pay.v1:90901', 'my-pay.v1:9090', 'x.pay.v1:9090', 'payxv1:9090', 'pay.v1'].some(asking)).toBe(
    false,
  );
  expect(asking('my-pay.v1:9090,pay.v1:9090')).toBe(true);
});

it('looks at what containers are told, and at the health check that is run inside', () => {
  const text = 'ask pay.v1:9090';
  const healthcheck = { interval: 1, timeout: 1, retries: 1, startPeriod: 1, command: text };
  for (const rest of [{ command: text }, { entrypoint: ['x', text] }, { healthcheck }])
    expect(found({ image, ...rest })).toEqual([9090]);
  expect(found({ command: text })).toEqual([]);
  expect(found({ image, vars: { url: text } })).toEqual([]);
});

it('is about ports that are others here', () => {
  expect(found({ image, command: 'ask pay.v1:9090' }, 9090)).toEqual([]);
});
