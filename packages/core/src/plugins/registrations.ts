import type { Kernel } from '../kernel/kernel.js';
import type { ReadonlyRegistry } from '../registry/registry.js';

/** Everything that a plugin has registered, by name. */
export function registrationsOf(kernel: Kernel, plugin: string) {
  const { errorCodes, checkers, recoverers, operations, runtimes, taps } = kernel;
  const registration = { errorCodes, checkers, recoverers, operations, runtimes };
  const own = (registry: ReadonlyRegistry<unknown>) =>
    registry.names().filter((name) => registry.ownerOf(name) === plugin);
  return {
    codes: own(errorCodes),
    checkers: own(checkers),
    recoverers: own(recoverers),
    operations: own(operations),
    runtimes: own(runtimes),
    // Those of registration show in what was registered.
    hooks: [...(taps.get(plugin) ?? [])].filter((hook) => !Object.hasOwn(registration, hook)),
  };
}
