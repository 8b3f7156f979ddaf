import type { Kernel } from '../kernel/kernel.js';
import { isBlinding } from '../model/health-report.js';
import { asStarted } from './as-started.js';
import { currentRun } from './claim-run.js';
import { environmentOf } from './environment-of.js';
import { type FoundRun, isConfigured } from './find-run.js';
import { tryOnce } from './health/try-health.js';
import { asIn } from './known-ports.js';
import { livenessOf, type OwnerLookup, ownerLookup } from './liveness.js';
import { runtimeOf } from './look.js';
import { lookAtRecorded, type Sight } from './look-recorded.js';
import { type Lost, lostHere } from './lost-runs.js';
import { type LostService, lookAtLost } from './lost-services.js';
import { pausedOnPurpose } from './run-faults.js';
import type { RunRecord, RunService } from './run-record.js';
import { runsIn, runsOf } from './runs.js';
import type { ServiceState } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';
import { endpointsOf } from './summarise.js';

/** How one service is, for whoever asks. */
export interface ServiceStatus {
  name: string;
  kind: ServiceSpec['kind'];
  runtime: string;
  status: ServiceState['status'] | 'paused' | 'unknown';
  health: 'healthy' | 'unhealthy' | 'starting' | 'none' | 'unknown';
  message: string;
  endpoints: string[];
  restarts: number;
  exitCode: number | null;
  startedAt: number | null;
  /** How it differs from what the configuration says by now. */
  note?: string;
}

/** How the environment of a project's folder is. What could not be looked at is `unknown`. */
export async function statusOf(kernel: Kernel, host: string, signal: AbortSignal, chosen?: FoundRun) {
  const { store, project, clock, circuits, config } = kernel;
  const now = clock.now();
  const lookUp = ownerLookup(host);
  const run = chosen ? (chosen.lost ? undefined : chosen.run) : await currentRun(kernel);
  const isKnown = run ? isConfigured(kernel, run) : true;
  const configured = isKnown ? environmentOf(config, project).services : [];
  const sights = run ? await lookAtRecorded(kernel, run, signal) : new Map<string, Sight>();
  const services = run ? asStarted(configured, run, sights) : configured;
  const lost = chosen ? { resources: chosen.lost ?? [], unknown: [] } : await lostHere(kernel, signal);
  const lostServices = run ? new Map<string, LostService>() : await lookAtLost(kernel, lost, signal);
  const unrecorded = run ? undefined : (store.notices?.().find(isBlinding) ?? kernel.configProblem)?.message;
  const others = await otherRuns(kernel, run);
  return {
    project: run?.project ?? project.name,
    run: run ? { ...describeRun(run, now), ...(await lifeOf(run, now, lookUp)) } : null,
    services: [
      ...(await Promise.all(
        services.map((service) =>
          run
            ? describeService(kernel, service, run, sights, signal)
            : describeWithoutRun(kernel, service, lost, lostServices.get(service.name), unrecorded),
        ),
      )),
      ...(run && isKnown ? describeOthers(run, configured, sights) : []),
      ...(run && !isKnown ? describeRecorded(kernel, run, sights) : []),
    ],
    otherRuns: await Promise.all(
      others.map(async (other) => {
        const { alive } = await livenessOf(other, now, lookUp);
        const { id, project: name, worktree, state } = other;
        return { id, project: name, worktree, state, alive };
      }),
    ),
    lost,
    ...(unrecorded === undefined ? {} : { unrecorded }),
    ...(kernel.configProblem ? { configBroken: true } : {}),
    circuits: (await circuits.states()).map(({ failureHistory: _, ...state }) => ({
      ...state,
      sinceTransition:
        state.lastStateTransition === null ? null : Math.max(0, now - state.lastStateTransition),
    })),
  };
}

/** The other runs of the project, and what was set up in this folder under another name. */
async function otherRuns({ store, project }: Kernel, run: RunRecord | undefined): Promise<RunRecord[]> {
  const others = [...(await runsIn(store, project.dir)), ...(await runsOf(store, project.name))];
  const known = new Map(others.map((one) => [one.id, one]));
  known.delete(run?.id ?? '');
  return [...known.values()].sort((one, other) => one.createdAt - other.createdAt);
}

function describeRun({ id, state, owner, createdAt, leaseUntil }: RunRecord, now: number) {
  const leaseMs = Math.max(0, leaseUntil - now);
  return { id, state, owner: `${owner.host}/${owner.pid}`, createdAt, leaseUntil, leaseMs };
}

/** Whether a run goes on; why not, by the process that is gone where it is one. */
async function lifeOf(run: RunRecord, now: number, lookUp: OwnerLookup) {
  const { alive } = await livenessOf(run, now, lookUp);
  if (alive) return { alive };
  const { state, owner, holders = [] } = run;
  if (state !== 'up') {
    const isDead = (await lookUp(owner)) === 'dead';
    if (isDead) return { alive, why: `its argus, process ${owner.pid}, died while ${state}` };
    return {
      alive,
      why: state === 'stopping' ? 'it was not taken down completely' : 'its setup did not end',
    };
  }
  const left = await Promise.all(holders.map(lookUp));
  if (holders.length === 0 || left.includes('unknown')) return { alive, why: 'its lease ran out' };
  const pids = holders.map(({ pid }) => `process ${pid}`).join(', ');
  return { alive, why: `its argus, ${pids}, is gone` };
}

