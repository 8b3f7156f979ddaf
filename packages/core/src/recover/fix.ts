import { runChecks } from '../check/run-checks.js';
import type { CheckFilter } from '../check/select-checkers.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Ask } from '../model/ask.js';
import type { HealthReport } from '../model/health-report.js';
import type { PlannedStep, RecoveryPlan } from '../model/recovery-plan.js';
import type { RecoveryReport, StepOutcome } from '../model/recovery-report.js';
import { requireHash } from './apply-recovery.js';
import { carryOut } from './carry-out.js';
import { planFor } from './plan-recovery.js';
import { remember } from './remember.js';

/** How far a repair may go. */
export interface FixOptions extends CheckFilter {
  /** Whoever gave the order has agreed to everything. */
  readonly agreed: boolean;
  /** Whoever gave the order has seen exactly this plan and wants it; where somebody can be asked, what is destructive is asked for all the same. */
  readonly hash?: string | undefined;
  /** Nothing is to be done, only shown. */
  readonly planOnly: boolean;
  readonly ask?: Ask | undefined;
  /** No person has agreed, so the limits on acting alone apply to what is done. */
  readonly unattended?: boolean;
  readonly signal: AbortSignal;
}

/** What came of a repair that a person was asked about. */
export interface Fix {
  plan: RecoveryPlan;
  before: HealthReport;
  /** Why nothing was done; null when something was. */
  stopped: 'nothing-to-do' | 'only-planned' | 'declined' | 'nobody-to-ask' | null;
  /** What was done; null when nothing was. */
  report: RecoveryReport | null;
  /** The steps that would be refused, where the plan was only to be shown. */
  refused?: StepOutcome[];
}

/** Checks, plans, asks, carries out what was agreed to, and checks again. Without an answer nothing is touched. */
export async function fix(kernel: Kernel, options: FixOptions): Promise<Fix> {
  const { hash, signal, unattended } = options;
  const before = await remember(kernel, await runChecks(kernel, options));
  const plan = await planFor(kernel, before, signal);
  if (hash !== undefined) requireHash(hash, plan);
  const consent = await consentTo(plan, options);
  const mode = unattended ? 'automatic' : 'approved';
  if ('stopped' in consent) {
    const { stopped } = consent;
    if (stopped !== 'only-planned') return { plan, before, stopped, report: null };
    const { steps } = await carryOut(kernel, plan, before, { mode, dryRun: true, signal });
    const refused = steps.filter(({ outcome }) => outcome === 'refused');
    return { plan, before, stopped, report: null, refused };
  }
  const { declined } = consent;
  const report = await carryOut(kernel, plan, before, { mode, dryRun: false, signal, declined });
  return { plan, before, stopped: null, report };
}

type Consent =
  | { readonly stopped: Exclude<Fix['stopped'], null> }
  | { readonly declined: ReadonlySet<PlannedStep> };

async function consentTo(
  plan: RecoveryPlan,
  { agreed, hash, planOnly, ask, signal }: FixOptions,
): Promise<Consent> {
  if (plan.steps.length === 0) return { stopped: 'nothing-to-do' };
  if (planOnly) return { stopped: 'only-planned' };
  if (agreed) return { declined: new Set() };
  // Where nobody can be asked, the hash of what was shown is the answer.
  if (!ask) return hash === undefined ? { stopped: 'nobody-to-ask' } : { declined: new Set() };
  if (hash === undefined && !(await ask({ about: 'plan', plan }, signal))) return { stopped: 'declined' };
  const declined = new Set<PlannedStep>();
  for (const step of plan.steps.filter(({ risk }) => risk === 'destructive')) {
    if (!(await ask({ about: 'step', step }, signal))) declined.add(step);
  }
  return declined.size === plan.steps.length ? { stopped: 'declined' } : { declined };
}
