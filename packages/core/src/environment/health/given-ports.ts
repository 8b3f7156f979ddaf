import { isContainer } from '../is-container.js';
import type { PortAssignment } from '../runs/run-record.js';
import type { ServiceSpec } from '../services/service-spec.js';

/**
 * Which other ports than those that it asked for a process was given, and how it is told: one that listens where it always did has
 * not taken them. Nothing for a container, in which nothing changes.
 */
export function givenInstead(
  service: Pick<ServiceSpec, 'name' | 'ports' | 'image' | 'build'>,
  assignments: readonly PortAssignment[],
): string | undefined {
  if (isContainer(service)) return undefined;
  const moved = assignments.filter(
    (one) => one.service === service.name && one.originalPort !== one.actualPort,
  );
  if (moved.length === 0) return undefined;
  const ports = moved.map(({ originalPort, actualPort }) => `${actualPort} instead of ${originalPort}`);
  const where = service.ports.length === 1 ? 'PORT' : `{{ports.${service.name}.${moved[0]?.containerPort}}}`;
  return `it was given the port ${ports.join(' and ')}, because that was taken, and has to listen there (${where} says so)`;
}
