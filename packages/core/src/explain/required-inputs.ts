import * as z from 'zod';
import type { Operation } from '../model/operation.js';

/** The names of what an operation cannot do without. */
export function requiredInputs(operation: Pick<Operation, 'input'>): string[] {
  return inputsOf(operation).required;
}

/** The names of what an operation takes, and of those what it cannot do without. */
export function inputsOf({ input }: Pick<Operation, 'input'>): {
  readonly all: string[];
  readonly required: string[];
} {
  try {
    const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    return { all: Object.keys(properties), required };
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: running it says what is missing.
    return { all: [], required: [] };
  }
}
