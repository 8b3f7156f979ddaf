import type { Kernel } from '../../kernel/kernel.js';
import { presentError } from '../../kernel/present.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import type { Removal, Resource } from '../ownership/resource.js';
import type { Runtime } from '../runtime.js';

/** Removes resources, each by the runtime that made it, and tells of each. */
export async function removeAll(
  kernel: Kernel,
  resources: readonly Resource[],
  signal: AbortSignal,
  graceMs: number = kernel.config.environment.stopTimeout,
): Promise<Removal[]> {
  if (resources.length === 0) return [];
  const removals = await Promise.all(
    kernel.runtimes.values().map(async (runtime) => {
      const own = resources.filter((resource) => resource.runtime === runtime.name);
      return own.length === 0 ? [] : removeWith(kernel, runtime, own, { graceMs, signal });
    }),
  );
  for (const removal of removals.flat()) {
    const { type, name, service } = removal.resource;
    const message = removal.removed ? {} : { message: removal.error.message };
    const action = removal.removed ? 'removed' : 'failed';
    kernel.events.emit('cleanup_resource', { type, name, action, ...message });
    if (service !== undefined && removal.removed) {
      kernel.events.emit('service_state', { service, state: 'stopped', message: 'stopped' });
    }
  }
  return removals.flat();
}

async function removeWith(
  kernel: Kernel,
  runtime: Runtime,
  resources: readonly Resource[],
  options: { readonly graceMs: number; readonly signal: AbortSignal },
): Promise<Removal[]> {
  try {
    return await runtime.remove(resources, options);
  } catch (thrown) {
    const error = toStructuredError(thrown, kernel.clock.now());
    return resources.map((resource) => ({ resource, removed: false, error: presentError(kernel, error) }));
  }
}
