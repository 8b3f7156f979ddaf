import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError } from '../../model/argus-error.js';
import { runtimeMissing } from '../../model/start-error-codes.js';
import type { RunRecord } from '../runs/run-record.js';
import type { Runtime } from '../runtime.js';
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
