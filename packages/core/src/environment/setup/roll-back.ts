import type { Kernel } from '../../kernel/kernel.js';
import { type ArgusError, thrownAs } from '../../model/argus-error.js';
import { type Json, toJson } from '../../model/json.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { recordLeft, remnantsOf, sayNotTakenDown } from '../removal/remnants.js';
import { takeDown } from '../removal/take-down.js';
import { graceAfter, signalToTakeDown } from '../removal/take-down-limits.js';
import type { Claim } from '../runs/claim-run.js';
import type { RunRecord } from '../runs/run-record.js';
import { usedRuntimes } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { takeBack } from './take-back.js';
import { untouched } from './untouched.js';

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
  const rollback = await attempt(kernel, claim, services, graceAfter(thrown));
  // What is gone has no log any more; what it printed last is in the error.
  const { service } = error.details;
  const isGone = rollback.failed.length === 0 && !rollback.left.some((name) => name === service);
  const suggestedActions = error.suggestedActions.filter((action) => !isGone || action !== 'logs');
  const details = { ...error.details, runId: claim.run.id, rollback: toJson(rollback) };
  return thrownAs({ ...error, suggestedActions, details }, { cause: thrown });
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
  const { signal, release } = signalToTakeDown();
  try {
    // Where the record cannot be read, it cannot be said either that the run is up.
    const left = await untouched(kernel, claim, signal).catch(() => []);
    const { removed, failed } =
      before && left.length > 0
        ? await takeBack(kernel, { ...claim, before }, services, left, signal, graceMs)
        : await takeDown(kernel, run, services, signal, graceMs);
    return {
      removed: removed.map(({ type, name }) => `${type} ${name}`),
      left,
      failed: failed.map(sayNotTakenDown),
      ...goneSince(before, left),
    };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    const remnants = [...usedRuntimes(run)].flatMap((runtime) =>
      remnantsOf(kernel, run, runtime, { message }),
    );
    const failed = remnants.length > 0 ? remnants : [recordLeft(kernel, run, message)];
    return { removed: [], left: [], failed: failed.map(sayNotTakenDown), details: toJson(thrown) };
  } finally {
    release();
  }
}
