import type { Sight } from '../looks/look-recorded.js';
import type { RunRecord } from '../runs/run-record.js';
import { fillerFor, seenPorts } from './filled-in.js';
import type { ServiceSpec } from './service-spec.js';

/** Services with what their texts stand for in this run, as far as it has that. */
export function asStarted(
  services: readonly ServiceSpec[],
  run: RunRecord,
  sights: ReadonlyMap<string, Sight>,
): ServiceSpec[] {
  const noted = services.map((service) => ({ ...service, ports: run.services[service.name]?.ports ?? [] }));
  const filledIn = fillerFor(services, run, seenPorts(noted, sights));
  return services.map((service) => filledIn(service) ?? service);
}
