import type { Kernel } from '../../kernel/kernel.js';
import { ArgusError, thrownAs } from '../../model/argus-error.js';
import { runtimeMissing } from '../../model/start-error-codes.js';
import { standingInTheWay } from '../ports/ports-given-up.js';
import { removeAll } from '../removal/remove-all.js';
import type { RunRecord } from '../runs/run-record.js';
import { changeRun } from '../runs/runs.js';
import { runtimeOf, runtimesOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';

/**
 * Stops services of a run that are no longer configured, that another runtime will run, or that hold a port which the
 * configuration now gives to somebody else. Gives back their names.
 */
export async function dropOthers(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<string[]> {
  const wanted = new Map(services.map((service) => [service.name, service]));
  const mayMove = kernel.config.resilience.network.portConflictStrategy === 'auto';
  const inTheWay = new Set(standingInTheWay(run, services, mayMove));
  const others = Object.entries(run.services).flatMap(([name, { runtime }]) => {
    const service = wanted.get(name);
    const stays = service && runtimeOf(kernel, service).name === runtime && !inTheWay.has(name);
    return stays ? [] : [name];
  });
  if (others.length > 0) await dropServices(kernel, run, others, signal);
  return others;
}

/** Stops services of a run and strikes them off its record. One that cannot be stopped is an error. */
export async function dropServices(
  kernel: Kernel,
  run: RunRecord,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) requireRuntime(kernel, run, name);
  const query = { project: run.project, runId: run.id };
  const listed = await Promise.all(
    runtimesOf(kernel, run, []).map((runtime) => runtime.resources(query, signal)),
  );
  const own = listed.flat().filter(({ service }) => service !== undefined && names.includes(service));
  await changeRun(kernel.store, run.id, (record) => ({ ...record, services: stopping(record, names) }));
  for (const service of names)
    kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
  for (const removal of await removeAll(kernel, own, signal)) {
    if (!removal.removed) throw thrownAs(removal.error);
  }
  await changeRun(kernel.store, run.id, (record) => ({
    ...record,
    services: Object.fromEntries(Object.entries(record.services).filter(([name]) => !names.includes(name))),
  }));
}

/** The notes of services, of which some are told to stop: from then on they are not what they were, even if nobody waits for the end. */
function stopping({ services }: RunRecord, names: readonly string[]): RunRecord['services'] {
  return Object.fromEntries(
    Object.entries(services).map(([name, note]) => [
      name,
      names.includes(name) ? { ...note, stops: true as const } : note,
    ]),
  );
}

function requireRuntime({ runtimes }: Kernel, run: RunRecord, service: string): void {
  const needs = run.services[service]?.runtime;
  if (needs === undefined || runtimes.has(needs)) return;
  throw new ArgusError(runtimeMissing, {
    message: `${service} runs on ${needs}, which no loaded plugin brings, so it cannot be stopped`,
    details: { service, needs },
  });
}
