import { expect, it } from 'vitest';
import { factsOf } from './facts.js';

it.each([
  [
    { available: 1.2e9, required: 2e9, total: 50e9, unit: 'bytes', path: '/' },
    ['measured: 1.2 GB of 50 GB, wanted: at least 2 GB', 'path: /'],
  ],
  [{ available: 10, required: 100, unit: 'inodes' }, ['measured: 10 inodes, wanted: at least 100 inodes']],
  [
    { latencyMs: 350, limitMs: 200, target: 'api' },
    ['measured: 350 ms, wanted: at most 200 ms', 'target: api'],
  ],
  [{ daysLeft: 3, requiredDays: 14, validTo: 1e12 }, ['measured: 3 days left, wanted: at least 14 days']],
  [{ status: 500, expected: '200 to 299' }, ['measured: status 500, wanted: 200 to 299']],
  [{ status: null, expected: 'a body with ok' }, ['measured: no such answer, wanted: a body with ok']],
  [
    { service: 'api', port: 8080, pid: 42, command: 'node server.mjs' },
    ['held by: process 42 (node server.mjs)', 'service: api, port: 8080'],
  ],
  [{ port: 1, pid: 42, command: 'x'.repeat(90) }, [`held by: process 42 (${'x'.repeat(59)}…)`, 'port: 1']],
  [{ port: 8080, pid: 42 }, ['held by: process 42', 'port: 8080']],
  [{ exitCode: 137, finishedAt: 1.8e12 }, ['exitCode: 137, finishedAt: 2 min ago']],
  [{ createdAt: '2027-01-15T07:00:00.000Z' }, ['createdAt: 1 h ago']],
  [{ nextAt: 1.9e12 }, ['nextAt: 1900000000000']],
  // A process that holds no port is a detail like any other.
  [{ pid: 42, deep: { a: 1 }, long: 'x'.repeat(61) }, ['pid: 42']],
  [{}, []],
])('what %j says in words', (details, expected) => {
  expect(factsOf(details, 1.8e12 + 120_000)).toEqual(expected);
});
