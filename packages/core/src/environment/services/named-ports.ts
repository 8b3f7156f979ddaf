import { placeholdersIn, referenceOf } from '../../config/placeholder.js';
import { portFor } from '../../config/port-mapping.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { NamedPort, PortResolution } from '../setup/stage.js';
import type { ServiceSpec } from './service-spec.js';
import { allDependenciesOf } from './start-order.js';
import { refuseUnfillable, valuesOf, withAssumedPorts } from './template.js';

/** The ports that the texts of services name: `{{ports.api}}`, `{{ports.api.3000}}`. */
export function portsNamedBy(services: readonly ServiceSpec[]): NamedPort[] {
  const found = new Map<string, NamedPort>();
  const isService = (name: string) => services.some((service) => service.name === name);
  for (const text of services.flatMap(textsOf)) {
    for (const { name } of placeholdersIn(text)) {
      const reference = referenceOf(name, isService);
      if (reference?.kind !== 'port') continue;
      const { service } = reference;
      const ports = services.find((one) => one.name === service)?.ports ?? [];
      const port = portFor(ports, reference.container, reference.protocol);
      if (!port) continue;
      const { container, protocol } = port;
      found.set(`${service} ${container}/${protocol}`, { service, container, protocol });
    }
  }
  return [...found.values()];
}

/**
 * Refuses services whose texts will not be known when they are started, before anything is: a port that its runtime
 * chooses is known to those that start later, and to nobody else.
 */
export function requirePorts({ services, portMappings }: PortResolution): void {
  refuseUnfillable(services, (service) => {
    const needed = allDependenciesOf(service.name, services);
    const known = services.map((one) => (needed.has(one.name) ? withAssumedPorts(one) : one));
    return valuesOf(services, portMappings, new KnownPorts(known));
  });
}

function textsOf({ environment, command, entrypoint, healthcheck, vars }: ServiceSpec): string[] {
  const { http = [], command: check = [] } = healthcheck ?? {};
  return [
    ...[Object.values(environment), Object.values(vars)],
    ...[command ?? [], entrypoint ?? [], http, check],
  ].flat();
}
