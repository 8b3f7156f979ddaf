import * as z from 'zod';
import { faults } from '../faults/faults.js';
import { defineOperation } from '../model/operation.js';

/** Lists what can be broken on purpose. */
export const faultList = defineOperation({
  name: 'fault-list',
  summary: 'List the faults that can be injected into this project’s environment',
  description: 'It changes nothing. argus fault inject lets one of them happen.',
  guidance: 'Call it to see what {fault-inject} can break.',
  input: z.lazy(() => z.strictObject({})),
  output: z.lazy(() =>
    z.object({
      faults: z.array(
        z.object({
          name: z.string(),
          summary: z.string(),
          lasts: z.boolean().describe('Whether it is taken back when the time is up'),
          expect: z.string().describe('The code that argus should report it with'),
        }),
      ),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  run: async () => ({
    faults: faults.map(({ name, summary, lasts, expect }) => ({ name, summary, lasts, expect })),
  }),
});
