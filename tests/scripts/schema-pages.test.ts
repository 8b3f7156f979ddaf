import { describe, expect, it } from 'vitest';
import { schemaRows } from '../../scripts/steps/schema-rows.mjs';
import { typeInWords } from '../../scripts/steps/schema-types.mjs';

describe('the rows of a page about a schema', () => {
  it('tell of every key, those inside of objects, lists and choices too', () => {
    const described = (description: string, schema: object) => ({ description, ...schema });
    const port = described('A port.', { type: 'integer', minimum: 1, maximum: 65_535 });
    const rows = schemaRows({
      properties: {
        name: described('A name.', { type: 'string', default: 'shop' }),
        list: described('A list.', { type: 'array', items: { properties: { port }, required: ['port'] } }),
        named: described('By name.', {
          type: 'object',
          additionalProperties: { anyOf: [{ type: 'string' }, { type: 'object', properties: { port } }] },
        }),
      },
    });
    expect(rows.map(([key, type, fallback]) => [key, type, fallback])).toEqual([
      ['`name`', 'text', '`shop`'],
      ['`list`', 'list of anything', ''],
      ['`list[].port`', 'whole number, 1 to 65535', 'required'],
      ['`named`', 'text or object by name', ''],
      ['`named.NAME.port`', 'whole number, 1 to 65535', ''],
    ]);
  });

  it('refuse a key that nobody has described', () => {
    const properties = { inner: { type: 'string' } };
    const schema = { properties: { outer: { description: 'It.', type: 'object', properties } } };
    expect(() => schemaRows(schema)).toThrow('outer.inner has no description in its schema');
  });
});

describe('a type in words', () => {
  it.each([
    [{ enum: ['a', 'b', 'c'] }, '`a`, `b` or `c`'],
    [{ anyOf: [{ type: 'string', examples: ['500ms', '1h'] }, { type: 'number' }] }, 'duration'],
    [{ anyOf: [{ type: 'string', examples: ['2GB'] }, { type: 'number' }] }, 'size'],
    [{ type: ['string', 'number', 'boolean'] }, 'value'],
    [{ type: 'array', items: { type: 'string' } }, 'list of texts'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number above 0'],
    [{ type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }, 'whole number'],
    [{ $ref: '#/$defs/json' }, 'anything'],
  ])('is short: %j', (schema, words) => {
    expect(typeInWords(schema)).toBe(words);
  });
});
