import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineErrorCode } from '../model/error-code.js';
import { defineOperation } from '../model/operation.js';
import { buildKernel, registering } from '../testing/build-kernel.js';
import { advise } from './advise.js';

/** An operation of somebody else. */
const foreign = (name: string, readOnly: boolean) =>
  defineOperation({
    name,
    summary: 'Does what its name says',
    input: z.strictObject({}),
    output: z.object({}),
    effects: { readOnly, destructive: false, idempotent: true },
    run: async () => ({}),
  });

it('nothing is healed by a call that only looks, whoever has made the operation', () => {
  const operations = [foreign('show-queues', true), foreign('flush-queues', false)];
  const kernel = buildKernel({ plugins: [registering('queues', { operations })] });
  const adviceFor = (...suggestedActions: string[]) =>
    advise(kernel, { code: 'QUEUE_FULL', details: {}, suggestedActions });
  for (const looks of ['show-queues', 'fault-list', 'status', 'preflight-check'])
    expect(adviceFor(looks)).toMatchObject({ person: { what: expect.any(String) } });
  expect(adviceFor('show-queues', 'flush-queues')).toEqual({
    calls: [{ operation: 'flush-queues', input: {} }],
  });
});

it('of an open circuit what helps against its last fault is the advice', () => {
  const away = defineErrorCode({
    code: 'ENGINE_AWAY',
    category: 'infrastructure',
    severity: 'fatal',
    summary: 'The engine is away',
    causes: ['It does not run.'],
    remedy: 'Look for the engine.',
    remedies: { asleep: 'Wake the engine.' },
    details: () => z.object({ reason: z.enum(['asleep']) }),
  });
  const kernel = buildKernel({ plugins: [registering('engine', { codes: [away] })] });
  const adviceFor = (last: object) => {
    const details = { circuit: 'engine', ...last };
    return advise(kernel, { code: 'CIRCUIT_OPEN', details, suggestedActions: ['reset-circuit'] }).person
      ?.what;
  };
  expect(adviceFor({ lastCode: 'ENGINE_AWAY', lastReason: 'asleep' })).toBe('Wake the engine.');
  expect(adviceFor({ lastCode: 'ENGINE_AWAY' })).toBe('Look for the engine.');
  for (const unknown of [{}, { lastCode: 'OF_ANOTHER_PLUGIN' }])
    expect(adviceFor(unknown)).toMatch(/^Bring back what is down; /);
});
