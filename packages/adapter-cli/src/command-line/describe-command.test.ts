import { defineOperation, definePlugin } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findCommand } from './command.js';
import { describeCommand } from './describe-command.js';

/** How a command of somebody else with this input is described. */
function described(input: z.ZodType) {
  const feed = defineOperation({
    name: 'feed',
    summary: 'Feed the animals',
    input,
    output: z.object({}),
    run: async () => ({}),
    effects: { readOnly: true, destructive: false, idempotent: true },
  });
  const plugin = definePlugin({
    name: 'zoo',
    apply: ({ hooks }) => hooks.operations.tap('zoo', (operations) => operations.add(feed)),
  });
  return describeCommand(findCommand(buildKernel({ plugins: [plugin] }), 'feed'));
}

describe('a command that somebody else has brought', () => {
  it('shows all that it needs in its usage and its example', () => {
    const { usage, examples } = described(
      z.object({
        animal: z.string(),
        meals: z.number(),
        names: z.array(z.string()),
        bowl: z.object({ size: z.number() }),
        loud: z.boolean().default(false),
      }),
    );
    const needed = 'argus feed ANIMAL --meals NUMBER --names NAME,… --bowl JSON';
    expect({ usage, examples }).toEqual({ usage: `${needed} [options]`, examples: [needed] });
    expect(described(z.object({ meals: z.number() })).usage).toBe('argus feed --meals NUMBER');
  });

  it('shows of each list that it takes several, and its default as it is typed', () => {
    const { options } = described(
      z.object({
        amounts: z.array(z.number()).optional(),
        marks: z.array(z.enum(['a', 'b'])).default(['a', 'b']),
        bowls: z.array(z.object({})).default([]),
      }),
    );
    expect(options).toEqual([
      { shown: '--amounts NUMBER,…', description: '' },
      { shown: '--marks a|b,…', description: '(default a,b)' },
      { shown: '--bowls JSON…', description: '' },
    ]);
  });

  it('tells the choices of an argument', () => {
    const food = z.enum(['hay', 'meat']);
    expect(described(z.object({ food: food.describe('What it gets') })).arguments).toEqual([
      { shown: 'FOOD', description: 'What it gets: hay, meat (required)' },
    ]);
    expect(described(z.object({ food })).arguments[0]?.description).toBe('hay, meat (required)');
  });
});
