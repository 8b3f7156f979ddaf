import * as z from 'zod';
import type { ErrorCode } from '../model/error-code.js';

/** One field of the `details` of a code. */
export interface DetailField {
  readonly name: string;
  /** What it holds, for people: `number`, `list of string`, `tcp or udp`. */
  readonly type: string;
  /** Whether it is always there. */
  readonly required: boolean;
  readonly description?: string;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** The fields that the `details` of a code have, as its schema tells them. */
export function detailFields({ details }: Pick<ErrorCode, 'details'>): DetailField[] {
  if (!details) return [];
  try {
    const { properties = {}, required = [] } = z.toJSONSchema(details(), { unrepresentable: 'any' });
    return Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)));
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: its fields are not known.
    return [];
  }
}

function fieldOf(name: string, schema: Schema | boolean, required: boolean): DetailField {
  const description = typeof schema === 'object' ? schema.description : undefined;
  return { name, type: typeOf(schema), required, ...(description === undefined ? {} : { description }) };
}

function typeOf(schema: Schema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'anything';
  const { type, anyOf, items } = schema;
  if (schema.enum) return schema.enum.map(String).join(' or ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return `list of ${Array.isArray(items) ? 'anything' : typeOf(items)}`;
  return [type ?? 'anything'].flat().join(' or ');
}
