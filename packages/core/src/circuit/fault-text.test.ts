import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../redact/redactor.js';
import { FAULT_TEXT_LIMIT, faultText } from './fault-text.js';

const redactor = createRedactor();

describe('what is remembered of a fault', () => {
  it('is the message of an error and something readable of anything else', () => {
    expect(faultText(new Error('down'), redactor)).toBe('down');
    expect(faultText('down', redactor)).toBe('thrown: down');
    expect(faultText(undefined, redactor)).toBe('thrown: undefined');
  });

  it('has its secrets removed before it is cut, so that none is cut in half', () => {
    const secret = 'hunter2'.repeat(50);
    expect(faultText(new Error(`it said ${secret}`), createRedactor({ secrets: [secret] }))).toBe(
      'it said [redacted]',
    );
  });

  it('is never longer than the limit and never ends in half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 250, maxLength: 400 }), (message) => {
        const text = faultText(new Error(message), redactor);
        expect(text.length).toBeLessThanOrEqual(FAULT_TEXT_LIMIT);
        expect(Buffer.from(text).toString()).toBe(text);
      }),
    );
  });
});
