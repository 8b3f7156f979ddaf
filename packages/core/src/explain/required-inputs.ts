import * as z from 'zod';
import type { Operation } from '../model/operation.js';

/** The names of what an operation cannot do without. */
export function requiredInputs({ input }: Pick<Operation, 'input'>): string[] {
  try {
    return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).required ?? [];
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: running it says what is missing.
    return [];
  }
}
