import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Resource } from '../ownership/resource.js';
import type { RunRecord } from '../runs/run-record.js';
import type { Runtime } from '../runtime.js';
import { runtimesOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { type NotTakenDown, remnantsOf } from './remnants.js';

/** What there is of a run, and what there may be of it where nobody could look. */
export interface Listed {
  readonly resources: Resource[];
  readonly left: NotTakenDown[];
}

/** What runtimes have of a run. One that cannot say must not keep the others from being taken down. */
export async function listedOf(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<Listed> {
  const runtimes = runtimesOf(kernel, run, services);
  const listed = await Promise.all(runtimes.map((runtime) => listedBy(kernel, runtime, run, signal)));
  return {
    resources: listed.flatMap(({ resources }) => resources),
    left: listed.flatMap(({ left }) => left),
  };
}

async function listedBy(
  kernel: Kernel,
  runtime: Runtime,
  run: RunRecord,
  signal: AbortSignal,
): Promise<Listed> {
  try {
    return { resources: await runtime.resources({ project: run.project, runId: run.id }, signal), left: [] };
  } catch (thrown) {
    const hindrance = toStructuredError(thrown, kernel.clock.now());
    return { resources: [], left: remnantsOf(kernel, run, runtime.name, hindrance) };
  }
}
