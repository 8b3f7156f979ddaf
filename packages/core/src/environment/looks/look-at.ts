import type { Kernel } from '../../kernel/kernel.js';
import type { RunIdentity } from '../runs/run-record.js';
import type { Runtime, ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** How services of a run are, in one look for each runtime. */
export async function lookAt(
  kernel: Pick<Kernel, 'runtimes'>,
  run: RunIdentity,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<Map<string, ServiceState>> {
  const byRuntime = new Map<Runtime, string[]>();
  for (const service of services) {
    const runtime = runtimeOf(kernel, service);
    byRuntime.set(runtime, [...(byRuntime.get(runtime) ?? []), service.name]);
  }
  const states = await Promise.all(
    [...byRuntime].map(([runtime, names]) => runtime.inspect(run, names, signal)),
  );
  const found = new Map(states.flat().map((state) => [state.service, state]));
  return new Map(services.map(({ name }) => [name, found.get(name) ?? { service: name, status: 'missing' }]));
}
