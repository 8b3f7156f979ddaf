import { lookAt } from '../environment/looks/look-at.js';
import { KnownPorts } from '../environment/ports/known-ports.js';
import { readRun } from '../environment/runs/runs.js';
import { environmentOf } from '../environment/services/environment-of.js';
import { type TemplateValues, valuesOf } from '../environment/services/template.js';
import type { Kernel } from '../kernel/kernel.js';

/** Where the services of a run are at this moment. A port that its runtime chose may be another after a restart. */
export async function valuesOfRun(
  kernel: Kernel,
  runId: string,
  signal: AbortSignal,
): Promise<TemplateValues> {
  const run = await readRun(kernel.store, runId);
  const { services } = environmentOf(kernel.config, kernel.project);
  const noted = services.map((service) => ({
    ...service,
    ports: run?.services[service.name]?.ports ?? service.ports,
  }));
  const ports = new KnownPorts(noted);
  const chosen = noted.filter((service) => service.ports.some(({ host }) => host === null));
  if (run && chosen.length > 0) {
    for (const [name, state] of await lookAt(kernel, run, chosen, signal)) {
      if (state.ports) ports.learn(name, state.ports);
    }
  }
  return valuesOf(services, run?.portMappings ?? [], ports);
}
