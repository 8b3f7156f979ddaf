import { describe, expect, it } from 'vitest';
import { portRange, portsNear, sizeOf } from './port-range.js';

describe('a range of ports', () => {
  it('is read from two numbers', () => {
    expect(portRange().parse('20000-29999')).toEqual({ first: 20_000, last: 29_999 });
    expect(portRange().parse(' 1024 - 1024 ')).toEqual({ first: 1_024, last: 1_024 });
    expect(sizeOf({ first: 20_000, last: 29_999 })).toBe(10_000);
  });

  it.each(['', '3000', '3000-', '80-2000', '3000-2999', '60000-65536', 'a-b', '1-2-3'])(
    'is not read from %j, which the problem quotes',
    (text) => {
      const { error } = portRange().safeParse(text);
      expect(error?.issues[0]?.message).toContain(JSON.stringify(text));
    },
  );

  it('is not a number', () => {
    expect(portRange().safeParse(3000).error?.issues[0]?.message).toContain('expected two ports');
  });
});

describe('the ports near a port', () => {
  const near = (wished: number, first: number, last: number) => [...portsNear(wished, { first, last })];

  it('go up from it and then begin at the start of the range', () => {
    expect(near(3_001, 3_000, 3_004)).toEqual([3_002, 3_003, 3_004, 3_000, 3_001]);
  });

  it('are the whole range when it is elsewhere', () => {
    expect(near(8_080, 3_000, 3_002)).toEqual([3_000, 3_001, 3_002]);
    expect(near(3_002, 3_000, 3_002)).toEqual([3_000, 3_001, 3_002]);
  });

  it('begin with the usual double of a well-known port', () => {
    expect(near(80, 1_024, 65_535)[0]).toBe(8_080);
    expect(near(443, 1_024, 65_535)[0]).toBe(8_443);
  });
});
