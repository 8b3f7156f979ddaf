import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { groupBy } from '../model/group-by.js';
import type { HealthReport } from '../model/health-report.js';
import type { PlannedStep, RecoveryPlan } from '../model/recovery-plan.js';
import type { RecoveryReport, StepOutcome } from '../model/recovery-report.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { breather } from '../time/breather.js';
import { never } from '../time/never.js';
import { withTimeLimit } from '../time/time-limit.js';
import { askPermission } from './ask-permission.js';
import { recordOutcome } from './history.js';
import { interrupted } from './interrupted.js';
import { createPolicy } from './policy/policy.js';
import { lookAgain, reCheck, updated } from './re-check.js';
import { remember, rememberRecovered } from './remember.js';
import { repair } from './repair.js';
import type { RepairOptions } from './repair-options.js';
import { resolvedIn, verdictsBetween } from './verdict.js';

/** How long observers may take, in milliseconds. */
const hookMs = 10_000;

/**
 * Carries out a plan, one recoverer after the other: asks whether each step may be taken, keeps the evidence, does
 * it, checks again. A later recoverer is left out when an earlier one has resolved what it was for.
 */
export async function carryOut(
  kernel: Kernel,
  plan: RecoveryPlan,
  before: HealthReport,
  options: RepairOptions,
): Promise<RecoveryReport> {
  const policy = policyFor(kernel, before, options);
  const steps: StepOutcome[] = [];
  const seen = new Set<string>();
  let now = before;
  for (const [recoverer, planned] of groupBy(plan.steps, (step) => step.recoverer)) {
    if (options.signal.aborted) throw interrupted(plan, steps);
    const isGone = resolvedIn(now.checks);
    const needed: PlannedStep[] = [];
    for (const step of planned) {
      if (step.findings.every(isGone)) steps.push({ ...step, outcome: 'not-needed' });
      else needed.push(step);
    }

    const { allowed, refused } = await askPermission(kernel, policy, needed, options);
    if (options.signal.aborted) throw interrupted(plan, steps);
    await announceAll(kernel, refused, options);
    steps.push(...refused);
    if (options.dryRun) {
      for (const step of allowed) steps.push({ ...step, outcome: 'planned' });
    } else if (allowed.length > 0) {
      const tried = await repair(kernel, recoverer, allowed, now, options.signal);
      if (tried.length === 0) throw interrupted(plan, steps);
      const judged = await judge(kernel, tried, now);
      await announceAll(kernel, judged.outcomes, options);
      steps.push(...judged.outcomes);
      for (const name of judged.seen) seen.add(name);
      now = judged.after;
      if (tried.length < allowed.length) throw interrupted(plan, steps);
    }
  }
  if (steps.some(({ outcome }) => outcome === 'interrupted')) throw interrupted(plan, steps);
  const after = seen.size === 0 ? now : await lookAgain(kernel, now, seen, never());
  return { plan, dryRun: options.dryRun, before, after, steps };
}

function policyFor(
  { config, project, store, clock }: Kernel,
  { checks }: HealthReport,
  { mode, dryRun }: RepairOptions,
) {
  const self = { pid: process.pid, parentPid: process.ppid };
  return createPolicy({
    settings: config.policy,
    project: project.name,
    store,
    clock,
    checks,
    mode,
    dryRun,
    self,
  });
}

/**
 * Checks again what was tried and what depends on it. What was started must be judged, so the caller's signal does
 * not end this; the deadline of the checks does.
 */
async function judge(kernel: Kernel, tried: readonly StepOutcome[], before: HealthReport) {
  const findings = tried.flatMap((step) => step.findings);
  const fresh = await remember(kernel, await reCheck(kernel, findings, before, never()));
  const verdictOf = verdictsBetween(before.checks, fresh.checks);
  const outcomes = tried.map((step) => ({ ...step, verdict: verdictOf(step.findings) }));
  const recovered = outcomes.filter(({ verdict }) => verdict === 'recovered');
  await rememberRecovered(
    kernel,
    recovered.flatMap((step) => step.findings),
  );
  return { outcomes, after: updated(before, fresh), seen: fresh.checks.map(({ name }) => name) };
}

async function announceAll(
  kernel: Kernel,
  outcomes: readonly StepOutcome[],
  { dryRun }: RepairOptions,
): Promise<void> {
  if (dryRun) return;
  const breathe = breather();
  for (const outcome of outcomes) {
    const { recoverer, target, action, refusal, error } = outcome;
    await breathe();
    await recordOutcome(kernel, outcome);
    const state = outcome.outcome as 'applied' | 'refused' | 'failed' | 'interrupted';
    const message = refusal?.reason ?? error?.message ?? outcome.verdict ?? outcome.description;
    kernel.events.emit('recovery_step', { recoverer, target, action, state, message });
    if (isTapped(kernel.hooks.afterRecover)) await observe(kernel, outcome);
  }
}

/** Tells the observers. One that breaks changes nothing about what was done, which is recorded already. */
async function observe(kernel: Kernel, outcome: StepOutcome): Promise<void> {
  try {
    await withTimeLimit(kernel.clock, hookMs, never(), 'it gave no answer', async () =>
      kernel.hooks.afterRecover.promise(structuredClone(outcome)),
    );
  } catch (thrown) {
    const error = presentError(kernel, toStructuredError(thrown, kernel.clock.now()));
    const { recoverer, target, action } = outcome;
    const message = `an observer broke: ${error.message}`;
    kernel.events.emit('recovery_step', { recoverer, target, action, state: 'failed', message });
  }
}
