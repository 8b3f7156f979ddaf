import type { Kernel } from '../kernel/kernel.js';
import { present, presentError } from '../kernel/present.js';
import { recoveryFailed } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { excerpt } from '../model/excerpt.js';
import type { HealthReport } from '../model/health-report.js';
import { type JsonObject, toJson } from '../model/json.js';
import type { Recoverer, StepResult } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { never } from '../time/never.js';
import { withTimeLimit } from '../time/time-limit.js';
import { brokenRecoverer, pluginOf } from './broken-recoverer.js';
import { findingsOf, handledBy } from './findings.js';
import { recordStart } from './history.js';
import { type ReadResult, readResults } from './read-results.js';

/** How long one recoverer may take to keep its evidence, to carry out its steps, and to stop when it is told to, in milliseconds. */
const limits = { evidence: 10_000, apply: 300_000, stop: 10_000 };

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
  const context = { findings: structuredClone(findings), project, clock };
  try {
    const own = await withTimeLimit(
      clock,
      limits.evidence,
      signal,
      `${step.recoverer} kept no evidence`,
      async (limited) => recoverer.evidence?.(structuredClone(step), { ...context, signal: limited }),
    );
    return present<object>(kernel, { problems, ...evidenceIn(own) }) as JsonObject;
  } catch (thrown) {
    const { message } = toStructuredError(thrown, clock.now());
    return present<object>(kernel, { problems, incomplete: message }) as JsonObject;
  }
}

function evidenceIn(own: unknown): JsonObject {
  const kept = own === undefined || own === null ? {} : toJson(own);
  if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return kept;
  throw new TypeError(`what was kept is no object: ${excerpt(kept)}`);
}

/**
 * What is known of a step: what the recoverer says, or nothing that can be read, or nothing at all, because it was cancelled in
 * the middle.
 */
type Said =
  | StepResult
  | { readonly target: string; readonly applied: 'unsaid'; readonly error: StructuredError }
  | { readonly target: string; readonly applied: 'unknown' };

/** What the recoverer says of its steps; when it breaks, all of those it had to do have failed. */
async function apply(
  kernel: Kernel,
  recoverer: Recoverer,
  steps: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly Said[]> {
  const { clock, project } = kernel;
  // A copy, because what is recorded and judged afterwards must be what was planned.
  const context = { steps: structuredClone(steps), project, clock };
  let work: Promise<unknown> = Promise.resolve();
  try {
    const returned = await withTimeLimit(
      clock,
      limits.apply,
      signal,
      `${recoverer.name} was not done`,
      async (limited) => {
        work = recoverer.apply({ ...context, signal: limited });
        return work;
      },
    );
    return said(kernel, recoverer, steps, returned);
  } catch (cause) {
    if (signal.aborted) {
      const last = said(kernel, recoverer, steps, await lastWords(kernel, recoverer, work));
      return steps.map(
        ({ target }) =>
          last.find((one) => one.target === target && one.applied !== 'unsaid') ?? {
            target,
            applied: 'unknown',
          },
      );
    }
    const { message } = toStructuredError(cause, clock.now());
    return steps.map(({ target }) => failure(kernel, recoverer, target, message));
  }
}

/**
 * What a recoverer that was told to stop says of its steps. It is waited for, so that the check that follows sees what it has
 * left and not what it is still at; one that does not stop is left behind.
 */
async function lastWords({ clock }: Kernel, recoverer: Recoverer, work: Promise<unknown>): Promise<unknown> {
  try {
    return await withTimeLimit(
      clock,
      limits.stop,
      never(),
      `${recoverer.name} did not stop`,
      async () => work,
    );
  } catch {
    // It broke because it was told to stop, or does not stop; either way it says nothing of its steps.
    return undefined;
  }
}

/** What a recoverer returned, step by step. Where something of it cannot be read, that may be about any step without a result. */
function said(
  kernel: Kernel,
  recoverer: Recoverer,
  steps: readonly PlannedStep[],
  returned: unknown,
): Said[] {
  const { results, flaw } = readResults(returned);
  return steps.flatMap(({ target }): Said[] => {
    const result = results.find((one) => one.target === target);
    if (result) return [told(kernel, recoverer, result)];
    if (flaw === undefined) return [];
    const plugin = pluginOf(kernel, recoverer.name);
    const message = `${recoverer.name} did not say what became of ${target}: it ${flaw} (plugin ${plugin})`;
    return [{ target, applied: 'unsaid', error: brokenRecoverer(kernel, recoverer, 'bad-result', message) }];
  });
}

function told(kernel: Kernel, recoverer: Recoverer, result: ReadResult): Said {
  if (result.applied) return result;
  const { target, applied, error } = result;
  if (error) return { target, applied, error: presentError(kernel, error) };
  return failure(kernel, recoverer, target, 'it says that it failed, and not why');
}

function failure(kernel: Kernel, { name }: Recoverer, target: string, reason: string): StepResult {
  const details = { recoverer: name, plugin: pluginOf(kernel, name), target };
  const occurrence = { message: `${name}: ${reason}`, details };
  const error = structuredError(recoveryFailed, occurrence, kernel.clock.now());
  return { target, applied: false, error: presentError(kernel, error) };
}

function outcomeOf(step: PlannedStep, results: readonly Said[], evidence: JsonObject): StepOutcome {
  const result = results.find(({ target }) => target === step.target);
  if (!result || result.applied === true) return { ...step, outcome: 'applied', evidence };
  if (result.applied === 'unknown') return { ...step, outcome: 'interrupted', evidence };
  // Whether it was done is for the check that follows to say, as of a step that nothing was said of.
  const outcome = result.applied === 'unsaid' ? 'applied' : 'failed';
  return { ...step, outcome, error: result.error, evidence };
}
