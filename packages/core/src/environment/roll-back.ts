import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { EndsSoon } from '../model/ends-soon.js';
import { type Json, toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { systemClock } from '../time/clock.js';
import { limitedSignal } from '../time/limited-signal.js';
import type { Claim } from './claim-run.js';
import { usedRuntimes } from './look.js';
import { recordLeft, remnantsOf, sayNotTakenDown } from './remnants.js';
import type { RunRecord } from './run-record.js';
import type { ServiceSpec } from './service-spec.js';
import { takeBack } from './take-back.js';
import { takeDown } from './take-down.js';
import { untouched } from './untouched.js';

/** How long taking everything down again may take, in milliseconds of the machine: real things are removed. */
const limitMs = 120_000;

/** What became of what a setup had started: what is gone, what is left as it was before, and what could not be removed. */
interface Rollback {
  readonly removed: string[];
  /** Services that were up before and that the setup had not touched; with them the run is up as it was. */
  readonly left: string[];
  /** Services that were there before and were to be replaced: what they were cannot be brought back. */
  readonly gone?: string[];
  readonly failed: string[];
  readonly details?: Json;
}

/**
 * Takes down what a failed or cancelled setup had started, and gives back the error that says what was and what was not.
 * The caller's signal is no use here: it may be the very reason.
 */
export async function rollBack(
  kernel: Kernel,
  claim: Claim,
  services: readonly ServiceSpec[],
  thrown: unknown,
): Promise<ArgusError> {
  const error = toStructuredError(thrown, kernel.clock.now());
  const { code, category, severity } = error;
  const rollback = await attempt(kernel, claim, services, thrown instanceof EndsSoon ? 0 : undefined);
  // What is gone has no log any more; what it printed last is in the error.
  const { service } = error.details;
  const isGone = rollback.failed.length === 0 && !rollback.left.some((name) => name === service);
  const suggestedActions = error.suggestedActions.filter((action) => !isGone || action !== 'logs');
  const details = { ...error.details, runId: claim.run.id, rollback: toJson(rollback) };
  return new ArgusError(
    { code, category, severity, suggestedActions, summary: error.message },
    { message: error.message, details, cause: thrown },
  );
}

function goneSince(before: RunRecord | undefined, left: readonly string[]): Pick<Rollback, 'gone'> {
  const gone = Object.keys(before?.services ?? {}).filter((name) => !left.includes(name));
  return gone.length === 0 ? {} : { gone };
}

async function attempt(
  kernel: Kernel,
  claim: Claim,
  services: readonly ServiceSpec[],
  graceMs: number | undefined,
): Promise<Rollback> {
  const { run, before } = claim;
  const { signal, release } = limitedSignal(systemClock, limitMs);
  try {
    // Where the record cannot be read, it cannot be said either that the run is up.
    const left = await untouched(kernel, claim, signal).catch(() => []);
    const { removed, failed } =
      before && left.length > 0
        ? await takeBack(kernel, { ...claim, before }, services, left, signal, graceMs)
        : await takeDown(kernel, run, services, signal, graceMs);
    return {
      removed: removed.map(({ type, name }) => `${type} ${name}`),
      ...{ left, failed: failed.map(sayNotTakenDown) },
      ...goneSince(before, left),
    };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    const remnants = [...usedRuntimes(run)].flatMap((runtime) => remnantsOf(kernel, run, runtime, message));
    const failed = remnants.length > 0 ? remnants : [recordLeft(kernel, run, message)];
    return { removed: [], left: [], failed: failed.map(sayNotTakenDown), details: toJson(thrown) };
  } finally {
    release();
  }
}
