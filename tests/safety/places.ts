import { definitionOf } from '../../packages/core/src/config/schema-walk.js';

/** A place of a configuration where somebody can write a text: a value, or the key of a value. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly kind: 'value' | 'key';
}

type Key = string | number;

/** Every place that a schema knows of. Where it leaves keys open, those of an example are taken. */
export function placesOf(schema: unknown, example: unknown, path: readonly Key[] = []): Place[] {
  const found = walk(schema, example, path, []);
  const byName = new Map(found.map((place) => [JSON.stringify(place), place]));
  return [...byName.values()];
}

function walk(schema: unknown, example: unknown, path: readonly Key[], above: readonly unknown[]): Place[] {
  const definition = definitionOf(schema);
  // What takes any JSON nests without end.
  if (!definition || above.includes(schema)) return [];
  const here = [...above, schema];
  const go = (next: unknown, key?: Key) =>
    key === undefined ? walk(next, example, path, here) : walk(next, at(example, key), [...path, key], here);
  const inner = definition.getter?.() ?? definition.innerType;
  if (inner !== undefined) return go(inner);
  switch (definition.type) {
    case 'pipe':
      return [...go(definition.in), ...go(definition.out)];
    case 'union':
      return (definition.options ?? []).flatMap((option) => go(option));
    case 'object':
      return Object.entries(definition.shape ?? {}).flatMap(([key, child]) => go(child, key));
    case 'tuple':
      return (definition.items ?? []).flatMap((child, index) => go(child, index));
    case 'array':
      return indexes(example).flatMap((index) => go(definition.element, index));
    case 'record':
      return names(example).flatMap((key) => [
        { path: [...path, key], kind: 'key' as const },
        ...go(definition.valueType, key),
      ]);
    case 'transform':
      return [];
    default:
      return [{ path, kind: 'value' }];
  }
}

function indexes(example: unknown): number[] {
  return Array.isArray(example) && example.length > 0 ? [...example.keys()] : [0];
}

function names(example: unknown): string[] {
  const own = typeof example === 'object' && example !== null ? Object.keys(example) : [];
  return own.length > 0 ? own : ['name'];
}

function at(value: unknown, key: Key): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** A copy of a configuration with another text at a place. What is in the way there makes room. */
export function withText(config: unknown, { path, kind }: Place, text: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const list = Array.isArray(config) ? config : [];
  const own = typeof config === 'object' && config !== null && !Array.isArray(config) ? config : {};
  if (rest.length === 0 && kind === 'key') {
    const entries = Object.entries(own).map(([name, value]) => [name === key ? text : name, value] as const);
    return Object.fromEntries(entries.length > 0 ? entries : [[text, 'x']]);
  }
  const changed = withText(at(config, key), { path: rest, kind }, text);
  return typeof key === 'number'
    ? [...list.slice(0, key), changed, ...list.slice(key + 1)]
    : { ...own, [key]: changed };
}
