import * as z from 'zod';
import { defineOperation, harmlessDryRun } from '../model/operation.js';
import { applyRecovery as apply } from '../recover/apply-recovery.js';
import { defined, filterInput } from './preflight-check.js';
import { recoveryReportSchema } from './report-schemas.js';

/** Carries out one exact plan and proves whether it worked. */
export const applyRecovery = defineOperation({
  name: 'apply-recovery',
  summary: 'Carry out exactly the plan with this hash, then check again',
  description:
    'Takes the hash that argus plan-recovery gave, with the same --only and --skip. It refuses when the world has changed ' +
    'since. Each step ends as recovered, ineffective or worse, which only the check afterwards decides.',
  guidance:
    'Call it with the hash, only and skip of {plan-recovery}. After PLAN_STALE plan again. Look at ' +
    'the verdict of each step; one that was refused needs a person. Next: {preflight-check}.',
  input: z.lazy(() =>
    z.strictObject({
      hash: z.string().describe('The hash of the plan'),
      ...filterInput(),
      confirm: z
        .boolean()
        .default(false)
        .describe('A person has agreed to this plan, so the limits on acting alone do not apply'),
      dryRun: z.boolean().default(false).describe('Only say what would be done and what would be refused'),
    }),
  ),
  output: z.lazy(() => recoveryReportSchema.unwrap()),
  effects: { readOnly: false, destructive: true, idempotent: true },
  effectsOf: harmlessDryRun,
  rollsBack: true,
  leaves: 'A repair may be half done; argus check shows how things are',
  run({ hash, confirm, dryRun, ...filter }, { kernel, signal, unattended }) {
    const mode = confirm && !unattended ? 'approved' : 'automatic';
    return apply(kernel, hash, { ...defined(filter), mode, dryRun, signal });
  },
});
