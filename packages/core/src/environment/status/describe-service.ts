import type { Kernel } from '../../kernel/kernel.js';
import { tryOnce } from '../health/try-health.js';
import type { Sight } from '../looks/look-recorded.js';
import { asIn } from '../ports/known-ports.js';
import type { Unlooked } from '../runs/lost-here.js';
import { pausedOnPurpose } from '../runs/run-faults.js';
import type { RunRecord } from '../runs/run-record.js';
import type { ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import type { LostService } from './lost-services.js';
import { type Health, nothing, ownHealth, type ServiceStatus, seen, unseen } from './service-status.js';

/** A service where no run is known: not started, unless the record of its run was lost. */
export function describeWithoutRun(
  kernel: Kernel,
  service: ServiceSpec,
  unlooked: readonly Unlooked[],
  left: LostService | undefined,
  unrecorded: string | undefined,
): ServiceStatus {
  const runtime = runtimeOf(kernel, service).name;
  const common = { name: service.name, kind: service.kind, runtime };
  const blind = unlooked.find((one) => one.runtime === runtime);
  if (blind) return { ...common, ...unseen({ ports: [] }, blind.error.message) };
  if (!left && unrecorded !== undefined) return { ...common, ...unseen({ ports: [] }, unrecorded) };
  if (!left) return { ...common, ...nothing, status: 'missing', health: 'none', message: 'not started' };
  const { runId, sight } = left;
  if ('failure' in sight) return { ...common, ...unseen({ ports: [] }, sight.failure) };
  const message = `the record of its run ${runId} was lost`;
  return { ...common, ...seen(sight, sight.ports ?? []), health: 'unknown', message };
}

/** A service of the configuration: what runs under its name, also when that is not what the configuration says by now. */
export async function describeService(
  kernel: Kernel,
  service: ServiceSpec,
  run: RunRecord,
  sights: ReadonlyMap<string, Sight>,
  signal: AbortSignal,
): Promise<ServiceStatus> {
  const { name, kind } = service;
  const wanted = runtimeOf(kernel, service).name;
  const noted = run.services[name];
  const sight = sights.get(name);
  const common = { name, kind, runtime: noted?.runtime ?? wanted };
  if (!noted || !sight || (!('failure' in sight) && sight.status === 'missing')) {
    // Before a setup is over, what it has a note of may be about to be started.
    const message = noted && run.state === 'up' ? goneOf(service) : 'not started';
    return { ...common, ...nothing, status: 'missing', health: 'none', message };
  }
  if ('failure' in sight) return { ...common, ...unseen(noted, sight.failure) };
  const ports = sight.ports ? asIn(noted.ports, sight.ports) : noted.ports;
  const purpose = sight.paused ? await pausedOnPurpose(run, name) : undefined;
  if (purpose !== undefined)
    return { ...common, ...seen(sight, ports), health: 'unhealthy', message: purpose };
  if (noted.runtime !== wanted) {
    // What the configuration says of its health is meant for another kind of thing.
    const note = `the configuration wants it on ${wanted} by now`;
    return { ...common, ...seen(sight, ports), ...ownHealth(sight, false), note };
  }
  return {
    ...common,
    ...seen(sight, ports),
    ...(sight.flaw === undefined ? {} : { note: sight.flaw }),
    ...(await healthOf(kernel, service, run, sight, ports, signal)),
  };
}

/** What was started and is not there any more, somebody else has removed. */
function goneOf({ oneShot }: ServiceSpec): string {
  return oneShot ? 'was done, and nothing of it is left' : 'was started, and nothing of it is left';
}

async function healthOf(
  kernel: Kernel,
  service: ServiceSpec,
  run: RunRecord,
  state: ServiceState,
  ports: ServiceSpec['ports'],
  signal: AbortSignal,
): Promise<Health> {
  const { healthcheck } = service;
  if (state.status === 'exited' || state.paused) return ownHealth(state, service.oneShot);
  const result = await tryOnce(kernel, { service, healthcheck, ports }, run, signal);
  if (!result) return ownHealth(state, service.oneShot);
  const { healthy, output, unknown } = result;
  if (unknown) return { health: 'unknown', message: `could not be asked how it is: ${output}` };
  if (healthy) return { health: 'healthy', message: output };
  const isStarting =
    run.state === 'starting' && healthcheck && isBeginning(state, healthcheck, kernel.clock.now());
  return { health: isStarting ? 'starting' : 'unhealthy', message: output };
}

/** Whether failures do not count yet. They do once a setup is over, which has seen it well, however short ago it was started. */
function isBeginning({ startedAt }: ServiceState, { startPeriod }: HealthSpec, now: number): boolean {
  return startedAt !== undefined && now - startedAt < startPeriod;
}
