import type { Kernel } from '../kernel/kernel.js';
import { present, presentError } from '../kernel/present.js';
import { ArgusError } from '../model/argus-error.js';
import { recoveryFailed } from '../model/core-error-codes.js';
import type { HealthReport } from '../model/health-report.js';
import type { JsonObject } from '../model/json.js';
import type { Recoverer, StepResult } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { withTimeLimit } from '../time/time-limit.js';
import { findingsOf, handledBy } from './findings.js';
import { recordStart } from './history.js';

/** How long one recoverer may take to keep its evidence, to carry out its steps, and to stop when it is told to, in milliseconds. */
const limits = { evidence: 10_000, apply: 300_000, stop: 10_000 };

const never = new AbortController().signal;

/**
 * Lets a recoverer carry out steps of its plan, with the evidence kept first. Whether it worked is not known yet. When it is
 * cancelled before any of them has begun, there is no outcome.
 */
export async function repair(
  kernel: Kernel,
  name: string,
  steps: readonly PlannedStep[],
  report: HealthReport,
  signal: AbortSignal,
): Promise<StepOutcome[]> {
  const recoverer = kernel.recoverers.get(name);
  if (!recoverer) throw new Error(`The recoverer ${name} of the plan is not loaded`);
  const kept = new Map<PlannedStep, JsonObject>();
  for (const step of steps) kept.set(step, await evidenceFor(kernel, recoverer, step, report, signal));
  if (signal.aborted) return [];
  for (const step of steps) {
    await recordStart(kernel, step, kept.get(step) ?? {});
    const { target, action, description } = step;
    kernel.events.emit('recovery_step', {
      recoverer: name,
      target,
      action,
      state: 'started',
      message: description,
    });
  }
  const results = await apply(kernel, recoverer, steps, signal);
  return steps.map((step) => outcomeOf(step, results, kept.get(step) ?? {}));
}

/** What the recoverer wants kept. A repair is not left undone because a log could not be read; that is noted. */
async function evidenceFor(
  kernel: Kernel,
  recoverer: Recoverer,
  step: PlannedStep,
  report: HealthReport,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { clock, project } = kernel;
  const findings = findingsOf(report).filter((finding) => handledBy(recoverer, finding));
  const problems = step.findings.flatMap(
    ({ check, target }) =>
      findings.find((one) => one.check.name === check && one.check.target === target)?.error ?? [],
  );
  try {
    const own = await withTimeLimit(
      clock,
      limits.evidence,
      signal,
      `${step.recoverer} kept no evidence`,
      async (limited) => recoverer.evidence?.(step, { findings, signal: limited, project, clock }),
    );
    return present<object>(kernel, { problems, ...own }) as JsonObject;
  } catch (thrown) {
    const { message } = toStructuredError(thrown, clock.now());
    return present<object>(kernel, { problems, incomplete: message }) as JsonObject;
  }
}

/** What is known of a step: what the recoverer says, or nothing, because it was cancelled in the middle. */
type Said = StepResult | { readonly target: string; readonly applied: 'unknown' };

/** What the recoverer says of its steps; when it breaks, all of those it had to do have failed. */
async function apply(
  kernel: Kernel,
  recoverer: Recoverer,
  steps: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly Said[]> {
  const { clock, project } = kernel;
  let work: ReturnType<Recoverer['apply']> = Promise.resolve();
  try {
    const results = await withTimeLimit(
      clock,
      limits.apply,
      signal,
      `${recoverer.name} was not done`,
      async (limited) => {
        work = recoverer.apply({ steps, signal: limited, project, clock });
        return work;
      },
    );
    return presented(kernel, results);
  } catch (cause) {
    if (signal.aborted) {
      const said = presented(kernel, await lastWords(kernel, recoverer, work));
      return steps.map(
        ({ target }) => said.find((one) => one.target === target) ?? { target, applied: 'unknown' },
      );
    }
    const { message } = toStructuredError(cause, clock.now());
    return steps.map(({ target }) => {
      const details = { recoverer: recoverer.name, target };
      const { error } = new ArgusError(recoveryFailed, {
        message: `${recoverer.name}: ${message}`,
        details,
        cause,
      });
      return { target, applied: false, error: presentError(kernel, error) };
    });
  }
}

/**
 * What a recoverer that was told to stop says of its steps. It is waited for, so that the check that follows sees what it has
 * left and not what it is still at; one that does not stop is left behind.
 */
async function lastWords(
  { clock }: Kernel,
  recoverer: Recoverer,
  work: ReturnType<Recoverer['apply']>,
): Promise<StepResult[]> {
  try {
    return (
      (await withTimeLimit(clock, limits.stop, never, `${recoverer.name} did not stop`, async () => work)) ??
      []
    );
  } catch {
    // It broke because it was told to stop, or does not stop; either way it says nothing of its steps.
    return [];
  }
}

// biome-ignore lint/suspicious/noConfusingVoidType: a recoverer with nothing to report returns nothing.
function presented(kernel: Kernel, results: readonly StepResult[] | void): StepResult[] {
  return (results ?? []).map((result) =>
    result.applied ? result : { ...result, error: presentError(kernel, result.error) },
  );
}

function outcomeOf(step: PlannedStep, results: readonly Said[], evidence: JsonObject): StepOutcome {
  const result = results.find(({ target }) => target === step.target);
  if (!result || result.applied === true) return { ...step, outcome: 'applied', evidence };
  if (result.applied === 'unknown') return { ...step, outcome: 'interrupted', evidence };
  return { ...step, outcome: 'failed', error: result.error, evidence };
}
