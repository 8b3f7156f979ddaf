import * as z from 'zod';

/** One option in a plugin's schema, or an object among its options. */
export interface OptionNode {
  /** Where it is: `retry.max`. */
  readonly path: string;
  readonly description: string | undefined;
  /** Whether it is an object that accepts keys without knowing them. */
  readonly open: boolean;
}

type Schema = z.core.JSONSchema.JSONSchema;

/** Every option in a schema, nested ones too. Throws when there is no telling. */
export function optionNodes(options: z.ZodType): OptionNode[] {
  const root = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' });
  return walk(root, [], root, []);
}

function walk(
  schema: unknown,
  path: readonly string[],
  root: Schema,
  ancestors: readonly unknown[],
): OptionNode[] {
  if (typeof schema !== 'object' || schema === null || ancestors.includes(schema)) return [];
  const seen = [...ancestors, schema];
  const node = schema as Schema;
  const { properties = {}, items, prefixItems = [], anyOf = [], oneOf = [], allOf = [] } = node;
  const named = Object.entries(properties).flatMap(([key, option]) => {
    const place = [...path, key];
    return [nodeOf(option, place, root), ...walk(option, place, root, seen)];
  });
  const parts = [
    items,
    ...prefixItems,
    ...anyOf,
    ...oneOf,
    ...allOf,
    node.additionalProperties,
    referred(node, root),
  ];
  return [...named, ...parts.flat().flatMap((part) => walk(part, path, root, seen))];
}

function nodeOf(option: unknown, path: readonly string[], root: Schema): OptionNode {
  const own = option as Schema;
  const target = referred(own, root);
  const { properties, additionalProperties } = target ?? own;
  return {
    path: path.join('.'),
    description: own.description ?? target?.description,
    open: properties !== undefined && additionalProperties === undefined,
  };
}

/** The definition that a reference leads to: zod puts what is used more than once into `$defs`. */
function referred({ $ref }: Schema, { $defs = {} }: Schema): Schema | undefined {
  const name = $ref?.startsWith('#/$defs/') ? $ref.slice('#/$defs/'.length) : undefined;
  return name === undefined ? undefined : ($defs[name] as Schema | undefined);
}
