import { describe, expect, it } from 'vitest';
import { parsePorts } from '../../config/port-mapping.js';
import { asIn, KnownPorts } from './known-ports.js';

const ports = (...texts: string[]) => texts.flatMap(parsePorts);

/** As an engine lists them: in the order of its own, with addresses filled in. */
const listed = (...texts: string[]) =>
  ports(...texts).map((port) => ({ ...port, ip: (port.ip ?? '127.0.0.1').replace(/^\[|\]$/g, '') }));

describe('the ports of services', () => {
  it('stay in the order of the configuration when the runtime says which it chose', () => {
    const known = new KnownPorts([{ name: 'web', ports: ports('24180:8080', '53/udp', '70') }]);
    known.learn('web', listed('40001:53/udp', '40002:70', '24180:8080'));
    expect(known.of('web').map(({ host }) => host)).toEqual([24180, 40001, 40002]);
    expect(known.hostPort('web')).toBe(24180);
    expect(known.variables()).toEqual({ ARGUS_PORT_WEB: '24180', ARGUS_URL_WEB: 'http://localhost:24180' });
  });

  it.each([
    [ports('80', '8080:80'), listed('8080:80', '40001:80'), [40001, 8080]],
    [ports('[::1]::80', '80'), listed('40001:80', '[::1]:40002:80'), [40002, 40001]],
    [ports('80', '80'), listed('40001:80', '40002:80'), [40001, 40002]],
    [ports('53', '53/udp'), listed('40001:53/udp', '40002:53'), [40002, 40001]],
    [ports('80', '81'), listed('40001:80'), [40001, null]],
    [ports('80'), [], [null]],
  ])('are told from each other', (asked, actual, hosts) => {
    expect(asIn(asked, actual).map(({ host }) => host)).toEqual(hosts);
  });

  it('keep the first over TCP in front, whatever is asked for without a number', () => {
    const known = new KnownPorts([{ name: 'dns', ports: ports('5300:53/udp', '5301:53', '8080:80') }]);
    expect(known.hostPort('dns')).toBe(5301);
    expect(known.hostPort('dns', 53)).toBe(5301);
    expect(known.hostPort('dns', 53, 'udp')).toBe(5300);
  });

  it('over UDP have no URL', () => {
    const known = new KnownPorts([{ name: 'dns', ports: ports('5300:53/udp') }]);
    expect(known.variables()).toEqual({ ARGUS_PORT_DNS: '5300' });
  });

  it('are told as URLs that lead there, from here and from a container', () => {
    const known = new KnownPorts([
      { name: 'six', ports: ports('[::1]:8080:80'), image: 'x' },
      { name: 'near', ports: ports('127.0.0.2:8081:81') },
      { name: 'later', ports: ports('5432'), image: 'x' },
    ]);
    expect(known.variables()).toEqual({
      ARGUS_PORT_SIX: '8080',
      ARGUS_URL_SIX: 'http://[::1]:8080',
      ARGUS_PORT_NEAR: '8081',
      ARGUS_URL_NEAR: 'http://127.0.0.2:8081',
    });
    expect(known.variables(['six', 'near', 'later'], 'in-container')).toEqual({
      ARGUS_PORT_SIX: '80',
      ARGUS_URL_SIX: 'http://six:80',
      ARGUS_PORT_NEAR: '8081',
      ARGUS_URL_NEAR: 'http://near:8081',
      ARGUS_PORT_LATER: '5432',
      ARGUS_URL_LATER: 'tcp://later:5432',
    });
  });

  it('are known of whoever the runtime tells of', () => {
    const known = new KnownPorts([]);
    known.learn('new', listed('8080:80'));
    expect([known.has('new'), known.has('other'), known.hostPort('new')]).toEqual([true, false, 8080]);
  });
});
