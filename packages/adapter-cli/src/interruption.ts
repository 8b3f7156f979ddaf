import { ArgusError, cancelled, openError } from '@argusai/core';
import { exitCodeOfSignal, undetermined } from './exit-code.js';
import type { Interruption, Io } from './io.js';
import { answer, failure, type Outcome } from './outcome.js';

/** How long work that was told to stop may take to do so, in milliseconds. After that nobody waits for it. */
const graceMs = 500;

/** How long work that was not told to stop may take to come to its end after a crash: a check takes no longer. */
const lastResultsMs = 15_000;

/** How long it may take to take back what it had begun. */
const rollBackMs = 180_000;

/**
 * Does the work; when a signal or a crash comes first, ends it in order and tells that. What a check has found by then is
 * told all the same: it cannot be said what has crashed, so it must not cost the results of everything else.
 */
export async function untilInterrupted(
  { interrupted, stderr, wasCutOff, ...known }: Pick<Io, 'interrupted' | 'stderr' | 'wasCutOff'> & Known,
  work: (signal: AbortSignal) => Promise<Outcome>,
  rollsBack: () => boolean,
): Promise<Outcome> {
  const stop = new AbortController();
  const working = work(stop.signal);
  const done = working.then(() => (wasCutOff?.() ? interrupted : undefined));
  const interruption = await Promise.race([done, interrupted]);
  if (!interruption) return await working;
  if (interruption.kind !== 'crash' || rollsBack()) stop.abort();
  if (interruption.kind === 'dead-end') return crashed(interruption, known);
  if (interruption.kind === 'unread') {
    await within(graceMs, working);
    return answer('', null);
  }
  // With what was ended may have gone what the rest waits for.
  const takeBackMs = wasCutOff?.() ? lastResultsMs : rollBackMs;
  if (rollsBack()) stderr.write('Stopping in order; once more to stop at once\n');
  if (interruption.kind === 'crash') {
    const { patienceMs = lastResultsMs } = interruption;
    const outcome = await within(rollsBack() ? takeBackMs : patienceMs, working);
    stop.abort();
    return afterCrash(crashed(interruption, known), outcome, rollsBack());
  }
  const outcome = await within(rollsBack() ? takeBackMs : graceMs, working);
  const isTold = outcome && !(wasCutOff?.() && isOtherError(outcome));
  return { ...(isTold ? outcome : stopped(interruption)), exitCode: exitCodeOfSignal(interruption.number) };
}

/** Whether it tells of anything but that it was cancelled: what was cut off may look like any mistake to those who waited for it. */
function isOtherError({ envelope }: Outcome): boolean {
  return !envelope.ok && envelope.error.code !== cancelled.code;
}

/** What may have secrets in it, and those that were found. */
type Known = Pick<Io, 'env' | 'secrets'>;

function crashed({ thrown }: { readonly thrown: unknown }, { env, secrets }: Known) {
  const error = openError(thrown, env, secrets);
  return { ...failure(error, thrown), error };
}

/** The outcome of work in which something crashed: its own result, or the crash where it has none or was told to stop. */
function afterCrash(
  { error, ...crash }: ReturnType<typeof crashed>,
  outcome: Outcome | undefined,
  wasStopped: boolean,
): Outcome {
  if (!outcome) return crash;
  if (outcome.envelope.ok || !wasStopped) {
    const { thrown } = crash;
    return { thrown, ...outcome, notice: error, exitCode: outcome.exitCode || undetermined };
  }
  const { rollback, runId } = outcome.envelope.error.details;
  const undone = rollback === undefined ? {} : { rollback, ...(runId === undefined ? {} : { runId }) };
  const told = { ...error, details: { ...error.details, ...undone } };
  return { ...crash, envelope: { ok: false, error: told }, ...(outcome.call ? { call: outcome.call } : {}) };
}

function stopped({ name }: Extract<Interruption, { kind: 'signal' }>): Outcome {
  return failure(new ArgusError(cancelled, { message: `The work was ended by ${name}` }).error);
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
