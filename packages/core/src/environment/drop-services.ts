import type { Kernel } from '../kernel/kernel.js';
import { ArgusError } from '../model/argus-error.js';
import { runtimeMissing } from '../model/start-error-codes.js';
import { runtimeOf, runtimesOf } from './look.js';
import { removeAll } from './remove-all.js';
import type { RunRecord } from './run-record.js';
import { changeRun } from './runs.js';
import type { ServiceSpec } from './service-spec.js';

/** Stops services of a run that are no longer configured, or that another runtime will run. Gives back their names. */
export async function dropOthers(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<string[]> {
  const wanted = new Map(services.map((service) => [service.name, service]));
  const others = Object.entries(run.services).flatMap(([name, { runtime }]) => {
    const service = wanted.get(name);
    return service && runtimeOf(kernel, service).name === runtime ? [] : [name];
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
  for (const service of names)
    kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
  for (const removal of await removeAll(kernel, own, signal)) {
    if (removal.removed) continue;
    const { code, category, severity, suggestedActions, message, details } = removal.error;
    throw new ArgusError(
      { code, category, severity, suggestedActions, summary: message },
      { message, details },
    );
  }
  await changeRun(kernel.store, run.id, (record) => ({
    ...record,
    services: Object.fromEntries(Object.entries(record.services).filter(([name]) => !names.includes(name))),
  }));
}

function requireRuntime({ runtimes }: Kernel, run: RunRecord, service: string): void {
  const needs = run.services[service]?.runtime;
  if (needs === undefined || runtimes.has(needs)) return;
  throw new ArgusError(runtimeMissing, {
    message: `${service} runs on ${needs}, which no loaded plugin brings, so it cannot be stopped`,
    details: { service, needs },
  });
}
