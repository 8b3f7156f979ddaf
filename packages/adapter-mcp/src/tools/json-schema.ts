import type { Operation, OperationEffects } from '@argusai/core';
import { structuredErrorSchema } from '@argusai/core';
import * as z from 'zod';

/** A JSON Schema of an object, as plain data. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}

/** What an operation takes. */
export function inputProperties({ input }: Pick<Operation, 'input'>): {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
} {
  const { properties = {}, required = [] } = convert(input, 'input');
  return { properties: properties as Record<string, unknown>, required: required as string[] };
}

/** What a call would do with this input. */
export function effectsOf(operation: Operation, input: Readonly<Record<string, unknown>>): OperationEffects {
  return { ...operation.effects, ...operation.effectsOf?.(input) };
}

/** The schema of what a tool answers: the envelope, in one flat object. */
export function answerSchema({ output }: Pick<Operation, 'output'>): ObjectSchema {
  const data = output.optional();
  return { type: 'object', properties: {}, ...convert(envelopeOf(data), 'output') };
}

/** The envelope around some data. */
function envelopeOf(data: z.ZodType): z.ZodType {
  return z.object({
    ok: z.boolean().describe('Whether it could be done; then data says what came of it, else error'),
    data,
    error: structuredErrorSchema.optional(),
    notices: z
      .array(structuredErrorSchema)
      .optional()
      .describe('What went wrong beside the work itself, such as lost state'),
    next: z
      .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
      .optional()
      .describe('The tool to call next'),
    pending: z
      .object({ runId: z.string(), tool: z.string(), message: z.string() })
      .optional()
      .describe('It goes on; ask argus_status with this runId'),
    truncated: z
      .object({ bytes: z.number(), omitted: z.array(z.string()), more: z.string() })
      .optional()
      .describe('What was left out, and how to have it'),
    escalate: z.literal(true).optional().describe('Calling again will not help; tell a person'),
    human: z.string().optional().describe('What to tell the person'),
  });
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  try {
    const options = { io, unrepresentable: 'any', reused: io === 'output' ? 'ref' : 'inline' } as const;
    const { $schema: _, ...rest } = z.toJSONSchema(schema, options);
    return (io === 'output' ? open(rest) : rest) as Record<string, unknown>;
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: the operation itself looks at what it is given.
    return { type: 'object' };
  }
}

/** Lets objects have more than is known: a client must not drop an answer because a plugin has added something. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value);
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const isAnything = key === 'additionalProperties' && Object.keys(value as object).length === 0;
      return [key, isAnything ? true : open(value)];
    }),
  );
}
