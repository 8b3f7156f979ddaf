import { expect, it } from 'vitest';
import * as z from 'zod';
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
