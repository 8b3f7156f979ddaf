import type { Kernel } from '../../kernel/kernel.js';
import { groupBy } from '../../model/group-by.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { RunIdentity } from '../runs/run-record.js';
import type { ServiceState } from '../runtime.js';

/** How a service is, or why that could not be told. */
export type Sight = ServiceState | { readonly failure: string };

/** A run with the services that it has started, each with the runtime that it was started on. */
export interface StartedRun extends RunIdentity {
  readonly services: Readonly<Record<string, { readonly runtime: string }>>;
}

/**
 * How the services are that a run has started, whatever the configuration says by now: each by the runtime that it was
 * started on. A runtime that cannot be asked costs no other's answer.
 */
export async function lookAtRecorded(
  kernel: Pick<Kernel, 'runtimes' | 'clock'>,
  run: StartedRun,
  signal: AbortSignal,
): Promise<Map<string, Sight>> {
  const byRuntime = groupBy(Object.entries(run.services), ([, { runtime }]) => runtime);
  const sights = await Promise.all(
    [...byRuntime].map(async ([runtime, services]): Promise<[string, Sight][]> => {
      const names = services.map(([name]) => name);
      const seen = await inspect(kernel, runtime, run, names, signal);
      return names.map((name) => [name, seen(name)]);
    }),
  );
  return new Map(sights.flat());
}

async function inspect(
  { runtimes, clock }: Pick<Kernel, 'runtimes' | 'clock'>,
  name: string,
  run: StartedRun,
  services: readonly string[],
  signal: AbortSignal,
): Promise<(service: string) => Sight> {
  const runtime = runtimes.get(name);
  if (!runtime) return () => ({ failure: `no loaded plugin brings the runtime ${name}` });
  try {
    const states = await runtime.inspect(run, services, signal);
    const found = new Map(states.map((state) => [state.service, state]));
    return (service) => found.get(service) ?? { service, status: 'missing' };
  } catch (thrown) {
    const failure = toStructuredError(thrown, clock.now()).message;
    return () => ({ failure });
  }
}
