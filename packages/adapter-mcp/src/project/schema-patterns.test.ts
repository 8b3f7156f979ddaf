import { configSchema, corePlugin, createKernel, type LoadedPlugin } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtinPlugins } from './builtin-plugins.js';

/** The patterns of a schema and of all that is in it. */
function patternsIn(schema: z.ZodType): RegExp[] {
  const found = new Set<RegExp>();
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      for (const check of zodSchema._zod.def.checks ?? []) {
        const { pattern } = check._zod.def as { pattern?: RegExp };
        if (pattern) found.add(pattern);
      }
    },
  });
  return [...found];
}

const loaded = await Promise.all(
  Object.values(builtinPlugins).map(
    async (load): Promise<LoadedPlugin> => ({ plugin: await load(), options: {}, source: 'built-in' }),
  ),
);
const kernel = createKernel({
  project: { name: 'demo', dir: '/demo' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});
const schemas: [name: string, schema: z.ZodType][] = [
  ['the configuration', configSchema],
  ...loaded.flatMap(({ plugin: { name, options } }): [string, z.ZodType][] =>
    options ? [[`the options of ${name}`, options]] : [],
  ),
  ...[...kernel.operations.values()].flatMap(({ name, input, output }): [string, z.ZodType][] => [
    [`what ${name} is given`, input],
    [`what ${name} answers`, output],
  ]),
];

describe('the patterns of schemas', () => {
  it('are found', () => {
    expect(patternsIn(configSchema).length).toBeGreaterThan(1);
    expect(patternsIn(z.record(z.string().regex(/a/i), z.number()))).toEqual([/a/i]);
  });

  it.each(schemas)('have no flags, which a JSON Schema would lose: %s', (_, schema) => {
    expect(patternsIn(schema).filter(({ flags }) => flags.replace('u', '') !== '')).toEqual([]);
  });
});
