import { KnownPorts } from './known-ports.js';
import type { Sight } from './look-recorded.js';
import type { RunRecord } from './run-record.js';
import type { ServiceSpec } from './service-spec.js';
import { allDependenciesOf } from './start-order.js';
import { toldAndFilledIn, valuesOf } from './template.js';

/** Services with what their texts stand for in this run. */
export function asStarted(
  services: readonly ServiceSpec[],
  run: RunRecord,
  sights: ReadonlyMap<string, Sight>,
): ServiceSpec[] {
  const noted = services.map((service) => ({ ...service, ports: run.services[service.name]?.ports ?? [] }));
  const ports = new KnownPorts(noted);
  const isConfigured = (name: string) => services.some((service) => service.name === name);
  for (const [name, sight] of sights) {
    if (!('failure' in sight) && sight.ports && isConfigured(name)) ports.learn(name, sight.ports);
  }
  const values = valuesOf(services, run.portMappings, ports);
  return services.map((service) => {
    try {
      return toldAndFilledIn(service, allDependenciesOf(service.name, services), values);
    } catch {
      // It refers to what this run does not have, so it has changed since; a setup will say so.
      return service;
    }
  });
}
