import { typeInWords } from './schema-types.mjs';

/** @typedef {import('./schema-types.mjs').Schema} Schema */

/**
 * The rows of a table about an object: key, type, default and description, those of objects inside below them.
 * @param {Schema} schema
 * @param {string} [path] Where the object is.
 * @returns {string[][]}
 */
export function schemaRows(schema, path = '') {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, one]) => {
    const here = path === '' ? key : `${path}.${key}`;
    if (one.description === undefined) throw new Error(`${here} has no description in its schema`);
    const below = insideOf(one, here);
    const row = [`\`${here}\``, typeInWords(one), defaultOf(one, required.includes(key)), one.description];
    return [row, ...below];
  });
}

/**
 * The rows of the objects that a value consists of, whatever is around them.
 * @param {Schema} schema
 * @param {string} here
 * @returns {string[][]}
 */
function insideOf(schema, here) {
  const { anyOf = [], items, additionalProperties } = schema;
  if (typeof items === 'object') return insideOf(items, `${here}[]`);
  if (typeof additionalProperties === 'object') return insideOf(additionalProperties, `${here}.NAME`);
  if (schema.properties) return schemaRows(schema, here);
  return anyOf.flatMap((one) => insideOf(one, here));
}

/**
 * @param {Schema} schema
 * @param {boolean} isRequired
 */
function defaultOf(schema, isRequired) {
  const { default: value } = schema;
  // What an object is without being there stands with its keys.
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (value !== undefined && !isEmpty)
    return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  return isRequired ? 'required' : '';
}
