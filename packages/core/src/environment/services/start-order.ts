import type { ServiceSpec } from './service-spec.js';

/** Services with the names of those they wait for; only such as are part of the set. */
export function dependenciesOf(services: readonly ServiceSpec[]): ReadonlyMap<string, readonly string[]> {
  const names = new Set(services.map(({ name }) => name));
  return new Map(
    services.map(({ name, dependsOn }) => [name, dependsOn.filter((other) => names.has(other))]),
  );
}

/**
 * Does something for every service, each as soon as it is done for those that it depends on. The first failure is
 * thrown once everything that had begun has come to its end, so that nothing goes on behind the caller's back.
 */
export async function inStartOrder(
  services: readonly ServiceSpec[],
  act: (service: ServiceSpec) => Promise<void>,
): Promise<void> {
  const dependencies = dependenciesOf(services);
  const doing = new Map<string, Promise<void>>();
  let failure: { readonly reason: unknown } | undefined;
  const begin = (service: ServiceSpec): Promise<void> => {
    const begun = doing.get(service.name);
    if (begun) return begun;
    const waitFor = services.filter(({ name }) => dependencies.get(service.name)?.includes(name));
    const done = Promise.all(waitFor.map(begin)).then(async () => {
      if (failure) return;
      await act(service);
    });
    const watched = done.catch((reason) => {
      failure ??= { reason };
      throw reason;
    });
    doing.set(service.name, watched);
    return watched;
  };
  await Promise.allSettled(services.map(begin));
  if (failure) throw failure.reason;
}

/** The services that a service depends on, also through others. */
export function allDependenciesOf(service: string, services: readonly ServiceSpec[]): Set<string> {
  const dependencies = dependenciesOf(services);
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const next of dependencies.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(service);
  return found;
}

/** The names of services such that each stands before those it depends on: the order in which to stop them. */
export function stopOrder(services: readonly ServiceSpec[]): string[][] {
  const dependencies = dependenciesOf(services);
  const remaining = new Set(services.map(({ name }) => name));
  const levels: string[][] = [];
  while (remaining.size > 0) {
    const needed = new Set([...remaining].flatMap((name) => dependencies.get(name) ?? []));
    const free = [...remaining].filter((name) => !needed.has(name));
    // A circle cannot be configured; should one come from elsewhere, everything left is stopped at once.
    const level = free.length > 0 ? free : [...remaining];
    levels.push(level);
    for (const name of level) remaining.delete(name);
  }
  return levels;
}
