import { runChecks } from '../check/run-checks.js';
import type { CheckFilter } from '../check/select-checkers.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Ask } from '../model/ask.js';
import type { HealthReport } from '../model/health-report.js';
import { type PlannedStep, type RecoveryPlan, stepKey } from '../model/recovery-plan.js';
import type { RecoveryReport, Refusal, StepOutcome } from '../model/recovery-report.js';
import { requireHash } from './apply-recovery.js';
import { carryOut } from './carry-out.js';
import { planFor } from './plan-recovery.js';
import { remember } from './remember.js';

/** How far a repair may go. */
export interface FixOptions extends CheckFilter {
  /** Whoever gave the order has agreed to everything. */
  readonly agreed: boolean;
  /** Whoever gave the order has seen exactly this plan and wants it; what is destructive is asked for all the same, and left undone where nobody can be. */
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
  /** The steps that would be refused whoever agrees, where nothing was done. */
  refused?: StepOutcome[];
}

/** Checks, plans, asks, carries out what was agreed to, and checks again. Without an answer nothing is touched. */
export async function fix(kernel: Kernel, options: FixOptions): Promise<Fix> {
  const { hash, signal, unattended } = options;
  const before = await remember(kernel, await runChecks(kernel, options));
  const plan = await planFor(kernel, before, signal);
  if (hash !== undefined) requireHash(hash, plan, before);
  const mode = unattended ? 'automatic' : 'approved';
  // Whoever has agreed to everything hears of it when it is done.
  const isOpen = plan.steps.length > 0 && (!options.agreed || options.planOnly);
  const tried = isOpen && (await carryOut(kernel, plan, before, { mode, dryRun: true, signal }));
  const hopeless = tried ? tried.steps.filter(({ outcome }) => outcome === 'refused') : [];
  const consent = await consentTo(plan, hopeless, options);
  if ('stopped' in consent) {
    const { stopped } = consent;
    return { plan, before, stopped, report: null, ...(tried ? { refused: hopeless } : {}) };
  }
  const { refused } = consent;
  const report = await carryOut(kernel, plan, before, { mode, dryRun: false, signal, refused });
  return { plan, before, stopped: null, report };
}

type Consent =
  | { readonly stopped: Exclude<Fix['stopped'], null> }
  | { readonly refused: ReadonlyMap<PlannedStep, Refusal> };

const unwanted: Refusal = { rule: 'declined', reason: 'declined: whoever was asked does not want it' };
const unasked: Refusal = {
  rule: 'unasked',
  reason: 'unasked: it cannot be undone, and nobody could be asked; --yes agrees to it',
};

/** What is refused in any case nobody is asked about, so that nobody has agreed to it either: it stays refused, whatever is said of it later. */
async function consentTo(
  plan: RecoveryPlan,
  hopeless: readonly StepOutcome[],
  { agreed, hash, planOnly, ask, signal }: FixOptions,
): Promise<Consent> {
  if (plan.steps.length === 0) return { stopped: 'nothing-to-do' };
  if (planOnly) return { stopped: 'only-planned' };
  if (agreed) return { refused: new Map() };
  const standing = standingIn(plan, hopeless);
  const open = plan.steps.filter((step) => !standing.has(step));
  if (open.length === 0) return { refused: standing };
  const destructive = open.filter(({ risk }) => risk === 'destructive');
  if (!ask) {
    // The hash of what was shown agrees to the plan, and not to what is asked for one by one.
    const isNothingLeft = hash === undefined || destructive.length === open.length;
    if (isNothingLeft) return { stopped: 'nobody-to-ask' };
    return { refused: new Map([...standing, ...destructive.map((step) => [step, unasked] as const)]) };
  }
  if (hash === undefined && !(await ask({ about: 'plan', plan, refused: hopeless }, signal)))
    return { stopped: 'declined' };
  const refused = new Map(standing);
  for (const step of destructive) {
    if (!(await ask({ about: 'step', step }, signal))) refused.set(step, unwanted);
  }
  return refused.size === plan.steps.length ? { stopped: 'declined' } : { refused };
}

/** The steps of a plan that were refused when it was tried, with what was said then. */
function standingIn(plan: RecoveryPlan, hopeless: readonly StepOutcome[]): Map<PlannedStep, Refusal> {
  const refusals = new Map(hopeless.map((step) => [stepKey(step), step.refusal]));
  const standing = new Map<PlannedStep, Refusal>();
  for (const step of plan.steps) {
    const refusal = refusals.get(stepKey(step));
    if (refusal) standing.set(step, refusal);
  }
  return standing;
}
