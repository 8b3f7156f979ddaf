import type { Clock } from '../../time/clock.js';
import type { ServiceState } from '../runtime.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** Looks at one service, and what these looks have seen. */
export interface SharedLook {
  (service: ServiceSpec): Promise<ServiceState>;
  /** How those services were that were looked at within the last milliseconds, by name. */
  within(ms: number): ReadonlyMap<string, ServiceState>;
}

/**
 * Makes looks at one service cheap: all that are asked for while one is under way are answered by the next, so that ten
 * services that wait for their health cost one inspection and not ten.
 */
export function sharedLook(
  clock: Pick<Clock, 'monotonic'>,
  look: (services: readonly ServiceSpec[]) => Promise<Map<string, ServiceState>>,
): SharedLook {
  let waiting = new Map<string, ServiceSpec>();
  let next: Promise<Map<string, ServiceState>> | undefined;
  let current: Promise<unknown> = Promise.resolve();
  const seen = new Map<string, { readonly state: ServiceState; readonly at: number }>();
  const ask = async (service: ServiceSpec) => {
    waiting.set(service.name, service);
    next ??= current.then(async () => {
      const services = [...waiting.values()];
      waiting = new Map();
      next = undefined;
      const at = clock.monotonic();
      const looking = look(services);
      // Whoever asks from now on may have seen something newer than this look, so the next one answers them.
      current = looking.catch(() => undefined);
      const states = await looking;
      for (const [name, state] of states) seen.set(name, { state, at });
      return states;
    });
    const states = await next;
    return states.get(service.name) ?? { service: service.name, status: 'missing' };
  };
  const within = (ms: number) => {
    const since = clock.monotonic() - ms;
    const fresh = [...seen].filter(([, { at }]) => at >= since);
    return new Map(fresh.map(([name, { state }]) => [name, state]));
  };
  return Object.assign(ask, { within });
}
