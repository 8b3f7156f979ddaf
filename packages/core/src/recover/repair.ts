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

/** How long one recoverer may take to keep its evidence and to carry out its steps, in milliseconds. */
const limits = { evidence: 10_000, apply: 300_000 };

/** Lets a recoverer carry out steps of its plan, with the evidence kept first. Whether it worked is not known yet. */
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
  for (const step of steps) {
    const evidence = await evidenceFor(kernel, recoverer, step, report, signal);
    kept.set(step, evidence);
    await recordStart(kernel, step, evidence);
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

/** What the recoverer says of its steps; when it breaks, all of those it had to do have failed. */
async function apply(
  kernel: Kernel,
  recoverer: Recoverer,
  steps: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly StepResult[]> {
  const { clock, project } = kernel;
  try {
    const results = await withTimeLimit(
      clock,
      limits.apply,
      signal,
      `${recoverer.name} was not done`,
      async (limited) => recoverer.apply({ steps, signal: limited, project, clock }),
    );
    return (results ?? []).map((result) =>
      result.applied ? result : { ...result, error: presentError(kernel, result.error) },
    );
  } catch (cause) {
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

function outcomeOf(step: PlannedStep, results: readonly StepResult[], evidence: JsonObject): StepOutcome {
  const result = results.find(({ target }) => target === step.target);
  if (!result || result.applied) return { ...step, outcome: 'applied', evidence };
  return { ...step, outcome: 'failed', error: result.error, evidence };
}
