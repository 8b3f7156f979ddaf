import { duration } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { inputFields } from './input-fields.js';

const fieldsOf = (input: unknown) => inputFields({ input: input as z.ZodType });
const fieldOf = (schema: unknown) => fieldsOf(z.strictObject({ value: schema as z.ZodType }))[0];

describe('inputFields', () => {
  it.each([
    ['boolean', z.boolean(), { kind: 'boolean', many: false }],
    ['number', z.number().int().min(1), { kind: 'number', many: false }],
    ['string', z.string().min(1), { kind: 'text', many: false }],
    ['enum', z.enum(['a', 'b']), { kind: 'text', choices: ['a', 'b'] }],
    ['literal', z.literal(['x', 1]), { kind: 'text', choices: ['x', '1'] }],
    ['duration', duration(), { kind: 'text', many: false }],
    ['date', z.date(), { kind: 'text' }],
    ['list of texts', z.array(z.string()), { kind: 'text', many: true }],
    ['list of numbers', z.array(z.number()), { kind: 'number', many: true }],
    ['list of choices', z.array(z.enum(['a'])), { kind: 'text', many: true, choices: ['a'] }],
    ['object', z.object({ a: z.string() }), { kind: 'json', many: false }],
    ['union of numbers', z.union([z.number(), z.int()]), { kind: 'number' }],
    ['union of this and that', z.union([z.number(), z.boolean()]), { kind: 'json' }],
    ['lazy text', z.lazy(() => z.string()), { kind: 'text' }],
    ['transformed text', z.string().transform(Number), { kind: 'text' }],
  ])('reads a %s', (_, schema, expected) => {
    expect(fieldOf(schema)).toMatchObject({ key: 'value', option: 'value', required: true, ...expected });
  });

  it.each([
    ['optional', z.string().optional(), undefined],
    ['defaulted', z.string().default('x'), 'x'],
    ['prefaulted', z.string().prefault('x'), 'x'],
    ['nullish', z.string().nullish(), undefined],
  ])('knows that a %s input need not be given', (_, schema, fallback) => {
    const field = fieldOf(schema);
    expect(field).toMatchObject({ kind: 'text', required: false });
    expect(field?.fallback).toBe(fallback);
  });

  it('finds the description wherever it was given', () => {
    expect(fieldOf(z.string().describe('inner').optional())?.description).toBe('inner');
    expect(fieldOf(z.string().describe('inner').optional().describe('outer'))?.description).toBe('outer');
  });

  it('writes names in kebab case and keeps out of the way of the options of argus itself', () => {
    const fields = fieldsOf(z.object({ dryRun: z.boolean(), max_age: z.string(), config: z.string() }));
    expect(fields.map(({ option }) => option)).toEqual(['dry-run', 'max-age', 'input-config']);
  });

  it('reads schemas of zod mini', () => {
    const fields = fieldsOf(mini.strictObject({ name: mini.string(), loud: mini.optional(mini.boolean()) }));
    expect(fields).toMatchObject([
      { key: 'name', kind: 'text', required: true },
      { key: 'loud', kind: 'boolean', required: false },
    ]);
  });

  it('puts together objects that are combined', () => {
    const left = z.object({ a: z.string() });
    const right = z.object({ b: z.number() });
    const keys = (schema: unknown) => fieldsOf(schema).map(({ key }) => key);
    expect(keys(z.intersection(left, right))).toEqual(['a', 'b']);
    expect(keys(z.union([left, right]))).toEqual(['a', 'b']);
    expect(keys(left.refine(() => true).transform((value) => value))).toEqual(['a']);
  });

  it('requires of alternatives only what each of them does', () => {
    const file = z.object({ kind: z.literal('file'), path: z.string().describe('Where'), size: z.number() });
    const url = z.object({ kind: z.literal('url'), url: z.string(), size: z.number().optional() });
    for (const input of [z.discriminatedUnion('kind', [file, url]), z.union([file, url])])
      expect(fieldsOf(input)).toMatchObject([
        { key: 'kind', kind: 'text', required: true, choices: ['file', 'url'] },
        { key: 'path', kind: 'text', required: false, description: 'Where' },
        { key: 'size', kind: 'number', required: false },
        { key: 'url', kind: 'text', required: false },
      ]);
  });

  it('knows whether the items of a list can be lists themselves', () => {
    const listsIn = (item: z.ZodType) => fieldOf(z.array(item))?.holdsLists;
    expect([z.string(), z.object({}), z.union([z.number(), z.boolean()])].map(listsIn)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([z.array(z.number()), z.tuple([z.string()]), z.any(), z.unknown()].map(listsIn)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('finds nothing in what is no object', () => {
    expect(fieldsOf(z.void())).toEqual([]);
    expect(fieldsOf({})).toEqual([]);
  });
});
