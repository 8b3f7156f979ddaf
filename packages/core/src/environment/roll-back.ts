import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';
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
  const { code, category, severity, suggestedActions } = error;
  const rollback = await attempt(kernel, run, services);
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
      failed: failed.map(({ error }) => error.message),
    };
  } catch (thrown) {
    const { message } = toStructuredError(thrown, kernel.clock.now());
    return { removed: [], failed: [message], details: toJson(thrown) };
  }
}
