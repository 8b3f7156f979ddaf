import type * as z from 'zod';
import type { QuantityKind } from './quantity.js';

/** What of a schema's definition leads to the quantities in it. Plugins bring their own zod, so nothing more is expected of it. */
interface Definition {
  readonly kind?: Partial<QuantityKind>;
  readonly innerType?: Schema;
  readonly getter?: () => Schema;
  readonly in?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
}

type Schema = { readonly _zod?: { readonly def?: Definition } };

/** What a schema gave back, with sizes and durations as people write them: `2 GB`, `5s`. */
export function asWritten(schema: z.ZodType | undefined, value: unknown): unknown {
  return written(schema as Schema | undefined, value);
}

function written(schema: Schema | undefined, value: unknown): unknown {
  const definition = schema?._zod?.def;
  if (definition === undefined) return value;
  const { kind, innerType, getter, shape, element, valueType } = definition;
  if (typeof value === 'number' && kind) return withUnit(kind, value);
  const inner = innerType ?? getter?.() ?? definition.in;
  if (inner !== undefined) return written(inner, value);
  if (Array.isArray(value)) return value.map((item) => written(element, item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, written(shape?.[key] ?? valueType, item)]);
  return Object.fromEntries(entries);
}

/** With its unit if nothing is lost by it. */
function withUnit({ format, parse }: Partial<QuantityKind>, value: number): string | number {
  const text = format?.(value);
  return text !== undefined && parse?.(text) === value ? text : value;
}
