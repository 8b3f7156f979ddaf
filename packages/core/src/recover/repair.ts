import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { recoveryFailed } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import type { HealthReport } from '../model/health-report.js';
import type { JsonObject } from '../model/json.js';
import type { Recoverer, StepResult } from '../model/recoverer.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { breather } from '../time/breather.js';
import { never } from '../time/never.js';
import { withTimeLimit } from '../time/time-limit.js';
import { Batches, handOut } from './batches.js';
import { brokenRecoverer, pluginOf } from './broken-recoverer.js';
import { recordOutcome, recordStart } from './history.js';
import { evidenceKeeper } from './keep-evidence.js';
import { type ReadResult, readResults } from './read-results.js';

/** How long a recoverer may take to carry out the steps that it was handed, and to stop when it is told to, in milliseconds. */
const limits = { apply: 300_000, stop: 10_000 };

/**
 * Lets a recoverer carry out steps of its plan, a few at a time, with the evidence of each kept first. Whether it worked is not known
 * yet. When it is cancelled no further step begins; what has not begun has no outcome.
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
  const evidenceOf = evidenceKeeper(kernel, recoverer, report);
  const breathe = breather();
  const batches = new Batches();
  const outcomes: StepOutcome[] = [];
  while (outcomes.length < steps.length) {
    const kept = new Map<PlannedStep, JsonObject>();
    for (const step of batches.from(steps, outcomes.length)) {
      kept.set(step, await evidenceOf(step, signal));
      await breathe();
      if (signal.aborted) return outcomes;
    }
    for (const [step, evidence] of kept) {
      await begin(kernel, step, evidence);
      await breathe();
    }
    const batch = [...kept.keys()];
    const { said, broken } = await batches.run(() => apply(kernel, recoverer, batch, signal));
    for (const [step, evidence] of kept) {
      const one = said.get(step);
      if (one === 'not-begun') await withdraw(kernel, step);
      else outcomes.push(outcomeOf(step, one, evidence));
    }
    await breathe();
    if (signal.aborted) return outcomes;
    if (broken !== undefined) {
      // Who breaks, or comes to no end, is handed no more.
      const rest = steps.slice(outcomes.length);
      for (const step of rest)
        outcomes.push({ ...step, outcome: 'failed', error: failure(kernel, recoverer, step, broken) });
    }
  }
  return outcomes;
}

async function begin(kernel: Kernel, step: PlannedStep, evidence: JsonObject): Promise<void> {
  await recordStart(kernel, step, evidence);
  const { recoverer, target, action, description: message } = step;
  kernel.events.emit('recovery_step', { recoverer, target, action, state: 'started', message });
}

/** Ends the record of a step that was announced, and that nobody began because it was cancelled. */
async function withdraw(kernel: Kernel, step: PlannedStep): Promise<void> {
  await recordOutcome(kernel, { ...step, outcome: 'interrupted' });
  const { recoverer, target, action } = step;
  const message = 'cancelled before it began';
  kernel.events.emit('recovery_step', { recoverer, target, action, state: 'interrupted', message });
}

/**
 * What is known of a step: what the recoverer says, or nothing that can be read, or nothing at all, because it was cancelled in
 * the middle.
 */
type Said =
  | StepResult
  | { readonly target: string; readonly applied: 'unsaid'; readonly error: StructuredError }
  | { readonly target: string; readonly applied: 'unknown' };

/** What became of the steps of a batch, and why none may follow it. */
interface Applied {
  readonly said: ReadonlyMap<PlannedStep, Said | 'not-begun'>;
  readonly broken?: string;
}

/** What the recoverer says of its steps; when it breaks, all of those it was handed have failed. */
async function apply(
  kernel: Kernel,
  recoverer: Recoverer,
  batch: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<Applied> {
  if (signal.aborted) return { said: new Map(batch.map((step) => [step, 'not-begun'])) };
  const { clock, project } = kernel;
  const handed = handOut(batch, signal);
  let work: Promise<unknown> = Promise.resolve();
  try {
    const returned = await withTimeLimit(
      clock,
      limits.apply,
      signal,
      `${recoverer.name} was not done`,
      async (limited) => {
        work = recoverer.apply({ steps: handed.steps, project, clock, signal: limited });
        return work;
      },
    );
    const said = saidBy(kernel, recoverer, batch, returned);
    for (const [index, step] of batch.entries())
      if (signal.aborted && !said.has(step) && !handed.wasGiven(index)) said.set(step, 'not-begun');
    return { said };
  } catch (cause) {
    if (!signal.aborted) {
      const { message } = toStructuredError(cause, clock.now());
      const failed = (step: PlannedStep) =>
        ({ target: step.target, applied: false, error: failure(kernel, recoverer, step, message) }) as const;
      return { said: new Map(batch.map((step) => [step, failed(step)])), broken: message };
    }
    const said = saidBy(kernel, recoverer, batch, await lastWords(kernel, recoverer, work));
    for (const [index, step] of batch.entries()) {
      const last = said.get(step);
      if (last !== undefined && last !== 'not-begun' && last.applied !== 'unsaid') continue;
      said.set(step, handed.wasGiven(index) ? { target: step.target, applied: 'unknown' } : 'not-begun');
    }
    return { said };
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
function saidBy(
  kernel: Kernel,
  recoverer: Recoverer,
  batch: readonly PlannedStep[],
  returned: unknown,
): Map<PlannedStep, Said | 'not-begun'> {
  const { results, flaw } = readResults(returned, kernel.redactor);
  const byTarget = new Map(results.toReversed().map((result) => [result.target, result]));
  const plugin = pluginOf(kernel, recoverer.name);
  const said = new Map<PlannedStep, Said>();
  for (const step of batch) {
    const { target } = step;
    const result = byTarget.get(target);
    if (result) said.set(step, told(kernel, recoverer, result));
    else if (flaw !== undefined) {
      const message = `${recoverer.name} did not say what became of ${target}: it ${flaw} (plugin ${plugin})`;
      const error = brokenRecoverer(kernel, recoverer, 'bad-result', message);
      said.set(step, { target, applied: 'unsaid', error });
    }
  }
  return said;
}

function told(kernel: Kernel, recoverer: Recoverer, result: ReadResult): Said {
  if (result.applied) return result;
  const { target, applied, error } = result;
  if (error) return { target, applied, error: presentError(kernel, error) };
  return {
    target,
    applied,
    error: failure(kernel, recoverer, result, 'it says that it failed, and not why'),
  };
}

function failure(
  kernel: Kernel,
  { name }: Recoverer,
  { target }: Pick<PlannedStep, 'target'>,
  reason: string,
): StructuredError {
  const details = { recoverer: name, plugin: pluginOf(kernel, name), target };
  const occurrence = { message: `${name}: ${reason}`, details };
  return presentError(kernel, structuredError(recoveryFailed, occurrence, kernel.clock.now()));
}

function outcomeOf(step: PlannedStep, said: Said | undefined, evidence: JsonObject): StepOutcome {
  if (!said || said.applied === true) return { ...step, outcome: 'applied', evidence };
  if (said.applied === 'unknown') return { ...step, outcome: 'interrupted', evidence };
  // Whether it was done is for the check that follows to say, as of a step that nothing was said of.
  const outcome = said.applied === 'unsaid' ? 'applied' : 'failed';
  return { ...step, outcome, error: said.error, evidence };
}
