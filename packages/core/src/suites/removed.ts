import { readRun } from '../environment/runs/runs.js';
import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { environmentRemoved } from '../model/run-error-codes.js';

/** Whether somebody has taken a run down, or is about to. */
export async function isRemoved({ store }: Pick<Kernel, 'store'>, runId: string): Promise<boolean> {
  const run = await readRun(store, runId);
  return run === undefined || run.state === 'stopping';
}

/** The error of tests whose environment was taken down before they were through. */
export function removedDuring(
  kernel: Kernel,
  runId: string,
  chosen: readonly { readonly id: string }[],
  ran: readonly { readonly id: string }[],
): StructuredError {
  const suite = ran.at(-1)?.id ?? null;
  const notRun = chosen.slice(ran.length).map(({ id }) => id);
  const when = suite === null ? 'before the first suite' : `while ${suite} ran`;
  const rest = notRun.length === 0 ? '' : `; ${notRun.join(', ')} did not run`;
  const message = `The environment of run ${runId} was taken down ${when}${rest}`;
  const error = structuredError(
    environmentRemoved,
    { message, details: { runId, suite, notRun } },
    kernel.clock.now(),
  );
  return presentError(kernel, error);
}
