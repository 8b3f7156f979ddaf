import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAULT_TEXT_LIMIT, faultText } from './fault-text.js';

const same = (text: string) => text;

describe('what is remembered of a fault', () => {
  it('is the message of an error and something readable of anything else', () => {
    expect(faultText(new Error('down'), same)).toBe('down');
    expect(faultText('down', same)).toBe('thrown: down');
    expect(faultText(undefined, same)).toBe('thrown: undefined');
  });

  it('has its secrets removed before it is cut, so that none is cut in half', () => {
    const secret = 'hunter2'.repeat(50);
    expect(faultText(new Error(`password ${secret}`), (text) => text.replace(secret, '***'))).toBe(
      'password ***',
    );
  });

  it('is never longer than the limit and never ends in half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 250, maxLength: 400 }), (message) => {
        const text = faultText(new Error(message), same);
        expect(text.length).toBeLessThanOrEqual(FAULT_TEXT_LIMIT);
        expect(Buffer.from(text).toString()).toBe(text);
      }),
    );
  });
});
