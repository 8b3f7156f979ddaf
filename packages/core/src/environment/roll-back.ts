import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { usedRuntimes } from './look.js';
import { recordLeft, remnantsOf, sayNotTakenDown } from './remnants.js';
import type { RunRecord } from './run-record.js';
import type { ServiceSpec } from './service-spec.js';
import { takeDown } from './take-down.js';

/** How long taking everything down again may take, in milliseconds. */
const limitMs = 120_000;

/**
 * Takes down what a failed or cancelled setup had started, and gives back the error that says what was and what was not.
 * The caller's signal is no use here: it may be the very reason.
 */
export async function rollBack(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  thrown: unknown,
): Promise<ArgusError> {
  const error = toStructuredError(thrown, kernel.clock.now());
  const { code, category, severity } = error;
  const rollback = await attempt(kernel, run, services);
  // What is gone has no log any more; what it printed last is in the error.
  const isGone = rollback.failed.length === 0;
  const suggestedActions = error.suggestedActions.filter((action) => !isGone || action !== 'logs');
  return new ArgusError(
    { code, category, severity, suggestedActions, summary: error.message },
    { message: error.message, details: { ...error.details, runId: run.id, rollback }, cause: thrown },
  );
}

async function attempt(kernel: Kernel, run: RunRecord, services: readonly ServiceSpec[]) {
  try {
    const { removed, failed } = await takeDown(kernel, run, services, AbortSignal.timeout(limitMs));
    return {
      removed: removed.map(({ type, name }) => `${type} ${name}`),
      failed: failed.map(sayNotTakenDown),
    };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    const left = [...usedRuntimes(run)].flatMap((runtime) => remnantsOf(kernel, run, runtime, message));
    const failed = left.length > 0 ? left : [recordLeft(kernel, run, message)];
    return { removed: [], failed: failed.map(sayNotTakenDown), details: toJson(thrown) };
  }
}
