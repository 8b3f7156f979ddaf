import * as z from 'zod';
import { runChecks } from '../check/run-checks.js';
import { duration } from '../config/duration.js';
import { currentRun } from '../environment/runs/claim-run.js';
import type { RunRecord } from '../environment/runs/run-record.js';
import { environmentOf } from '../environment/services/environment-of.js';
import { goneGuardian } from '../guardian/posts/gone-guardian.js';
import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { isArgusError } from '../model/argus-error.js';
import { storeUnavailable } from '../model/core-error-codes.js';
import type { HealthReport } from '../model/health-report.js';
import { defineOperation } from '../model/operation.js';
import { carryOut } from '../recover/carry-out.js';
import { planFor } from '../recover/plan-recovery.js';
import { remember } from '../recover/remember.js';
import { healthReportSchema, recoveryReportSchema } from './report-schemas.js';
import { tellUnrecorded } from './tell-beside.js';

/** What part of the environment to look at; the same for every operation that checks. */
export const filterInput = () => ({
  only: z.array(z.string()).optional().describe('Run only these checkers or plugins'),
  skip: z.array(z.string()).optional().describe('Leave out these checkers or plugins'),
});

/** Checks the environment and, when asked, repairs what the policy allows. */
export const preflightCheck = defineOperation({
  name: 'preflight-check',
  alias: 'check',
  summary: 'Check the environment and say what is wrong',
  description:
    'Use it before building or starting anything, and whenever something fails without a clear reason. Every ' +
    'problem has a code and suggested actions; argus fix --plan shows what would be done about them.',
  guidance:
    'Call it first, and whenever something fails without a clear reason. If overall is not healthy, call ' +
    '{plan-recovery}. Or call this again with autoFix to repair what the policy allows and is not destructive. If it is healthy, next: {setup}.',
  input: z.lazy(() =>
    z.strictObject({
      ...filterInput(),
      skipDiskCheck: z.boolean().default(false).describe('Leave out the checks of disk space'),
      skipOrphanCheck: z
        .boolean()
        .default(false)
        .describe('Leave out the search for what dead runs left behind'),
      timeout: duration().optional().describe('How long all checks together may take, such as 10s'),
      autoFix: z.boolean().default(false).describe('Repair what the policy allows without asking'),
      dryRun: z.boolean().default(false).describe('With auto-fix: only say what would be repaired'),
    }),
  ),
  output: z.lazy(() =>
    healthReportSchema.unwrap().extend({
      recovery: recoveryReportSchema.optional().describe('What auto-fix did'),
      environment: z
        .enum(['none', 'nothing-runs', 'starting', 'up', 'stopping', 'unknown'])
        .optional()
        .describe('Whether what is configured was brought up here: healthy alone does not say so'),
    }),
  ),
  effects: { readOnly: false, destructive: false, idempotent: true },
  effectsOf: ({ autoFix, dryRun }) => (autoFix === true && dryRun !== true ? {} : { readOnly: true }),
  rollsBack: true,
  leaves: 'A repair may be half done; argus check shows how things are',
  async run({ autoFix, dryRun, timeout, skipDiskCheck, skipOrphanCheck, ...given }, context) {
    const { kernel, signal, onThrown, unattended = false } = context;
    const left = [...(skipDiskCheck ? ['disk'] : []), ...(skipOrphanCheck ? ['orphans'] : [])];
    // Naming a plugin that is not loaded would be an error; here it is left out anyway.
    const skip = [...(given.skip ?? []), ...left.filter((plugin) => hasCheckers(kernel, plugin))];
    const filter = { ...given, skip: skip.length === 0 ? undefined : skip };
    const options = defined({ signal, ...filter, deadlineMs: timeout, onThrown });
    const checked = await remember(kernel, await runChecks(kernel, options));
    const report = {
      ...(await withGuardian(kernel, checked, given)),
      ...(await environmentHere(kernel, given, checked, signal)),
    };
    if (!autoFix) return report;
    const plan = await planFor(kernel, report, signal);
    try {
      // It is told as harmless where nobody is asked, so there it has to be.
      const mode = unattended ? 'unattended' : 'automatic';
      const recovery = await carryOut(kernel, plan, report, { mode, dryRun, signal });
      const notices = [...recovery.after.notices, ...plan.notices];
      const { environment } = report;
      return { ...recovery.after, ...(environment ? { environment } : {}), notices, recovery };
    } catch (thrown) {
      // Without a store nothing may be repaired, but what was found is still true.
      if (!isArgusError(thrown) || thrown.code !== storeUnavailable.code) throw thrown;
      return { ...report, notices: [...report.notices, thrown.error] };
    }
  },
});

/**
 * Whether anything was brought up here, when everything is looked at. A store that cannot be used says so itself. That nothing runs
 * is not known where a runtime cannot be asked, which is asked for only where something is wrong.
 */
async function environmentHere(
  kernel: Kernel,
  { only }: { readonly only?: readonly string[] | undefined },
  { overall }: Pick<HealthReport, 'overall'>,
  signal: AbortSignal,
): Promise<{ environment?: RunRecord['state'] | 'none' | 'nothing-runs' | 'unknown' }> {
  if (only !== undefined) return {};
  if (environmentOf(kernel.config, kernel.project).services.length === 0) return { environment: 'none' };
  const run = await currentRun(kernel).catch(() => null);
  if (run) return { environment: run.state };
  const isKnown = run !== null && (overall === 'healthy' || (await isAllLookedAt(kernel, signal)));
  return { environment: isKnown ? 'nothing-runs' : 'unknown' };
}

async function isAllLookedAt(kernel: Kernel, signal: AbortSignal): Promise<boolean> {
  const { unlooked } = await tellUnrecorded(kernel, signal, undefined, 'look');
  return unlooked.length === 0;
}

/** Adds that nobody guards what was to be guarded, when everything is looked at. It says nothing about how anything is now. */
async function withGuardian(
  kernel: Kernel,
  report: HealthReport,
  { only }: { readonly only?: readonly string[] | undefined },
): Promise<HealthReport> {
  if (only !== undefined) return report;
  // A store that cannot be used has said so already.
  const gone = await goneGuardian(kernel).catch(() => undefined);
  return gone ? { ...report, notices: [...report.notices, presentError(kernel, gone)] } : report;
}

function hasCheckers({ checkers }: Kernel, plugin: string): boolean {
  return checkers.values().some(({ name }) => checkers.ownerOf(name) === plugin);
}

/** Leaves out what was not given, so that a default can take its place. */
export function defined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as never;
}
