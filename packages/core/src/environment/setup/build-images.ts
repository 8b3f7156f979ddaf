import type { Kernel } from '../../kernel/kernel.js';
import { noteBuild } from '../commands/left-builds.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { tellFailure } from './tell-failure.js';

/** Builds the images of all services that have a build; gives back what tells each from an earlier one. */
export async function buildImages(
  kernel: Kernel,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { project, events, clock } = kernel;
  const builds = new Map<string, string>();
  // One after the other: builds share the engine's cache and the machine's cores.
  for (const service of services.filter(({ build }) => build !== undefined)) {
    signal.throwIfAborted();
    const runtime = runtimeOf(kernel, service);
    events.emit('service_state', {
      service: service.name,
      state: 'building',
      message: `building ${service.image}`,
    });
    const noteProcess = (pid: number) => noteBuild(kernel, service.name, pid);
    const context = { project, services, events, clock, signal, noteProcess };
    try {
      builds.set(service.name, (await runtime.build?.(service, context)) ?? '');
    } catch (thrown) {
      tellFailure(context, service.name, thrown);
      throw thrown;
    }
    events.emit('service_state', { service: service.name, state: 'built', message: 'built' });
  }
  return builds;
}
