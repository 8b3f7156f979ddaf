import { expect, it } from 'vitest';
import { KnownPorts } from './known-ports.js';
import { withMovedIn } from './moved-in-variables.js';

const port = (number: number) => [
  { host: number + 1, container: number, ip: null, protocol: 'tcp' as const },
];
const ports = new KnownPorts([
  { name: 'api', ports: port(3_000) },
  { name: 'db', ports: port(5_432), image: 'x' },
]);
const moved = (service: string, originalPort: number) => ({
  service,
  originalPort,
  actualPort: originalPort + 1,
  reassigned: true,
});
const assignments = [moved('api', 3_000), moved('db', 5_432)];

it.each([
  ['here', 'URL', 'http://localhost:3000/x', 'http://localhost:3001/x'],
  ['here', 'URL', 'postgres://127.0.0.1:5432/x', 'postgres://127.0.0.1:5433/x'],
  ['here', 'PORT', '3000', '3001'],
  ['here', 'HTTP_PORT', '3000', '3001'],
  ['here', 'DB_PORT', '5432', '5433'],
  ['here', 'OTHER_PORT', '5432', '5432'],
  ['here', 'LIMIT', '3000', '3000'],
  ['in-container', 'URL', 'http://api:3000/x', 'http://api:3001/x'],
  ['in-container', 'URL', 'http://my-api:3000 api:30000', 'http://my-api:3000 api:30000'],
  ['in-container', 'URL', 'http://db:5432', 'http://db:5432'],
  ['in-container', 'URL', 'http://localhost:3000', 'http://localhost:3000'],
  ['in-container', 'API_PORT', '3000', '3001'],
  ['in-container', 'DB_PORT', '5432', '5432'],
] as const)('what is told %s as %s=%s is %s', (from, name, text, expected) => {
  expect(withMovedIn([name, text], { service: 'api', from }, assignments, ports)).toBe(expected);
});
