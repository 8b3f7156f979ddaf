import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from './read-config.js';

const texts = [
  'a: 1_000',
  'a: 012\nb: 0o14\nc: 0x1F\nd: 1e3\ne: .5\nf: +1\ng: 99999999999999999999',
  'a: yes\nb: TRUE\nc: ~\nd:\ne: Null\nf: "true"',
  'at: 2001-12-14\nports: [22:22, "8080:80", 3000]',
  "text: |\n  two\n  lines\nfolded: >-\n  one\n  line\nquoted: \"\\u0041\"\nsingle: 'it''s'",
  '# nothing but a remark',
  '1: number\ntrue: boolean\n__proto__: { a: 1 }',
  'base: &base { retries: 3 }\napi: { <<: *base, tries: 1 }',
  'glob: "*.ts"\nshift: "a << b"',
  'merged: { <<: { a: 1 }, b: 2 }',
];

describe('the text of a configuration', () => {
  it.each(texts)('means what the YAML specification says: %j', async (text) => {
    const { data } = await readConfig({ file: 'argus.config.yaml', text });
    expect(data).toEqual(parse(text, { merge: true }) ?? {});
  });
});

describe('a configuration that is nested too deep', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it.each([
    ['argus.config.json', (levels: number) => `{"x":${nested(levels)}}`],
    ['package.json', (levels: number) => `{"argus":{"x":${nested(levels)}}}`],
    ['argus.config.yaml', (levels: number) => `x: ${nested(levels)}`],
    ['.argusrc', (levels: number) => `base: &base { a: 1 }\nx: ${nested(levels)}\ny: *base`],
  ])('is refused in %s however deep it is, with the file', async (file, textOf) => {
    for (const levels of [150, 3_000, 200_000]) {
      const reading = readConfig({ file, text: textOf(levels) });
      await expect(reading).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        error: { details: { file, problems: [{ message: 'is nested deeper than 100 levels' }] } },
      });
    }
    expect(await readConfig({ file, text: textOf(90) })).toHaveProperty('data.x');
  });
});
