import type { Kernel } from '../../kernel/kernel.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { dependenciesOf } from '../services/start-order.js';

/** Tells which services are about to be brought up or built, so that whoever watches knows all of them from the beginning. */
export function tellStart(
  { events, project }: Pick<Kernel, 'events' | 'project'>,
  services: readonly ServiceSpec[],
  isBuilt: boolean,
): void {
  const dependencies = dependenciesOf(services);
  events.emit('setup_start', {
    project: project.name,
    services: services.map(({ name, build }) => ({
      name,
      dependsOn: [...(dependencies.get(name) ?? [])],
      builds: isBuilt && build !== undefined,
    })),
  });
}
