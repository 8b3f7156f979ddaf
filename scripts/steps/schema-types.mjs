/**
 * What is read of a JSON Schema.
 * @typedef {object} Schema
 * @property {string | readonly string[]} [type]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {unknown} [const]
 * @property {readonly unknown[]} [enum]
 * @property {readonly Schema[]} [anyOf]
 * @property {readonly Schema[]} [prefixItems]
 * @property {Schema | boolean} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {readonly string[]} [required]
 * @property {Schema | boolean} [additionalProperties]
 * @property {string} [format]
 * @property {string} [$ref]
 * @property {readonly string[]} [examples]
 * @property {number} [minimum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [maximum]
 */

/** A number that is no limit but the largest there is. */
const boundless = Number.MAX_SAFE_INTEGER;

/**
 * What a value may be, in words.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeInWords(schema) {
  const { type, anyOf, items, additionalProperties } = schema;
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) return either(choices.map((one) => `\`${one}\``));
  if (Array.isArray(type) && type.includes('boolean')) return 'value';
  if (Array.isArray(type)) return either(type.map((one) => typeInWords({ ...schema, type: one })));
  if (anyOf) return quantityOf(anyOf) ?? either([...new Set(anyOf.map(typeInWords))]);
  if (type === 'string') return schema.format === 'uri' ? 'URL' : 'text';
  if (type === 'boolean') return 'yes or no';
  if (type === 'integer' || type === 'number') return numberInWords(schema);
  if (type === 'array') return typeof items === 'object' ? `list of ${many(typeInWords(items))}` : 'list';
  if (type === 'object' && typeof additionalProperties === 'object')
    return `${many(typeInWords(additionalProperties))} by name`;
  if (type === 'object') return 'object';
  return 'anything';
}

/**
 * A text with a unit or a bare number is a quantity, and its examples tell which.
 * @param {readonly Schema[]} choices
 */
function quantityOf(choices) {
  const examples = choices.find(({ type }) => type === 'string')?.examples ?? [];
  if (examples.includes('1h')) return 'duration';
  return examples.includes('2GB') ? 'size' : undefined;
}

/** @param {Schema} schema */
function numberInWords({ type, minimum, exclusiveMinimum, maximum }) {
  const what = type === 'integer' ? 'whole number' : 'number';
  const from = minimum !== undefined && minimum > -boundless ? `${minimum}` : undefined;
  const to = maximum !== undefined && maximum < boundless ? `${maximum}` : undefined;
  if (from !== undefined && to !== undefined) return `${what}, ${from} to ${to}`;
  if (exclusiveMinimum !== undefined) return `${what} above ${exclusiveMinimum}`;
  if (from !== undefined) return `${what}, ${from} or more`;
  return to === undefined ? what : `${what}, ${to} or less`;
}

/** @param {readonly string[]} words */
function either(words) {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/**
 * The plural, where there is one word for it; a choice stays a choice.
 * @param {string} words
 */
function many(words) {
  return words.replace(/^(object|number|duration|size|URL|text|value)$/, '$1s');
}
