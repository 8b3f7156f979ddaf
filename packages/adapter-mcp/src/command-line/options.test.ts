import { expect, it } from 'vitest';
import { parseOptions } from './options.js';

it('takes a port that there can be', () => {
  const portOf = (port: string) => parseOptions(['--port', port]).http?.port;
  expect([portOf('0'), portOf('65535'), parseOptions(['--http']).http?.port]).toEqual([0, 65_535, 7_333]);
  for (const wrong of ['65536', '99999', '1.5', '-1', 'any']) expect(() => portOf(wrong)).toThrow(/--port/);
});

it('takes any patience, also more than a timer can have', () => {
  const patienceOf = (seconds: string) => parseOptions(['--patience', seconds]).patienceMs;
  expect(patienceOf('0.5')).toBe(500);
  expect(patienceOf('9999999')).toBe(2 ** 31 - 1);
  expect(parseOptions([]).patienceMs).toBe(45_000);
  expect(() => patienceOf('long')).toThrow('--patience must be a number');
});
