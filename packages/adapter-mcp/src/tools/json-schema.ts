import type { Operation, OperationEffects } from '@argusai/core';
import * as z from 'zod';
import { outline } from './outline.js';

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
  return { properties: brief(properties) as Record<string, unknown>, required: required as string[] };
}

/** What a call would do with this input. */
export function effectsOf(operation: Operation, input: Readonly<Record<string, unknown>>): OperationEffects {
  return { ...operation.effects, ...operation.effectsOf?.(input) };
}

/** What a problem is told as; everything else about it is in `details`. What its actions are, the instructions say. */
const problem = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    details: { type: 'object' },
    suggestedActions: { type: 'array' },
  },
  required: ['code', 'message'],
};

/**
 * The schema of what a tool answers: the envelope, in one flat object. What its parts mean stands in the instructions of the
 * server, once for all tools.
 */
export function answerSchema({ output }: Pick<Operation, 'output'>): ObjectSchema {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      data: outline(convert(output, 'output')),
      error: problem,
      notices: { type: 'array', items: { $ref: '#/properties/error' } },
      next: { type: 'object', properties: { tool: text } },
      pending: { type: 'object', properties: { runId: text } },
      truncated: { type: 'object' },
      escalate: { type: 'boolean' },
      human: text,
    },
    required: ['ok'],
  };
}

/** What only says again, in more words, what the description or the operation itself says. */
const wordy: Readonly<Record<string, (value: unknown) => boolean>> = {
  pattern: (value) => typeof value === 'string',
  examples: Array.isArray,
  default: (value) => value === false,
  maximum: (value) => value === Number.MAX_SAFE_INTEGER,
};

/** The same inputs in fewer words. The operation looks at what it is given anyway, and says what is wrong with it. */
function brief(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(brief);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !wordy[key]?.(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, brief(value)]));
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  try {
    const options = { io, unrepresentable: 'any', reused: io === 'output' ? 'ref' : 'inline' } as const;
    const { $schema: _, ...rest } = z.toJSONSchema(schema, options);
    return rest;
  } catch {
    // A schema that JSON Schema has no words for, or of a zod too old to tell: the operation itself looks at what it is given.
    return { type: 'object' };
  }
}
