import { afterEach, describe, expect, it } from 'vitest';
import { changesToGlobals, rememberGlobals } from './intact-globals.js';

rememberGlobals();
afterEach(() => void changesToGlobals());

describe('what everybody in a process uses', () => {
  it('is as it was while nobody changes it', () => {
    expect(changesToGlobals()).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['JSON.stringify', () => Object.assign(JSON, { stringify: () => 'nothing' })],
    ['Array.prototype.map', () => Object.assign(Array.prototype, { map: () => [] })],
    ['Promise.prototype.catch', () => Object.assign(Promise.prototype, { catch: () => undefined })],
    ['Reflect.get', () => Object.assign(Reflect, { get: () => undefined })],
    ['Date.now', () => Object.assign(Date, { now: () => 0 })],
    ['JSON', () => Object.assign(globalThis, { JSON: {} })],
    ['Object.prototype.extra', () => Object.assign(Object.prototype, { extra: 1 })],
    ['Array.prototype.last', () => Object.assign(Array.prototype, { last: () => 1 })],
  ])('is put back and named when %s was changed', (name, change) => {
    change();
    const told = changesToGlobals();
    expect(told).toEqual([name]);
    expect(JSON.stringify([1].map((one) => one + 1))).toBe('[2]');
    expect(changesToGlobals()).toEqual([]);
  });

  it('may be given more, where no loop comes upon it', () => {
    Object.defineProperty(Array.prototype, 'polyfill', { value: () => 1, configurable: true });
    expect(changesToGlobals()).toEqual([]);
    Reflect.deleteProperty(Array.prototype, 'polyfill');
  });
});
