import type { Sight } from '../looks/look-recorded.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { RunRecord } from '../runs/run-record.js';
import type { ServiceSpec } from './service-spec.js';
import { allDependenciesOf } from './start-order.js';
import { toldAndFilledIn, valuesOf } from './template.js';

/** The ports of services of a run as its record has them; where any port would do, a look says which one it is. */
export function seenPorts(noted: readonly ServiceSpec[], sights: ReadonlyMap<string, Sight>): KnownPorts {
  const ports = new KnownPorts(noted);
  for (const [name, sight] of sights) {
    if (!('failure' in sight) && sight.ports && ports.has(name)) ports.learn(name, sight.ports);
  }
  return ports;
}

/** Fills in what the texts of a service stand for in a run; nothing when it refers to what the run does not have, so has changed since. */
export function fillerFor(
  configured: readonly ServiceSpec[],
  { portMappings }: Pick<RunRecord, 'portMappings'>,
  ports: KnownPorts,
): (service: ServiceSpec) => ServiceSpec | undefined {
  const values = valuesOf(configured, portMappings, ports);
  return (service) => {
    try {
      return toldAndFilledIn(service, allDependenciesOf(service.name, configured), values);
    } catch {
      // A setup will say so.
      return undefined;
    }
  };
}
