import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson, toJson } from './json.js';

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

describe('toJson', () => {
  it('gives back JSON for anything at all, and never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
        (value) => {
          expect(isJson(toJson(value))).toBe(true);
        },
      ),
    );
  });

  it('leaves JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(toJson(json)).toEqual(json);
      }),
    );
  });

  it('says what JSON cannot say in words', () => {
    const cycle: Record<string, unknown> = { name: 'a' };
    cycle.self = cycle;
    expect(toJson(cycle)).toEqual({ name: 'a', self: '[circular]' });
    expect(toJson({ big: 5n, nan: Number.NaN, gone: undefined, call: () => 1 })).toMatchObject({
      big: '5',
      nan: 'NaN',
    });
    expect(toJson([1, undefined])).toEqual([1, null]);
    expect(toJson(new Error('no'))).toEqual({ name: 'Error', message: 'no' });
    expect(toJson(new Map([['a', new Set([1])]]))).toEqual({ a: [1] });
    expect(toJson(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(toJson(new Date(Number.NaN))).toBe('Invalid Date');
  });

  it('does not follow a nesting without end', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(JSON.stringify(toJson(deep))).toContain('[too deep]');
    expect(isJson(deep)).toBe(false);
  });

  it('goes on when a getter throws', () => {
    const hostile = {
      get value() {
        throw new Error('no');
      },
    };
    expect(toJson({ hostile, rest: 1 })).toEqual({ hostile: '[unreadable]', rest: 1 });
  });

  it.each<[string, unknown, unknown]>([
    ['a proxy that is revoked', revoked(), '[unreadable]'],
    ['a list that cannot be walked', Object.assign([1], { [Symbol.iterator]: 5 }), '[unreadable]'],
    ['a function that does not say what it is', Object.assign(() => 1, { toString: null }), '[unreadable]'],
    ['a date without a time', Object.assign(new Date(0), { getTime: 5 }), '[unreadable]'],
    [
      'an error whose message is none',
      Object.assign(new Error('x'), { message: 5n }),
      { name: 'Error', message: '5' },
    ],
    ['a list without end', new Array(2 ** 32 - 1), '[too long]'],
  ])('goes on at %s', (_, odd, said) => {
    expect(toJson({ odd, rest: 1 })).toEqual({ odd: said, rest: 1 });
  });
});

describe('isJson', () => {
  it.each([[undefined], [() => 1], [5n], [Number.NaN], [new Date()], [new Map()], [new Array(1)]])(
    'is not fooled by %s',
    (value) => {
      expect(isJson(value)).toBe(false);
    },
  );

  it('notices a cycle and allows the same object twice', () => {
    const shared = { a: 1 };
    expect(isJson([shared, shared])).toBe(true);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(isJson(cycle)).toBe(false);
  });
});
