import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKnownSecrets } from './known-secrets.js';
import { REDACTED } from './redacted.js';

const secret = 'p@ss "wörd"/1&2';
const known = createKnownSecrets([secret]);

describe('known secrets', () => {
  it.each([
    ['as they are', secret],
    ['escaped for a URL', encodeURIComponent(secret)],
    ['escaped in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['escaped for a form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['escaped for JSON', 'p@ss \\"wörd\\"/1&2'],
    ['escaped for JSON by Python', 'p@ss \\"w\\u00f6rd\\"/1&2'],
    ['escaped for JSON by PHP', 'p@ss \\"w\\u00f6rd\\"\\/1&2'],
    ['escaped for JSON by Go', 'p@ss \\"wörd\\"/1\\u00262'],
  ])('are found %s', (_, form) => {
    expect(known.occurIn(`before ${form} after`)).toBe(true);
    expect(known.mask(`before ${form} after`)).toBe(`before ${REDACTED} after`);
  });

  it('are found in base64, whatever stands around them', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('base64', 'base64url'),
        (before, after, encoding) => {
          const encoded = Buffer.from(before + secret + after).toString(encoding as BufferEncoding);
          expect(known.mask(encoded)).toContain(REDACTED);
        },
      ),
    );
  });

  it('are found without the line end that a file left behind them', () => {
    expect(createKnownSecrets(['hunter-22\n']).mask('got hunter-22!')).toBe(`got ${REDACTED}!`);
  });

  it('are found line by line when they are long', () => {
    const lines = ['-----BEGIN THING-----', 'MIIEvQIBADANBgkqhkiG9w0', 'short', 'a line with spaces in it'];
    const long = createKnownSecrets([lines.join('\n')]);
    expect(lines.map((line) => long.mask(line))).toEqual([lines[0], REDACTED, 'short', lines[3]]);
    expect(long.mask(`x${lines.join('\n')}x`)).toBe(`x${REDACTED}x`);
  });

  it('may have half a character in them', () => {
    expect(createKnownSecrets(['abc\ud800def']).mask('<abc\ud800def>')).toBe(`<${REDACTED}>`);
  });

  it('leave nothing behind where they overlap', () => {
    const two = createKnownSecrets(['abc-1234', '1234-xyz', 'abc-1234-long']);
    expect(two.mask('<abc-1234-xyz>')).toBe(`<${REDACTED}>`);
    expect(two.mask('<abc-1234-long>')).toBe(`<${REDACTED}>`);
    expect(two.mask('<abc-1234> <1234-xyz>')).toBe(`<${REDACTED}> <${REDACTED}>`);
  });

  it('are left out when they are too short or too ordinary', () => {
    const none = createKnownSecrets(['', 'abc', 'postgres', '12345', 'redacted']);
    expect(none.occurIn('abc postgres 12345 redacted')).toBe(false);
    expect(none.mask('abc postgres 12345 redacted')).toBe('abc postgres 12345 redacted');
  });
});
