import * as z from 'zod';
import { defineOperation } from '../model/operation.js';
import { fix as repair } from '../recover/fix.js';
import { defined, filterInput } from './preflight-check.js';
import {
  healthReportSchema,
  recoveryPlanSchema,
  recoveryReportSchema,
  stepOutcomeSchema,
} from './report-schemas.js';

/** Repairs what is wrong, with the consent of whoever asks for it. */
export const fix = defineOperation({
  name: 'fix',
  summary: 'Repair what is wrong: show the plan, ask, carry it out, check again',
  description:
    'Shows each resource, what would happen to it and whether that can be undone, and asks before it touches anything; ' +
    'destructive steps it asks for one by one, also with --apply and the hash of a plan that was shown before. Only --yes asks nothing. ' +
    'Where nobody can be asked, --apply HASH carries out what is not destructive, and --yes everything.',
  guidance: 'For people at a terminal; as an agent rather call {plan-recovery} and then {apply-recovery}.',
  input: z.lazy(() =>
    z.strictObject({
      ...filterInput(),
      plan: z.boolean().default(false).describe('Only show the plan and its hash'),
      apply: z
        .string()
        .min(1)
        .optional()
        .describe('Carry out exactly the plan with this hash, asking only for destructive steps'),
      dryRun: z.boolean().default(false).describe('The same as plan'),
      yes: z.boolean().default(false).describe('Carry out everything without asking'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      plan: recoveryPlanSchema,
      before: healthReportSchema,
      stopped: z
        .enum(['nothing-to-do', 'only-planned', 'declined', 'nobody-to-ask'])
        .nullable()
        .describe('Why nothing was done; null when something was'),
      report: recoveryReportSchema.nullable().describe('What was done; null when nothing was'),
      refused: z
        .array(stepOutcomeSchema)
        .optional()
        .describe(
          'Where nothing was done: the steps that would be refused whoever agrees, and by which rule',
        ),
    }),
  ),
  effects: { readOnly: false, destructive: true, idempotent: true },
  effectsOf: ({ plan, dryRun }) =>
    plan === true || dryRun === true ? { readOnly: true, destructive: false } : {},
  rollsBack: true,
  leaves: 'A repair may be half done; argus check shows how things are',
  run: ({ plan, dryRun, apply, yes, ...filter }, { kernel, signal, ask, unattended = false }) =>
    repair(kernel, {
      ...defined(filter),
      planOnly: plan || dryRun,
      hash: apply,
      agreed: yes,
      ask,
      signal,
      unattended,
    }),
});
