import type * as z from 'zod';

// Schemas are looked into by their definitions and not by class: a plugin's options may come from another copy of zod.
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly options?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly rest?: unknown;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
  readonly in?: unknown;
  readonly out?: unknown;
  readonly getter?: () => unknown;
}

/** The alternatives of the union at a path, if there is one. */
export function alternativesAt(schema: unknown, path: readonly PropertyKey[]): readonly unknown[] {
  return reach(schema, path).flatMap((found) => {
    const definition = definitionOf(found);
    return definition?.type === 'union' ? (definition.options ?? []) : [];
  });
}

/** The keys that the objects at a path know. */
export function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  return reach(schema, path).flatMap((found) => {
    const definition = definitionOf(found);
    if (definition?.type === 'union')
      return (definition.options ?? []).flatMap((option) => keysAt(option, []));
    return Object.keys(definition?.shape ?? {});
  });
}

/** The schema of what may stand under any key of the record at a path, if there is one. */
export function entryAt(schema: unknown, path: readonly PropertyKey[]): z.ZodType | undefined {
  const records = reach(schema, path).map(definitionOf);
  return records.find((definition) => definition?.type === 'record')?.valueType as z.ZodType | undefined;
}

/** Every schema that may apply at a path; several where unions lie on the way. */
function reach(schema: unknown, path: readonly PropertyKey[]): unknown[] {
  const definition = definitionOf(schema);
  if (!definition) return [];
  const inner = unwrap(definition);
  if (inner !== undefined) return reach(inner, path);
  const [key, ...rest] = path;
  if (key === undefined) return [schema];
  return children(definition, key).flatMap((child) =>
    reach(child, definition.type === 'union' ? path : rest),
  );
}

function children(definition: Definition, key: PropertyKey): readonly unknown[] {
  switch (definition.type) {
    case 'object':
      return [definition.shape?.[String(key)]];
    case 'record':
      return [definition.valueType];
    case 'array':
      return [definition.element];
    case 'tuple':
      return [definition.items?.[Number(key)] ?? definition.rest];
    case 'union':
      return definition.options ?? [];
    default:
      return [];
  }
}

/** What a wrapper (optional, default, pipe …) is wrapped around. */
function unwrap(definition: Definition): unknown {
  if (definition.type === 'lazy') return definition.getter?.();
  if (definition.type !== 'pipe') return definition.innerType;
  return definitionOf(definition.in)?.type === 'transform' ? definition.out : definition.in;
}

/** The definition of a schema. */
export function definitionOf(schema: unknown): Definition | undefined {
  return (schema as z.ZodType | undefined)?._zod?.def as Definition | undefined;
}
