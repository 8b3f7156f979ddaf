import { ArgusError, defineOperation, usageInvalid } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { correctedCall } from './corrected-call.js';

const problem = (details: Record<string, string | string[]>) =>
  new ArgusError(usageInvalid, { message: 'No', details }).error;

const operation = (destructive = false) =>
  defineOperation({
    name: 'reset-circuit',
    summary: 'Reset it',
    input: z.object({}),
    output: z.object({}),
    effects: { readOnly: false, destructive, idempotent: true },
    run: async () => ({}),
  });

describe('the call that corrects another', () => {
  const call = (input: object, details: Record<string, string | string[]>, destructive = false) =>
    correctedCall(operation(destructive), { ...input }, problem(details))?.arguments;

  it('has the only name that there is, or the nearest, and everything else as it was', () => {
    expect(call({ circuit: 'nope', dryRun: true }, { circuit: 'nope', known: ['docker'] })).toEqual({
      circuit: 'docker',
      dryRun: true,
    });
    const service = { service: 'apu', known: ['db', 'api'] };
    expect(call({ service: ['db', 'apu'] }, service)).toEqual({ service: ['db', 'api'] });
    expect(call({ service: ['zzzzzz'] }, { ...service, service: 'zzzzzz' })).toBeUndefined();
  });

  it('is none where nothing is known, or where it could not be taken back', () => {
    expect(call({ circuit: 'nope' }, { circuit: 'nope', known: [] })).toBeUndefined();
    expect(call({ circuit: 'nope' }, { circuit: 'nope' })).toBeUndefined();
    expect(call({ run: 'nope' }, { known: ['r1'] })).toBeUndefined();
    expect(call({ circuit: 'nope' }, { circuit: 'nope', known: ['docker'] }, true)).toBeUndefined();
  });
});
