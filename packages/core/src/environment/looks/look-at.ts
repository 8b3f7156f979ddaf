import type { Kernel } from '../../kernel/kernel.js';
import { groupBy } from '../../model/group-by.js';
import type { RunIdentity } from '../runs/run-record.js';
import type { ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** How services of a run are, in one look for each runtime. */
export async function lookAt(
  kernel: Pick<Kernel, 'runtimes'>,
  run: RunIdentity,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<Map<string, ServiceState>> {
  const byRuntime = groupBy(services, (service) => runtimeOf(kernel, service));
  const states = await Promise.all(
    [...byRuntime].map(([runtime, own]) =>
      runtime.inspect(
        run,
        own.map(({ name }) => name),
        signal,
      ),
    ),
  );
  const found = new Map(states.flat().map((state) => [state.service, state]));
  return new Map(services.map(({ name }) => [name, found.get(name) ?? { service: name, status: 'missing' }]));
}
