import * as z from 'zod';
import { defineOperation } from '../model/operation.js';
import { planRecovery as plan } from '../recover/plan-recovery.js';
import { defined, filterInput } from './preflight-check.js';
import { recoveryPlanSchema } from './report-schemas.js';

/** Says exactly what would be done about what is wrong. */
export const planRecovery = defineOperation({
  name: 'plan-recovery',
  summary: 'Show exactly what argus would do about what is wrong',
  description:
    'Checks the environment and lists each resource, what would happen to it and whether that can be undone. ' +
    'It changes nothing. Give the hash to argus apply-recovery to carry out exactly this plan.',
  guidance:
    'Call it when {preflight-check} reports problems. Read the steps; if they are what you want, call ' +
    '{apply-recovery} with the hash. With hash null argus can repair nothing: do what next says.',
  input: z.lazy(() => z.strictObject(filterInput())),
  output: z.lazy(() => recoveryPlanSchema.unwrap()),
  effects: { readOnly: true, destructive: false, idempotent: true },
  run: (filter, { kernel, signal }) => plan(kernel, { ...defined(filter), signal }),
});