/** A service where no run is known: not started, unless the record of its run was lost. */
function describeWithoutRun(
  kernel: Kernel,
  service: ServiceSpec,
  lost: Lost,
  left: LostService | undefined,
  unrecorded: string | undefined,
): ServiceStatus {
  const runtime = runtimeOf(kernel, service).name;
  const common = { name: service.name, kind: service.kind, runtime };
  const silent = lost.unknown.find((one) => one.runtime === runtime);
  if (silent) return { ...common, ...unseen({ ports: [] }, silent.reason) };
  if (!left && unrecorded !== undefined) return { ...common, ...unseen({ ports: [] }, unrecorded) };
  if (!left) return { ...common, ...nothing, status: 'missing', health: 'none', message: 'not started' };
  const { runId, sight } = left;
  if ('failure' in sight) return { ...common, ...unseen({ ports: [] }, sight.failure) };
  const message = `the record of its run ${runId} was lost`;
  return { ...common, ...seen(sight, sight.ports ?? []), health: 'unknown', message };
}

/** A service of the configuration: what runs under its name, also when that is not what the configuration says by now. */
async function describeService(
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
    return { ...common, ...nothing, status: 'missing', health: 'none', message: 'not started' };
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
    ...{ ...common, ...seen(sight, ports), ...(sight.flaw === undefined ? {} : { note: sight.flaw }) },
    ...(await healthOf(kernel, service, run, sight, ports, signal)),
  };
}

/** Services that the run has and the configuration does not have any more. What is gone of them is not worth a word. */
function describeOthers(
  run: RunRecord,
  configured: readonly ServiceSpec[],
  sights: ReadonlyMap<string, Sight>,
): ServiceStatus[] {
  return Object.entries(run.services).flatMap(([name, noted]): ServiceStatus[] => {
    const sight = sights.get(name);
    const isMissing = !sight || (!('failure' in sight) && sight.status === 'missing');
    if (isMissing || configured.some((service) => service.name === name)) return [];
    const common = { name, kind: 'service' as const, runtime: noted.runtime };
    const note = 'no longer in the configuration';
    if ('failure' in sight) return [{ ...common, ...unseen(noted, sight.failure), note }];
    // Nobody misses it when it has ended.
    const ended = { health: 'none' as const, message: messageOfEnd(sight) };
    const health = sight.status === 'exited' ? ended : ownHealth(sight, false);
    return [{ ...common, ...seen(sight, sight.ports ?? noted.ports), ...health, note }];
  });
}

/** Services of a run that no configuration tells of: whether they run is known, and how they should be is not. */
function describeRecorded(
  { configProblem }: Kernel,
  run: RunRecord,
  sights: ReadonlyMap<string, Sight>,
): ServiceStatus[] {
  const note = configProblem ? 'the configuration cannot be read' : `of the project ${run.project}`;
  return Object.entries(run.services).map(([name, noted]): ServiceStatus => {
    const common = { name, kind: 'service' as const, runtime: noted.runtime, note };
    const sight = sights.get(name) ?? { service: name, status: 'missing' };
    if ('failure' in sight) return { ...common, ...unseen(noted, sight.failure) };
    if (sight.status === 'missing')
      return { ...common, ...nothing, status: 'missing', health: 'none', message: 'it is gone' };
    const seenNow = { ...common, ...seen(sight, sight.ports ?? noted.ports) };
    // One that was to end and did is well; that it was is not recorded, so an end without an error counts as such.
    const own = ownHealth(sight, sight.exitCode === 0);
    if (sight.status !== 'running' || own.health !== 'none') return { ...seenNow, ...own };
    return { ...seenNow, health: 'unknown', message: 'its health check is not known' };
  });
}

const nothing = { endpoints: [] as string[], restarts: 0, exitCode: null, startedAt: null };

function unseen({ ports }: Pick<RunService, 'ports'>, failure: string) {
  const status = { status: 'unknown' as const, health: 'unknown' as const };
  return {
    ...nothing,
    ...status,
    message: `could not be looked at: ${failure}`,
    endpoints: endpointsOf(ports),
  };
}

function seen(state: ServiceState, ports: ServiceSpec['ports']) {
  const { restarts = 0, exitCode = null, startedAt = null } = state;
  const status: ServiceStatus['status'] = state.paused ? 'paused' : state.status;
  return { status, restarts, exitCode, startedAt, endpoints: endpointsOf(ports) };
}

interface Health {
  readonly health: Exclude<ServiceStatus['health'], 'unknown'>;
  readonly message: string;
}

/** The health that a service shows by itself. */
function ownHealth(state: ServiceState, oneShot: boolean): Health {
  // Whatever a check has said, or would say after a long wait.
  if (state.paused) return { health: 'unhealthy', message: 'it is paused' };
  if (state.status !== 'exited')
    return { health: state.health ?? 'none', message: state.health ?? 'running' };
  const isDone = oneShot && state.exitCode === 0;
  return isDone ? { health: 'none', message: 'done' } : { health: 'unhealthy', message: messageOfEnd(state) };
}

function messageOfEnd({ oomKilled, exitCode }: ServiceState): string {
  return oomKilled ? 'ran out of memory' : `exit code ${exitCode ?? 'unknown'}`;
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
  if (state.status === 'exited' || state.paused || !healthcheck) return ownHealth(state, service.oneShot);
  const { healthy, output } = await tryOnce(kernel, { service, healthcheck, ports }, run, signal);
  return { health: healthy ? 'healthy' : 'unhealthy', message: output };
}
