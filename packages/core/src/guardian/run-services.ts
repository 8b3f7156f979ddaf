import type { KnownPorts } from '../environment/ports/known-ports.js';
import type { RunRecord, RunService } from '../environment/runs/run-record.js';
import type { ServiceState } from '../environment/runtime.js';
import { environmentOf } from '../environment/services/environment-of.js';
import { fillerFor, seenPorts } from '../environment/services/filled-in.js';
import type { ServiceSpec } from '../environment/services/service-spec.js';
import { specHash } from '../environment/services/spec-hash.js';
import { surroundingsOf } from '../environment/services/surroundings.js';
import type { Kernel } from '../kernel/kernel.js';

/** A service of a run, as it was started. */
export interface RunningSpec {
  readonly service: ServiceSpec;
  readonly note: RunService;
  /** Whether the configuration at hand is the one that it was started from. */
  readonly isCurrent: boolean;
}

/** The services that a run's record names, with the ports that they have and everything filled in. */
export function servicesOfRun(
  { config, project }: Pick<Kernel, 'config' | 'project'>,
  run: RunRecord,
  states: ReadonlyMap<string, ServiceState>,
): { readonly services: readonly RunningSpec[]; readonly ports: KnownPorts } {
  const configured = environmentOf(config, project).services;
  const noted = configured.flatMap((service) => {
    const note = run.services[service.name];
    return note ? [{ ...service, ports: note.ports }] : [];
  });
  const ports = seenPorts(noted, states);
  const filledIn = fillerFor(configured, run, ports);
  const services = noted.flatMap((service) => {
    const note = run.services[service.name];
    if (!note) return [];
    const started = filledIn(service);
    if (!started) return [{ service, note, isCurrent: false }];
    const spec = specHash(started, note.build, surroundingsOf(started, configured, note.gateways));
    return [{ service: started, note, isCurrent: spec === note.spec }];
  });
  return { services, ports };
}
