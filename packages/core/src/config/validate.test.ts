import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatPath } from './path.js';
import { validate } from './validate.js';

const only = (schema: z.ZodType, input: unknown) => {
  const { problems } = validate(schema, input);
  expect(problems).toHaveLength(1);
  return problems[0];
};

describe('a problem', () => {
  it('of an unknown key names the nearest known one at any depth', () => {
    const inner = z.strictObject({ timeout: z.number().optional(), retries: z.number().optional() });
    const schema = z.object({
      list: z.array(z.tuple([z.string()], z.record(z.string(), inner.optional()))).optional(),
      lazy: z.lazy(() => inner.nullable()).optional(),
      piped: z.preprocess((value) => value, inner).optional(),
      union: z.union([z.string(), z.object({ deep: inner })]).optional(),
    });
    const wrong = { timeuot: 1 };
    for (const input of [
      { list: [['a', { x: wrong }]] },
      { lazy: wrong },
      { piped: wrong },
      { union: { deep: wrong } },
    ]) {
      expect(only(schema, input)).toMatchObject({
        suggestion: 'timeout',
        expected: 'one of timeout, retries',
      });
    }
  });

  it('of an unknown key says nothing more when nothing is near', () => {
    expect(only(z.strictObject({}), { x: 1 })).toEqual({ path: ['x'], message: 'unknown key "x"' });
  });

  it('within a union is that of the alternative whose shape fits best', () => {
    const schema = z.union([
      z.number(),
      z.strictObject({ kind: z.literal('a'), size: z.number() }),
      z.strictObject({ kind: z.literal('b'), size: z.string(), more: z.string() }),
    ]);
    expect(only(schema, { kind: 'a', size: 'big' })).toMatchObject({
      path: ['size'],
      message: 'expected a number, got "big"',
      value: 'big',
      expected: 'a number',
    });
    expect(only(schema, 'x')?.message).toBe('expected a number or an object, got "x"');
    expect(only(z.object({ a: schema }), {})?.message).toBe('expected a number or an object, got nothing');
  });

  it('of a wrong choice names the nearest one, also where the choice tells alternatives apart', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('docker') }),
      z.object({ kind: z.literal('process') }),
    ]);
    expect(only(schema, { kind: 'dokcer' })).toMatchObject({ path: ['kind'], suggestion: 'docker' });
    expect(only(schema, {})?.message).toBe('is missing, expected one of docker, process');
    expect(only(z.literal(5), 6)?.message).toBe('6 is not possible here, expected 5');
  });

  it('of text or lists that are too short or too long counts in their units', () => {
    expect(only(z.string().min(3), 'ab')?.message).toBe('expected at least 3 characters, got "ab"');
    expect(only(z.array(z.string()).max(1), ['a', 'b'])?.message).toBe(
      'expected at most 1 entry, got a list of 2',
    );
    expect(only(z.string().min(1), '')?.message).toBe('must not be empty');
    expect(only(z.string().max(1), 'ab')?.message).toBe('expected at most 1 character, got "ab"');
    expect(only(z.number().lt(3), 3)?.message).toBe('expected less than 3, got 3');
  });

  it.each([
    [z.url(), 'here', 'expected a URL, got "here"'],
    [z.ipv4(), 'x', 'expected an IPv4 address, got "x"'],
    [z.nanoid(), 'x', 'expected text in the format nanoid, got "x"'],
    [z.string().startsWith('/'), 'x', 'expected text that begins with "/", got "x"'],
    [z.string().endsWith('.ts'), 'x', 'expected text that ends with ".ts", got "x"'],
    [z.string().includes('='), 'x', 'expected text that contains "=", got "x"'],
    [z.string().regex(/^a+$/), 'x', 'expected text that matches /^a+$/, got "x"'],
    [z.string().regex(/^a+$/, { error: 'must be of the letter a' }), 'x', 'must be of the letter a, got "x"'],
    [z.array(z.string()).min(1, { error: 'no command is given' }), [], 'no command is given'],
    [z.enum(['a'], { error: 'must be a letter' }), 'x', 'must be a letter, got "x"'],
    [
      z.string().regex(/^\//, { error: 'must be a path such as /health' }),
      'health',
      'must be a path such as /health, got "health"',
    ],
    [z.number().multipleOf(5), 7, 'expected a multiple of 5, got 7'],
    [z.number().int(), 1.5, 'expected a whole number, got 1.5'],
    [z.number().positive(), 0, 'expected more than 0, got 0'],
    [z.number(), Number.NaN, 'expected a number, got "NaN"'],
    [z.string().refine(() => false), 'x', '"x" is not possible here'],
    [z.string().refine(() => false, { error: 'x is too dark' }), 'x', 'x is too dark'],
    [z.object({}).refine(() => false), {}, 'an object is not possible here'],
    [z.union([z.string().refine(() => false), z.number()]), 'x', '"x" is not possible here'],
    [
      z.record(z.string().min(2), z.number()),
      { a: 1 },
      'the key "a": expected at least 2 characters, got "a"',
    ],
    [
      z.record(z.string().regex(/^x/, { error: 'must begin with x' }), z.number()),
      { a: 1 },
      'the key "a" must begin with x',
    ],
    [z.date(), new Date(Number.NaN), 'expected a date, got an object'],
  ])('is told in plain words with the value: %#', (schema, input, message) => {
    expect(only(schema, input)?.message).toBe(message);
  });

  it('does not show a value under the name of a credential, not even within the message of its schema', () => {
    const schema = z.object({
      apiToken: z.string().refine(() => false, { error: ({ input }) => `bad: ${input}` }),
      password: z.enum(['a', 'b']),
      secrets: z.object({ db: z.number() }),
    });
    const input = { apiToken: 'abc-123', password: 'hunter2', secrets: { db: 'hunter3' } };
    const { problems } = validate(schema, input);
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toMatch(/abc-123|hunter/);
    expect(problems.map(({ message }) => message)).toContain('bad: [redacted]');
  });

  it('shows other values short and without the passwords of URLs', () => {
    expect(only(z.number(), 'x'.repeat(1000))?.value).toHaveLength(120);
    expect(only(z.number(), 'postgres://me:hunter2hunter2@db/x')?.message).not.toContain('hunter2');
    expect(only(z.string(), Number.NaN)?.value).toBe('NaN');
    expect(only(z.string(), () => 1)?.message).toBe('expected a string, got a function');
  });

  it('of a schema that is not from this zod is told in that schema’s own words', () => {
    const foreign = {
      safeParse: () => ({
        success: false,
        error: { issues: [{ code: 'odd', path: ['a'], message: 'is odd' }] },
      }),
    } as unknown as z.ZodType;
    expect(only(foreign, { a: 1 })).toEqual({ path: ['a'], message: 'is odd', value: 1 });
    const keys = {
      safeParse: () => ({
        success: false,
        error: { issues: [{ code: 'unrecognized_keys', keys: ['b'], path: [], message: '' }] },
      }),
    } as unknown as z.ZodType;
    expect(only(keys, { b: 1 })?.message).toBe('unknown key "b"');
  });
});

describe('a path', () => {
  it('is written as one would write it in code', () => {
    expect(formatPath([])).toBe('(root)');
    expect(formatPath(['services', 'my-api', 'ports', 0])).toBe('services.my-api.ports[0]');
    expect(formatPath(['a b', 'c.d', 1])).toBe('["a b"]["c.d"][1]');
  });
});
