import type * as z from 'zod';

/** The kinds of schemas that give back something else than they were given. */
const changing = new Set(['transform', 'default', 'prefault', 'catch']);

/** Whether a schema is made to change what it is given: it fills in, converts or replaces. To drop keys it does not know is no such thing. */
export function changesValues(schema: unknown, seen: Set<unknown> = new Set()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  // By its definition and not by class: a plugin may have another copy of zod.
  const definition = (schema as z.ZodType | undefined)?._zod?.def as unknown as Definition | undefined;
  if (!definition) return false;
  const { type, coerce, checks = [] } = definition;
  if (changing.has(type) || coerce === true || checks.some(isOverwrite)) return true;
  return partsOf(definition).some((part) => changesValues(part, seen));
}

interface Definition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly unknown[];
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly getter?: () => unknown;
  readonly [key: string]: unknown;
}

/** `z.string().trim()` and its like. */
function isOverwrite(check: unknown): boolean {
  const { _zod } = check as { readonly _zod?: { readonly def?: { readonly check?: string } } };
  return _zod?.def?.check === 'overwrite';
}

/** The schemas that a schema is made of, whatever its kind. */
function partsOf({ shape = {}, getter, ...rest }: Definition): unknown[] {
  return [...Object.values(shape), getter?.(), ...Object.values(rest).flat()];
}
