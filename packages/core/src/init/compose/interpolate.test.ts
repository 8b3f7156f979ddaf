// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how Compose writes its variables.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { interpolate } from './interpolate.js';

it.each([
  ['plain', 'plain', []],
  ['$$HOME and $${X}', '$HOME and ${X}', []],
  ['${A:-1}${B-2}', '12', []],
  ['${A:-${B:-deep}}', 'deep', []],
  ['${A:-}', '', []],
  ['${A:+set}', '', []],
  ['$A/${B}', '$A/${B}', ['$A', '${B}']],
  ['${A:?must be set}', '${A:?must be set}', ['${A:?must be set}']],
  ['${A:-${B}}', '${B}', ['${A:-${B}}']],
  ['5$ and ${ and ${}', '5$ and ${ and ${}', []],
  ['{"a": "${A:-{}}"}', '{"a": "{}"}', []],
])('reads %j', (text, expected, missing) => {
  expect(interpolate(text)).toMatchObject({ text: expected, missing });
});

it('never throws, and changes nothing without a dollar', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { text: filled } = interpolate(text);
      if (!text.includes('$')) expect(filled).toBe(text);
    }),
  );
});
