import { runChecks } from '../check/run-checks.js';
import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { recovererBroken, usageInvalid } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';
import type { Finding, Recoverer } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import { findingsOf, handledBy } from '../recover/findings.js';
import { planFor } from '../recover/plan-recovery.js';
import { repair } from '../recover/repair.js';
import type { Clock } from '../time/clock.js';
import type { Situation } from './situation.js';

/** A problem with what a recoverer would do about it. */
export interface RecoveryCase {
  readonly kernel: Kernel;
  readonly recoverer: Recoverer;
  readonly report: HealthReport;
  /** The problems that the recoverer handles. */
  readonly findings: readonly Finding[];
  readonly steps: readonly PlannedStep[];
  /** Why there is no plan, when the recoverer could not make one. */
  readonly obstacle?: string;
  /** Why the plan that it made cannot be used. */
  readonly flaw?: string;
}

/** Checks, and lets the recoverer of the scenario make its plan. */
export async function openCase(situation: Situation, clock?: Clock): Promise<RecoveryCase> {
  return openCaseIn(situation.assemble(clock), situation.repairedBy ?? '');
}

/** Checks with a kernel that is there already, and lets a recoverer make its plan. */
export async function openCaseIn(kernel: Kernel, name: string): Promise<RecoveryCase> {
  const recoverer = kernel.recoverers.get(name);
  if (!recoverer) {
    const known = kernel.recoverers.names().join(', ') || 'none';
    throw new ArgusError(usageInvalid, {
      message: `There is no recoverer called ${name}; there are: ${known}`,
    });
  }
  const report = await runChecks(kernel);
  const plan = await planFor(kernel, report);
  const notice = plan.notices.find(({ message }) => message.startsWith(`${name} `));
  const isFlawed = isErrorOf(notice, recovererBroken) && notice.details.reason === 'bad-plan';
  return {
    kernel,
    recoverer,
    report,
    findings: findingsOf(report).filter((finding) => handledBy(recoverer, finding)),
    steps: plan.steps.filter((step) => step.recoverer === name),
    ...(notice && { [isFlawed ? 'flaw' : 'obstacle']: notice.message }),
  };
}

/** Carries out the steps, whatever the policy of the project. What went wrong, in one line, or nothing. */
export async function carryOutSteps(
  { recoverer, report, steps }: RecoveryCase,
  kernel: Kernel,
): Promise<string | undefined> {
  const outcomes = await repair(kernel, recoverer.name, steps, report, new AbortController().signal);
  const failed = outcomes.find(({ outcome }) => outcome === 'failed');
  return failed && `${failed.target}: ${failed.error?.message}`;
}

/** Carries out the steps. What the recoverer did not say of them, in one line, or nothing. */
export async function unsaidBy({
  kernel,
  recoverer,
  report,
  steps,
}: RecoveryCase): Promise<string | undefined> {
  const outcomes = await repair(kernel, recoverer.name, steps, report, new AbortController().signal);
  return outcomes.find(({ error }) => isErrorOf(error, recovererBroken))?.error?.message;
}
