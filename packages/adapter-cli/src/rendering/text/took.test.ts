import { expect, it } from 'vitest';
import { took } from './took.js';

it('writes durations as people say them', () => {
  expect([0.2, 1, 12.4, 999.4, 999.6, 1540, 59_940, 130_000].map(took)).toEqual([
    ...['<1 ms', '1 ms', '12 ms', '999 ms', '1 s', '1.5 s', '59.9 s', '2m10s'],
  ]);
});
