import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { definePlugin, type Plugin } from '../model/plugin.js';
import { configJsonSchema, type JsonSchema } from './json-schema.js';
import { size } from './size.js';

const disk = definePlugin({
  name: 'disk',
  options: z.strictObject({ threshold: size().default('2GB').describe('Free bytes.') }),
  apply: () => undefined,
});
const bare = definePlugin({ name: 'bare', apply: () => undefined });
const load = (plugin: Plugin, source: string) => ({ plugin, options: {}, source });

/** The value at a path of the schema. */
const at = (schema: JsonSchema, ...path: string[]) =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], schema) as JsonSchema;

/** Every property of every object in the schema, with its path. */
function properties(schema: unknown, path: string): [string, JsonSchema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const own = key === 'properties' ? Object.entries<JsonSchema>(value) : [];
    const named = own.map(([name, property]): [string, JsonSchema] => [`${path}.${name}`, property]);
    return [...named, ...properties(value, `${path}.${key}`)];
  });
}

describe('the JSON Schema of the configuration', () => {
  const schema = configJsonSchema([
    load(disk, 'built-in'),
    load(bare, './bare.ts'),
    load(bare, 'code'),
    load(bare, 'core'),
  ]);

  it('describes every property, those of plugins included', () => {
    const all = properties(schema, '');
    expect(all.length).toBeGreaterThan(60);
    const silent = all
      .filter(([, property]) => typeof property.description !== 'string')
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it('is strict and of the dialect that editors know', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toBeUndefined();
  });

  it('has the defaults and bounds of resilience as users write them', () => {
    const property = (...path: string[]) =>
      at(schema, ...['resilience', ...path].flatMap((key) => ['properties', key]));
    expect(property('preflight', 'enabled')).toMatchObject({ type: 'boolean', default: true });
    expect(property('preflight', 'diskSpaceThreshold')).toMatchObject({ default: '2GB' });
    expect(property('preflight', 'cleanOrphans').default).toBe(true);
    expect(property('container', 'restartOnFailure').default).toBe(true);
    expect(property('container', 'maxRestarts')).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 3,
    });
    expect(property('container', 'restartDelay').default).toBe('2s');
    expect(property('container', 'restartBackoff')).toMatchObject({
      enum: ['exponential', 'linear'],
      default: 'exponential',
    });
    expect(property('network', 'portConflictStrategy')).toMatchObject({
      enum: ['auto', 'fail'],
      default: 'auto',
    });
    expect(property('network', 'verifyConnectivity').default).toBe(true);
    expect(property('circuitBreaker', 'enabled').default).toBe(true);
    expect(property('circuitBreaker', 'failureThreshold')).toMatchObject({
      minimum: 1,
      maximum: 20,
      default: 5,
    });
    expect(property('circuitBreaker', 'resetTimeoutMs').default).toBe(30_000);
  });

  it('offers the loaded plugins by the names that a file would use, with their options', () => {
    const { anyOf = [] } = at(schema, 'properties', 'plugins', 'items');
    const pairs = anyOf.slice(1).map((pair) => (pair as { prefixItems: JsonSchema[] }).prefixItems);
    expect(pairs.map(([name]) => name?.const)).toEqual(['@argusai/plugin-disk', './bare.ts', undefined]);
    expect(at(pairs[0]?.[1] as JsonSchema, 'properties', 'threshold').description).toBe('Free bytes.');
    expect(pairs[1]?.[1]).toMatchObject({ type: 'object', maxProperties: 0 });
    expect(pairs[2]?.[0]?.not).toEqual({ enum: ['@argusai/plugin-disk', './bare.ts'] });
  });

  it('keeps references within the options of a plugin', () => {
    const tree: z.ZodType = z.lazy(() => z.strictObject({ child: tree.optional().describe('Below.') }));
    const { anyOf = [] } = at(
      configJsonSchema([load({ ...bare, options: tree }, 'x')]),
      'properties',
      'plugins',
      'items',
    );
    expect(JSON.stringify(anyOf[1])).toContain('"$id":"argus-plugin-bare"');
  });

  it('takes any object for options that cannot be described', () => {
    const old = { ...bare, options: { safeParse: () => ({}) } as unknown as z.ZodType };
    const { anyOf = [] } = at(configJsonSchema([load(old, 'x')]), 'properties', 'plugins', 'items');
    expect(anyOf[1]).toMatchObject({ prefixItems: [{ const: 'x' }, { type: 'object' }] });
  });
});
