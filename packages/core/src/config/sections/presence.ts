import type * as z from 'zod';

type Refinement = (value: object, context: z.core.$RefinementCtx) => void;

/** Lets a refinement run although other things are wrong, so that all problems are told at once. */
export const always = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

/** Demands exactly one of several keys. */
export function exactlyOne(...keys: string[]): Refinement {
  return (value, context) => {
    const given = present(value, keys);
    if (given.length === 1) return;
    const found = given.length === 0 ? 'none is there' : `${given.join(' and ')} are there`;
    context.addIssue({ code: 'custom', message: `needs exactly one of ${list(keys)}; ${found}` });
  };
}

/** Demands at least one of several keys. */
export function oneOrMore(...keys: string[]): Refinement {
  return (value, context) => {
    if (present(value, keys).length > 0) return;
    context.addIssue({ code: 'custom', message: `needs at least one of ${list(keys)}` });
  };
}

function present(value: object, keys: readonly string[]): string[] {
  return keys.filter((key) => Reflect.get(value, key) !== undefined);
}

function list(keys: readonly string[]): string {
  return `${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}`;
}
