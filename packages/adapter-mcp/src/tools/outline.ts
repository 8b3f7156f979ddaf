import { bytesOf } from '../answer/cut.js';
import { meant, shapeOf } from './shape-of.js';

type Schema = Readonly<Record<string, unknown>>;
type Named = Readonly<Record<string, Schema>>;

/** How many bytes the outline of what a tool gives may take: as a schema, and in words. Every conversation of an agent pays for all. */
const schemaBytes = 260;
const wordsBytes = 618;
const deepest = 5;

/**
 * What a tool gives, in short: as a schema where there is room for all of it, and else its parts with what is in them in
 * words, as far as those fit. Everything that fits the whole schema fits its outline, and so does what was cut: nothing is
 * required, and objects may have more than is known.
 */
export function outline(schema: Schema): Schema {
  const named = (schema.$defs ?? {}) as Named;
  const whole = sketch(schema, deepest, named);
  return bytesOf(whole) <= schemaBytes ? whole : inWords(schema, named);
}

/** The first level as a schema, and of what is below it as much in words as there is room for. */
function inWords(schema: Schema, named: Named): Schema {
  const { type, properties: parts } = sketch(schema, 1, named);
  // One of several things: what each is can only be told by looking at it.
  if (!parts) return type === undefined ? {} : { type };
  const all = (schema.properties ?? {}) as Named;
  let properties = Object.fromEntries(
    Object.entries(parts as Named).map(([key, { items: _, ...part }]) => [key, part]),
  );
  // Lists are what an agent goes through, so they come first.
  const isList = ([, part]: [string, Schema]) => part.type === 'array';
  const entries = Object.entries(properties);
  for (const [key, part] of [...entries.filter(isList), ...entries.filter((one) => !isList(one))]) {
    const description = shapeOf(all[key] ?? {}, named);
    const fuller = { ...properties, [key]: { ...part, description } };
    if (description !== '' && bytesOf({ type, properties: fuller }) <= wordsBytes) properties = fuller;
  }
  return { type, properties };
}

function sketch(given: Schema, depth: number, named: Named): Schema {
  const schema = meant(given, named);
  const { type, properties, items, anyOf, oneOf } = schema;
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices) return either(choices.map((one) => sketch(one, depth, named)));
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  if ('const' in schema) return { const: schema.const };
  if (type === 'object' && properties && depth > 0) {
    const parts = Object.entries(properties as Named);
    return {
      type,
      properties: Object.fromEntries(parts.map(([key, one]) => [key, sketch(one, depth - 1, named)])),
    };
  }
  // A list of things is of no use without a first look at one of them.
  if (type === 'array') return { type, items: sketch((items ?? {}) as Schema, depth, named) };
  return type === undefined ? {} : { type };
}

/** One of several. What may also be null says so in its type, which is shorter. */
function either(choices: readonly Schema[]): Schema {
  const kinds = choices.map((one) =>
    Object.keys(one).every((key) => key === 'type') ? one.type : undefined,
  );
  if (kinds.every((kind) => kind !== undefined)) {
    const [only, ...more] = new Set(kinds.flat());
    return { type: more.length === 0 ? only : [only, ...more] };
  }
  const [first, ...others] = choices.filter(({ type }) => type !== 'null');
  const isNullable = others.length === 0 && typeof first?.type === 'string';
  return isNullable ? { ...first, type: [first.type, 'null'] } : { anyOf: choices };
}
