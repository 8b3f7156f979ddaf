import { expect, it } from 'vitest';
import { counted } from './counted.js';

it('counts with the word in the right number', () => {
  expect([0, 1, 2].map((number) => counted(number, 'route'))).toEqual(['0 routes', '1 route', '2 routes']);
  expect([1, 2].map((number) => counted(number, 'try', 'tries'))).toEqual(['1 try', '2 tries']);
});
