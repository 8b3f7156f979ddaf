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

/** What stands beside the variable that is looked at. */
const environment = {
  NEAR_HOST: 'localhost',
  FAR_HOST: 'db.example.org',
  PGHOST: '127.0.0.1',
  STORE_HOST: 'db',
  UP_HOST: 'api',
  OUT_HOST: 'host.docker.internal',
};

it.each([
  ['here', 'URL', 'http://localhost:3000/x', 'http://localhost:3001/x'],
  ['here', 'URL', 'http://LOCALHOST:3000/x', 'http://LOCALHOST:3001/x'],
  ['here', 'URL', 'http://api:3000/x', 'http://api:3001/x'],
  ['here', 'URL', 'postgres://127.0.0.1:5432/x', 'postgres://127.0.0.1:5433/x'],
  ['here', 'DSN', 'host=localhost port=5432 user=x', 'host=localhost port=5433 user=x'],
  ['here', 'DSN', 'Server=127.0.0.1;Port=5432', 'Server=127.0.0.1;Port=5433'],
  ['here', 'DSN', 'host=db.example.org port=5432', 'host=db.example.org port=5432'],
  ['here', 'PORT', '3000', '3001'],
  ['here', 'HTTP_PORT', '3000', '3001'],
  ['here', 'DB_PORT', '5432', '5433'],
  ['here', 'OTHER_PORT', '5432', '5433'],
  ['here', 'NEAR_PORT', '5432', '5433'],
  ['here', 'PGPORT', '5432', '5433'],
  ['here', 'STORE_PORT', '5432', '5433'],
  ['here', 'FAR_PORT', '5432', '5432'],
  ['here', 'OTHER_PORT', '5434', '5434'],
  ['here', 'LIMIT', '3000', '3000'],
  ['in-container', 'URL', 'http://api:3000/x', 'http://api:3001/x'],
  ['in-container', 'URL', 'http://my-api:3000 api:30000', 'http://my-api:3000 api:30000'],
  ['in-container', 'URL', 'http://db:5432', 'http://db:5432'],
  ['in-container', 'URL', 'http://localhost:3000', 'http://localhost:3000'],
  ['in-container', 'URL', 'http://host.docker.internal:5432', 'http://host.docker.internal:5433'],
  ['in-container', 'API_PORT', '3000', '3001'],
  ['in-container', 'UP_PORT', '3000', '3001'],
  ['in-container', 'OUT_PORT', '5432', '5433'],
  ['in-container', 'DB_PORT', '5432', '5432'],
  ['in-container', 'STORE_PORT', '5432', '5432'],
  ['in-container', 'NEAR_PORT', '3000', '3000'],
] as const)('what is told %s as %s=%s is %s', (from, name, text, expected) => {
  const told = { service: from === 'here' ? 'api' : 'web', from, environment };
  expect(withMovedIn([name, text], told, assignments, ports)).toBe(expected);
});
