import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePorts, portMappings } from './port-mapping.js';

describe('a port mapping', () => {
  it.each([
    ['8080:3000', { host: 8080, container: 3000, ip: null, protocol: 'tcp' }],
    ['3000', { host: null, container: 3000, ip: null, protocol: 'tcp' }],
    [3000, { host: null, container: 3000, ip: null, protocol: 'tcp' }],
    ['53:53/udp', { host: 53, container: 53, ip: null, protocol: 'udp' }],
    ['127.0.0.1:8080:3000/tcp', { host: 8080, container: 3000, ip: '127.0.0.1', protocol: 'tcp' }],
    ['127.0.0.1::3000', { host: null, container: 3000, ip: '127.0.0.1', protocol: 'tcp' }],
    ['[::1]:8080:3000', { host: 8080, container: 3000, ip: '[::1]', protocol: 'tcp' }],
  ])('reads %j', (text, mapping) => {
    expect(parsePorts(text)).toEqual([mapping]);
  });

  it('gives one mapping for each port of a range', () => {
    expect(parsePorts('8000-8002:3000-3002').map(({ host, container }) => [host, container])).toEqual([
      [8000, 3000],
      [8001, 3001],
      [8002, 3002],
    ]);
  });

  it('gives one mapping for a range of ports on this machine and one of the service', () => {
    expect(parsePorts('127.0.0.1:26800-26810:80/udp')).toEqual([
      { host: 26800, container: 80, ip: '127.0.0.1', protocol: 'udp', hostRange: [26800, 26810] },
    ]);
  });

  it.each([
    ['::1:26814:84', 'an IPv6 address belongs in brackets, "[::1]:26814:84"'],
    ['fe80::1::84/udp', 'an IPv6 address belongs in brackets, "[fe80::1]::84/udp"'],
    ['8080:3000/sctp', 'sctp is not supported, only tcp and udp are'],
    ['1-3:80-81', '3 ports on this machine cannot go with 2 of the service'],
  ])('says what is wrong with %j', (text, reason) => {
    expect(() => parsePorts(text)).toThrow(`${JSON.stringify(text)} is not a port mapping: ${reason}`);
  });

  it.each([
    [{ target: 80, published: 8080 }, '"8080:80"'],
    [{ target: 80, published: '8080', host_ip: '127.0.0.1', protocol: 'udp' }, '"127.0.0.1:8080:80/udp"'],
    [{}, '"8080:3000"'],
  ])('in the long form is told the short one', (input, short) => {
    const { issues } = portMappings().safeParse([input]).error ?? { issues: [] };
    expect(issues.map(({ message }) => message)).toEqual([
      `expected the short form ${short} because the long form is not supported`,
    ]);
  });

  it.each([
    '',
    'http',
    ':80',
    '80:',
    '0',
    '65536',
    '80:70000',
    '8080:3000/sctp',
    '127.0.0.1:80',
    '300.1.1.1:1:1',
    '127.0.0.256::1',
    '5-3',
    '1:2:3',
    80.5,
    -1,
  ])('rejects %j and quotes it', (text) => {
    expect(() => parsePorts(text)).toThrow(`${JSON.stringify(text)} is not a port mapping`);
  });

  it('reads back every mapping that can be written', () => {
    const port = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(port, port, fc.constantFrom('tcp', 'udp'), (host, container, protocol) => {
        expect(parsePorts(`${host}:${container}/${protocol}`)).toEqual([
          { host, container, ip: null, protocol },
        ]);
      }),
    );
  });

  it('in a list is told by its place', () => {
    expect(portMappings().parse(undefined)).toEqual([]);
    expect(portMappings().parse(['1-2', 3])).toHaveLength(3);
    expect(
      portMappings()
        .safeParse(['1', 'x', true])
        .error?.issues.map(({ path }) => path),
    ).toEqual([[1], [2]]);
  });
});
