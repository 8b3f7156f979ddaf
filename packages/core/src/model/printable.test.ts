import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLines } from './printable.js';

const anyText = fc.string({ unit: 'binary' });
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\x00-\x1f\x7f-\x9f\u2028\u2029]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/u;

describe('printable', () => {
  it('leaves nothing in any text that a terminal acts on or nobody sees', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(printable(text)).not.toMatch(unseen);
      }),
    );
  });

  it.each([
    ['a\nb\x1b[2Jc\x1b]0;title\x07d\te\x9bf', 'a bcd e'],
    ['\x9b31mred\x9bm \x1b👩!', 'red !'],
    ['well\u202e!llew', 'well!llew'],
    ['a\u2066b\u2069\u200e\u061cc', 'abc'],
    ['no\u{e0041}\u{e0042}thing\u200b', 'nothing'],
    ['so\u00adf\u034ft\u3164 \ufe01\u{e0101}\u180e', 'soft '],
    ['👩\u200d🚀 ❤\ufe0f é 漢字', '👩\u200d🚀 ❤\ufe0f é 漢字'],
  ])('makes %j readable', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('keeps the lines of a text where that is wanted', () => {
    expect(printableLines('a\tb\r\n\x1b[1mc\u202e\n')).toBe('a\tb \nc\n');
  });
});

describe('printableJson', () => {
  it('says the same as JSON, in characters that can be seen', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const text = printableJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).not.toMatch(unseen);
      }),
    );
  });
});
