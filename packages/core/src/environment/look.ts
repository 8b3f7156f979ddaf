import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { runtimeMissing } from '../model/start-error-codes.js';
import type { RunIdentity, RunRecord } from './run-record.js';
import type { Runtime, ServiceState } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';

/** The runtime that runs a service. */
export function runtimeOf({ runtimes }: Pick<Kernel, 'runtimes'>, service: ServiceSpec): Runtime {
  const runtime = runtimes.values().find((one) => one.runs(service));
  if (runtime) return runtime;
  const needs = service.image !== undefined ? 'docker' : 'process';
  throw new ArgusError(runtimeMissing, {
    message: `No loaded plugin can run ${service.name}; it needs @argusai/plugin-${needs}`,
    details: { service: service.name, needs: `@argusai/plugin-${needs}` },
  });
}

/** The names of the runtimes that a run has used, also for services that have gone since. */
export function usedRuntimes({
  services,
  runtimes = [],
}: Pick<RunRecord, 'services' | 'runtimes'>): Set<string> {
  return new Set([...Object.values(services).map(({ runtime }) => runtime), ...runtimes]);
}

/** The runtimes that a run has used, or that its services would use. The others have nothing of it. */
export function runtimesOf(
  { runtimes }: Pick<Kernel, 'runtimes'>,
  run: Pick<RunRecord, 'services' | 'runtimes'> | undefined,
  services: readonly ServiceSpec[],
): Runtime[] {
  const used = run ? usedRuntimes(run) : new Set();
  return runtimes
    .values()
    .filter((one) => used.has(one.name) || services.some((service) => one.runs(service)));
}

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

/** Looks at one service, and what the last of them has seen. */
export interface SharedLook {
  (service: ServiceSpec): Promise<ServiceState>;
  /** The states of all services that the last look was made for. */
  latest(): ReadonlyMap<string, ServiceState>;
}

/**
 * Makes looks at one service cheap: all that are asked for while one is under way are answered by the next, so that ten
 * services that wait for their health cost one inspection and not ten.
 */
export function sharedLook(
  look: (services: readonly ServiceSpec[]) => Promise<Map<string, ServiceState>>,
): SharedLook {
  let waiting = new Map<string, ServiceSpec>();
  let next: Promise<Map<string, ServiceState>> | undefined;
  let current: Promise<unknown> = Promise.resolve();
  let latest: ReadonlyMap<string, ServiceState> = new Map();
  const ask = async (service: ServiceSpec) => {
    waiting.set(service.name, service);
    next ??= current.then(async () => {
      const services = [...waiting.values()];
      waiting = new Map();
      next = undefined;
      const looking = look(services);
      // Whoever asks from now on may have seen something newer than this look, so the next one answers them.
      current = looking.catch(() => undefined);
      latest = await looking;
      return looking;
    });
    const states = await next;
    return states.get(service.name) ?? { service: service.name, status: 'missing' };
  };
  return Object.assign(ask, { latest: () => latest });
}
