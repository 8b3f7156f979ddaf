import type { ServiceState } from '../runtime.js';
import type { ServiceSpec } from '../services/service-spec.js';

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
