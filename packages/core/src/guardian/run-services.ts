import { environmentOf } from '../environment/environment-of.js';
import { KnownPorts } from '../environment/known-ports.js';
import type { RunRecord, RunService } from '../environment/run-record.js';
import type { ServiceState } from '../environment/runtime.js';
import type { ServiceSpec } from '../environment/service-spec.js';
import { specHash } from '../environment/spec-hash.js';
import { allDependenciesOf } from '../environment/start-order.js';
import { surroundingsOf } from '../environment/surroundings.js';
import { toldAndFilledIn, valuesOf } from '../environment/template.js';
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
  const ports = new KnownPorts(noted);
  // Where any port would do, the runtime says which one it is.
  for (const [name, state] of states) if (state.ports && ports.has(name)) ports.learn(name, state.ports);
  const values = valuesOf(configured, run.portMappings, ports);
  const services = noted.flatMap((service) => {
    const note = run.services[service.name];
    if (!note) return [];
    try {
      const needed = allDependenciesOf(service.name, configured);
      const started = toldAndFilledIn(service, needed, values);
      const spec = specHash(started, note.build, surroundingsOf(started, configured, note.gateways));
      return [{ service: started, note, isCurrent: spec === note.spec }];
    } catch {
      // It refers to what this run does not have, so it has changed since.
      return [{ service, note, isCurrent: false }];
    }
  });
  return { services, ports };
}
