import { strangerError, strangersAt, unlookedError } from '../environment/health/strangers.js';
import { readRun } from '../environment/runs/runs.js';
import { environmentOf } from '../environment/services/environment-of.js';
import type { TemplateValues } from '../environment/services/template.js';
import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import type { StructuredError } from '../model/error-code.js';

/** That somebody else answers, and of which services nobody could look. */
export interface SeenOfRun {
  readonly stranger?: StructuredError;
  readonly unlooked: readonly StructuredError[];
}

/**
 * That somebody else answers at the port of a service of a run, which may have ended meanwhile: what tests see there is nothing of
 * theirs.
 */
export async function strangerOfRun(
  kernel: Kernel,
  runId: string,
  { ports }: TemplateValues,
  signal: AbortSignal,
): Promise<SeenOfRun> {
  const run = await readRun(kernel.store, runId);
  if (!run) return { unlooked: [] };
  const { services } = environmentOf(kernel.config, kernel.project);
  const published = services
    .filter(({ name, oneShot }) => !oneShot && run.services[name] !== undefined)
    .map((service) => ({ service, ports: ports.of(service.name) }));
  const { strangers, unlooked } = await strangersAt(kernel, run, published, signal);
  const [stranger] = strangers;
  return {
    ...(stranger && { stranger: presentError(kernel, strangerError(stranger).error) }),
    unlooked: unlooked.map((one) => presentError(kernel, unlookedError(kernel, one))),
  };
}
