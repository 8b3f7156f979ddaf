import type { Kernel } from '../../kernel/kernel.js';
import type { Runtime } from '../runtime.js';
import { runtimesOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import type { RunRecord } from './run-record.js';

/**
 * Throws what keeps everybody from a run when no runtime of it can be asked, before anything is begun that could only fail.
 * One that answers is enough: what it has can be worked on.
 */
export async function requireAnyRuntime(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  const answers = await askAll(
    runtimesOf(kernel, run, services),
    { project: run.project, runId: run.id },
    signal,
  );
  const silent = answers.filter((answer) => answer.status === 'rejected');
  if (silent[0] && silent.length === answers.length) throw silent[0].reason;
}

/** Throws why a runtime that services need cannot be asked: then nothing of them can be started. */
export async function requireEveryRuntime(
  kernel: Kernel,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  const answers = await askAll(
    runtimesOf(kernel, undefined, services),
    { project: kernel.project.name },
    signal,
  );
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}

function askAll(
  runtimes: readonly Runtime[],
  query: Parameters<Runtime['resources']>[0],
  signal: AbortSignal,
) {
  return Promise.allSettled(runtimes.map((one) => one.resources(query, signal)));
}
