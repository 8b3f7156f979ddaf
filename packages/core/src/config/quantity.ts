import * as z from 'zod';
// Not by way of `z.core`, which keeps bundlers from leaving out the rest of zod.
import { $constructor } from 'zod/v4/core';
import { reasonOf } from './reason.js';
import { shared } from './sections/shared.js';

/** A schema that reads a number or a text with a unit and gives back a number. */
export interface Quantity
  extends z.ZodPipe<z.ZodUnion<[z.ZodString, z.ZodNumber]>, z.ZodTransform<number, string | number>> {
  /** The value to use when there is none, written as a user would write it. */
  default(value: string | number | (() => string | number)): z.ZodDefault<this>;
}

/** How one kind of quantity is read and described. */
export interface QuantityKind {
  /** Reads the text, or throws an error whose message quotes it. */
  parse(text: string | number): number;
  /** Writes it for people. */
  format(value: number): string;
  /** What a text must look like, for editors; `parse` has the last word. */
  pattern: string;
  examples: string[];
  /** What a user should have written, as the end of a sentence. */
  expected: string;
}

/** Gives back what makes the schema of one kind of quantity. */
export function quantity(kind: QuantityKind): () => Quantity {
  return shared(() => new QuantitySchema(definitionOf(kind)) as unknown as Quantity);
}

interface QuantityDefinition extends z.core.$ZodPipeDef {
  readonly kind: QuantityKind;
}

function definitionOf(kind: QuantityKind): QuantityDefinition {
  const text = z.string().meta({ pattern: kind.pattern, examples: kind.examples });
  const number = z.number().meta({ minimum: 0 });
  const input = z.union([text, number], { error: () => `expected ${kind.expected}` });
  const output = z.transform<string | number, number>((value, context) => {
    try {
      return kind.parse(value);
    } catch (error) {
      const message = reasonOf(error);
      context.issues.push({ code: 'custom', input: value, message, params: { expected: kind.expected } });
      return z.NEVER;
    }
  });
  return { type: 'pipe', in: input, out: output, kind };
}

// A class of its own, because zod makes a new instance for every `describe` and `meta`. Zod's `default` wants the
// parsed value, and its JSON Schema then has no default at all; a prefault is read like any other text and
// appears in the JSON Schema as it was written.
const Pipe: $constructor<z.ZodPipe> = z.ZodPipe;
const QuantitySchema = $constructor<z.ZodPipe, QuantityDefinition>('ArgusQuantity', (schema, definition) => {
  Pipe.init(schema, definition);
  Object.defineProperty(schema, 'default', {
    value: (value: string | number | (() => string | number)) => {
      // A default that cannot be read is a mistake of whoever wrote the schema: say so at once.
      definition.kind.parse(typeof value === 'function' ? value() : value);
      return schema.prefault(value);
    },
  });
});
