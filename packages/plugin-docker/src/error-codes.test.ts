import { describe, expect, it } from 'vitest';
import { daemonReasons } from './client/classify-failure.js';
import { dockerUnavailable } from './error-codes.js';

describe('a daemon that cannot be used', () => {
  it('has a remedy for every reason', () => {
    expect(Object.keys(dockerUnavailable.remedies ?? {}).toSorted()).toEqual([...daemonReasons].toSorted());
  });
});
