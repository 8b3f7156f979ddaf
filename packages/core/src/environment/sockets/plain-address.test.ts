import { describe, expect, it } from 'vitest';
import { addressesMeet, plainAddress } from './plain-address.js';

describe('a plain address', () => {
  it.each([null, '0.0.0.0', '::', '[::]', '*', '0:0:0:0:0:0:0:0'])('is every address for %s', (ip) => {
    expect(plainAddress(ip)).toBe('*');
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:0.0.0.0', '*'],
    ['fe80:0::1%eth0', 'fe80::1%eth0'],
    ['not:an:address', 'not:an:address'],
  ])('of %s is %s', (ip, plain) => {
    expect(plainAddress(ip)).toBe(plain);
  });
});

describe('two addresses', () => {
  it('meet when one of them stands for all, or both are the same', () => {
    expect(addressesMeet('*', '127.0.0.1')).toBe(true);
    expect(addressesMeet('::1', '*')).toBe(true);
    expect(addressesMeet('127.0.0.1', '127.0.0.1')).toBe(true);
  });

  it('do not meet when they are different', () => {
    expect(addressesMeet('127.0.0.1', '127.0.0.2')).toBe(false);
    expect(addressesMeet('127.0.0.1', '::1')).toBe(false);
  });
});
