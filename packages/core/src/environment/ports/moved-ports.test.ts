import { describe, expect, it } from 'vitest';
import type { PortAssignment } from '../runs/run-record.js';
import { movedPortsIn, withMovedPorts } from './moved-ports.js';

const moved = (service: string, from: number, to: number, protocol?: 'tcp' | 'udp'): PortAssignment => ({
  service,
  originalPort: from,
  actualPort: to,
  reassigned: from !== to,
  ...(protocol ? { protocol } : {}),
});

describe('a text with local addresses', () => {
  const assignments = [moved('db', 8080, 8081), moved('web', 80, 8090), moved('tls', 443, 8443)];

  it.each([
    ['http://localhost:8080/x', 'http://localhost:8081/x'],
    ['127.0.0.1:8080', '127.0.0.1:8081'],
    ['127.0.0.2:8080', '127.0.0.2:8081'],
    ['http://[::1]:8080', 'http://[::1]:8081'],
    ['postgres://me:secret@localhost:8080/db', 'postgres://me:secret@localhost:8081/db'],
    ['kafka: localhost:8080,localhost:8080', 'kafka: localhost:8081,localhost:8081'],
    ['http://localhost', 'http://localhost:8090'],
    ['http://localhost/?a=b', 'http://localhost:8090/?a=b'],
    ['https://localhost/', 'https://localhost:8443/'],
    ['http://me@localhost/', 'http://me@localhost:8090/'],
    ...[
      ...['http://example.org:8080', 'http://localhost:80800', 'http://localhost:8081', '8080', 'localhost'],
      ...['http://localhost.example.org:8080', 'http://my-localhost:8080', 'http://localhost:9/8080'],
      ...['http://example.org/localhost:8080', 'http://localhost:9/localhost:8080/', 'ftp://localhost/'],
      ...['http://localhost:{{ports.db}}'],
    ].map((text): [string, string] => [text, text]),
  ] as [string, string][])('%s becomes %s', (text, expected) => {
    expect(withMovedPorts(text, assignments, 'api')).toBe(expected);
  });

  it('leads to the service whose text it is where several asked for the same port', () => {
    const both = [moved('one', 8080, 8080), moved('two', 8080, 8081), moved('three', 8080, 8082)];
    const text = 'http://localhost:8080';
    expect(withMovedPorts(text, both, 'two')).toBe('http://localhost:8081');
    expect(withMovedPorts(text, both, 'one')).toBe(text);
    expect(withMovedPorts(text, both, 'other')).toBe(text);
    expect(withMovedPorts(text, both.slice(1), 'other')).toBe('http://localhost:8081');
  });

  it('is changed once, also where a new port is an old one of another', () => {
    const chain = [moved('a', 8080, 8081), moved('b', 8081, 8082)];
    expect(withMovedPorts('localhost:8080 localhost:8081', chain, 'a')).toBe('localhost:8081 localhost:8082');
  });

  it('tells TCP from UDP', () => {
    const both = [moved('dns', 53, 5301, 'udp'), moved('dns', 53, 5302, 'tcp')];
    expect(withMovedPorts('udp://localhost:53 localhost:53', both, 'x')).toBe(
      'udp://localhost:5301 localhost:5302',
    );
    expect(withMovedPorts('localhost:53', both.slice(0, 1), 'dns')).toBe('localhost:5301');
    expect(withMovedPorts('localhost:53', both.slice(0, 1), 'x')).toBe('localhost:5301');
  });
});

it.each([
  ['here', 'pg_isready -h localhost -p 8080', true],
  ['here', ['nc', '-z', '127.0.0.1', '8080'], true],
  ['here', 'vite --port=8080', true],
  ['here', ['web', '--http-port', '8080'], true],
  ['here', 'curl -sf http://localhost:8080/', true],
  ['here', 'work --limit 8080', false],
  ['here', 'nc -z example.org 8080', false],
  ['here', 'web -p 80800', false],
  ['in-container', 'web -p 8080', false],
  ['in-container', 'nc -z localhost 8080', false],
  ['in-container', 'curl host.docker.internal:8080', true],
] as const)('%s the command %j spells out a port that was moved: %s', (from, command, expected) => {
  expect(movedPortsIn(command, [moved('web', 8080, 8081)], 'x', from).length > 0).toBe(expected);
});

it.each([
  ['node server.mjs 8080', true],
  ['8080', true],
  ['node server.mjs 80801', false],
  ['node server-8080.mjs', false],
  ['node server.mjs x=8080', false],
])('the command of a service spells out its own port with a bare number: %s (%s)', (command, expected) => {
  const assignments = [moved('web', 8080, 8081)];
  expect(movedPortsIn(command, assignments, 'web').length > 0).toBe(expected);
  expect(movedPortsIn(command, assignments, 'other')).toEqual([]);
  expect(movedPortsIn(command, assignments, 'web', 'in-container')).toEqual([]);
});
