import { property } from '../../model/property.js';

/** How much a service may use, from its own keys or from `deploy`. */
export function limitsOf(service: unknown): { memory?: unknown; cpus?: unknown } {
  const limits = property(property(property(service, 'deploy'), 'resources'), 'limits');
  const memory = property(service, 'mem_limit') ?? property(limits, 'memory');
  const cpus = property(service, 'cpus') ?? property(limits, 'cpus');
  return {
    // To Docker `mb` is as large as `m`; here it counts in thousands.
    ...(memory === undefined
      ? {}
      : { memory: typeof memory === 'string' ? memory.replace(/(?<=[kmg])b$/i, '') : memory }),
    ...(cpus === undefined || Number(cpus) === 0 ? {} : { cpus: Number(cpus) }),
  };
}
