import type { Operation } from '@argusai/core';
import { globalOptions } from './global-options.js';

/** How the text of an argument becomes a value. What is neither is written as JSON. */
export type FieldKind = 'boolean' | 'number' | 'text' | 'json';

/** One property of an operation's input, as the command line offers it. */
export interface InputField {
  /** The name of the property. */
  readonly key: string;
  /** The name of the option, without dashes. */
  readonly option: string;
  readonly kind: FieldKind;
  /** Whether it can be given more than once. */
  readonly many: boolean;
  readonly required: boolean;
  readonly description?: string;
  /** The values that are possible, when they can be listed. */
  readonly choices?: readonly string[];
  /** Whether what can be given more than once can be a list each time. */
  readonly holdsLists?: true;
  /** What is taken when it is not given. */
  readonly fallback?: unknown;
  /** Where it is given without its name although it may be left out. */
  readonly placement?: Placement;
}

/** What is given without its name: as the arguments of the command, or as everything after `--`. */
export interface Placement {
  readonly at: 'arguments' | 'after-dashes';
  /** What stands for it in help. */
  readonly shown: string;
}

/**
 * The part of a zod schema that is read here. A plugin may bring its own copy of zod, so schemas are told apart by
 * what they say of themselves and not by their class.
 */
interface Schema {
  readonly description?: string;
  readonly def?: Definition;
  readonly _zod?: { readonly def: Definition };
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly left?: Schema;
  readonly right?: Schema;
  readonly options?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly defaultValue?: unknown;
  readonly getter?: () => Schema;
}

/** What can be given to an operation, in the order of its schema. */
export function inputFields({ input }: Pick<Operation, 'input'>): InputField[] {
  return Object.entries(shapeOf(input as Schema)).map(([key, schema]) => fieldOf(key, schema));
}

/** The properties of an object, also of several put together. What is no object has none. */
function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { definition } = unwrap(schema);
  const { type, shape, left, right, options } = definition;
  if (type === 'object' && shape) return shape;
  if (type === 'intersection' && left && right) return { ...shapeOf(left), ...shapeOf(right) };
  if (type === 'union') return anyShapeOf((options ?? []).map(shapeOf));
  return {};
}

/** The properties of alternatives. What is not required by each of them need not be given; the schema judges the rest. */
function anyShapeOf(shapes: readonly Readonly<Record<string, Schema>>[]): Record<string, Schema> {
  const keys = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
  const properties = keys.map((key): [string, Schema] => {
    const found = shapes.flatMap((shape) => shape[key] ?? []);
    const schema = anyOf(found);
    const isRequired = found.length === shapes.length && !found.some((one) => unwrap(one).optional);
    return [key, isRequired ? schema : { def: { type: 'optional', innerType: schema } }];
  });
  return Object.fromEntries(properties);
}

function anyOf(schemas: readonly Schema[]): Schema {
  const [first] = schemas;
  if (first && schemas.length === 1) return first;
  const description = schemas.map((schema) => unwrap(schema).description).find((text) => text !== undefined);
  const union = { def: { type: 'union', options: schemas } };
  return description === undefined ? union : { ...union, description };
}

function fieldOf(key: string, schema: Schema): InputField {
  const { definition, optional, description, fallback } = unwrap(schema);
  const many = definition.type === 'array';
  const item = many && definition.element ? unwrap(definition.element).definition : definition;
  const choices = choicesOf(item);
  return {
    key,
    option: optionName(key),
    kind: kindOf(item),
    many,
    required: !optional,
    ...(description === undefined ? {} : { description }),
    ...(choices === undefined ? {} : { choices }),
    ...(many && canBeList(item) ? { holdsLists: true as const } : {}),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** `dryRun` is `--dry-run`; a name that argus itself uses gets a prefix. */
function optionName(key: string): string {
  const name = key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase();
  return globalOptions.some((option) => option.name === name) ? `input-${name}` : name;
}

const optionalTypes = new Set(['optional', 'default', 'prefault', 'catch']);

/** Looks through what is wrapped around a schema: defaults, transformations and the like. */
function unwrap(schema: Schema) {
  let current = schema;
  let optional = false;
  let description: string | undefined;
  let fallback: unknown;
  for (;;) {
    const definition = definitionOf(current);
    description ??= current.description;
    optional ||= optionalTypes.has(definition.type);
    fallback ??= definition.defaultValue;
    const inner =
      definition.innerType ?? (definition.type === 'pipe' ? definition.in : definition.getter?.());
    if (!inner) return { definition, optional, description, fallback };
    current = inner;
  }
}

function definitionOf(schema: Schema): Definition {
  return schema._zod?.def ?? schema.def ?? { type: 'unknown' };
}

function kindOf(definition: Definition): FieldKind {
  switch (definition.type) {
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'int':
      return 'number';
    case 'string':
    case 'enum':
    case 'literal':
    case 'template_literal':
    case 'date':
      return 'text';
    case 'union': {
      // A duration is a text or a number; the text says it all.
      const kinds = (definition.options ?? []).map((option) => kindOf(unwrap(option).definition));
      if (kinds.includes('text')) return 'text';
      return kinds.every((kind) => kind === kinds[0]) ? (kinds[0] ?? 'json') : 'json';
    }
    default:
      return 'json';
  }
}

function choicesOf({ type, entries, values, options }: Definition): readonly string[] | undefined {
  if (type === 'enum' && entries) return Object.values(entries).map(String);
  if (type === 'literal' && values) return values.map(String);
  if (type !== 'union') return undefined;
  const each = (options ?? []).map((option) => choicesOf(unwrap(option).definition));
  return each.every((choices) => choices !== undefined) ? [...new Set(each.flat())] : undefined;
}

function canBeList({ type, options = [] }: Definition): boolean {
  if (type === 'union') return options.some((option) => canBeList(unwrap(option).definition));
  return ['array', 'tuple', 'any', 'unknown'].includes(type);
}
