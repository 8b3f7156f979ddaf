import * as z from 'zod';
import { currentRun } from '../environment/runs/claim-run.js';
import { incidentHistory } from '../guardian/incidents/incident-history.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { usageInvalid } from '../model/core-error-codes.js';
import { nearest } from '../model/nearest.js';
import { defineOperation } from '../model/operation.js';
import { type RecordedRepair, recordedRepairs } from '../recover/recorded-repairs.js';
import { requireSight } from '../state/blindness.js';
import { toldIncidentSchema } from './incident-schema.js';
import { recordedRepairSchema } from './report-schemas.js';

/** Tells what has happened to services, with all that was seen and done. */
export const incidents = defineOperation({
  name: 'incidents',
  summary:
    'Show what happened to this project: each failure of a service, every restart and every repair, with its evidence',
  description:
    'The incidents of the run of this folder, newest first, with the whole error, the restarts and the evidence that was kept before ' +
    'each. When nothing is up, those of the run that something last happened to. Then what was done ' +
    'about findings of checks, or refused, with what was kept before and what the check afterwards said. It changes nothing.',
  guidance:
    'Call it when {status} shows an incident, a service was restarted or something was repaired. Next: mend the cause ' +
    'and call {setup}.',
  input: z.lazy(() =>
    z.strictObject({
      service: z.string().optional().describe('Only those of this service or mock'),
      last: z
        .number()
        .int()
        .min(1)
        .default(10)
        .describe('So many of the newest incidents, and so many repairs'),
      all: z.boolean().default(false).describe('Also those of other runs that are still known'),
    }),
  ),
  output: z.lazy(() =>
    z.object({
      runId: z.string().nullable().describe('Null when nothing has happened and nothing is up'),
      guarded: z
        .boolean()
        .nullable()
        .describe(
          'Whether somebody guards the run, without whom nothing is recorded; null when nothing is up',
        ),
      incidents: z.array(toldIncidentSchema),
      others: z.number().describe('How many more incidents are known that were not asked for'),
      repairs: z.array(recordedRepairSchema).describe('What was done about findings of checks, newest first'),
      otherRepairs: z.number().describe('How many more repairs are known that were not asked for'),
    }),
  ),
  effects: { readOnly: true, destructive: false, idempotent: true },
  run: async (query, { kernel }) => {
    const known = await recordedRepairs(kernel);
    const repairs = known.filter((repair) => isOf(repair, query.service)).slice(0, query.last);
    const otherRepairs = known.length - repairs.length;
    const history = await incidentHistory(kernel, query);
    if (history.runId === null && known.length === 0) requireSight(kernel.store);
    const isQuiet = history.incidents.length === 0 && repairs.length === 0;
    if (isQuiet && query.service !== undefined) await requireKnown(kernel, query.service);
    return { ...history, repairs, otherRepairs };
  },
});

/** Refuses a name that nobody has: that nothing has happened to it would be taken for good news. */
async function requireKnown(kernel: Kernel, service: string): Promise<void> {
  const { services = {}, mocks = {} } = kernel.config;
  const run = await currentRun(kernel);
  const { incidents } = await incidentHistory(kernel, { last: Number.MAX_SAFE_INTEGER, all: true });
  const names = [services, mocks, run?.services ?? {}].flatMap((each) => Object.keys(each));
  const known = [...new Set([...names, ...incidents.map((one) => one.service)])];
  if (known.includes(service)) return;
  const suggestion = nearest(service, known);
  const named = known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`;
  const hint = suggestion === undefined ? named : `did you mean ${suggestion}?`;
  throw new ArgusError(usageInvalid, {
    message: `No service or mock is called ${service}, and nothing is recorded of one; ${hint}`,
    details: { service, known },
  });
}

function isOf(repair: RecordedRepair, service: string | undefined): boolean {
  return service === undefined || repair.service === service || repair.target === `service:${service}`;
}
