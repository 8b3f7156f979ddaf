import type { Kernel } from '../kernel/kernel.js';
import { toStructuredError } from '../model/to-structured-error.js';
import { currentRun } from './claim-run.js';
import { environmentOf } from './environment-of.js';
import { probeService } from './health/probe-service.js';
import { KnownPorts } from './known-ports.js';
import { livenessOf, ownerLookup } from './liveness.js';
import { lookAt, runtimeOf } from './look.js';
import type { RunRecord } from './run-record.js';
import { runsOf } from './runs.js';
import type { ServiceState } from './runtime.js';
import type { ServiceSpec } from './service-spec.js';
import { allDependenciesOf } from './start-order.js';
import { endpointsOf } from './summarise.js';
import { toldAndFilledIn, variablesOf } from './template.js';

/** How the environment of a project's folder is. What could not be looked at is `unknown`. */
export async function statusOf(kernel: Kernel, host: string, signal: AbortSignal) {
  const { store, project, clock, circuits, config } = kernel;
  const now = clock.now();
  const lookUp = ownerLookup(host);
  const run = await currentRun(kernel);
  const configured = environmentOf(config, project).services;
  const services = run ? configured.map((service) => asStarted(service, configured, run)) : configured;
  const states = run ? await look(kernel, run, services, signal) : undefined;
  const others = (await runsOf(store, project.name)).filter(({ id }) => id !== run?.id);
  return {
    project: project.name,
    run: run ? { ...describeRun(run, now), alive: (await livenessOf(run, now, lookUp)).alive } : null,
    services: await Promise.all(
      services.map((service) => describeService(kernel, service, run, states, signal)),
    ),
    otherRuns: await Promise.all(
      others.map(async ({ id, worktree, state, ...rest }) => {
        const { alive } = await livenessOf({ state, ...rest }, now, lookUp);
        return { id, worktree, state, alive };
      }),
    ),
    circuits: (await circuits.states()).map(({ failureHistory: _, ...state }) => ({
      ...state,
      sinceTransition: Math.max(0, now - state.lastStateTransition),
    })),
  };
}

/** A service with what its texts stand for in this run. */
function asStarted(service: ServiceSpec, services: readonly ServiceSpec[], run: RunRecord): ServiceSpec {
  const ports = new KnownPorts(
    Object.entries(run.services).map(([name, one]) => ({ name, ports: one.ports })),
  );
  const vars = variablesOf(services, run.portMappings);
  try {
    return toldAndFilledIn(service, allDependenciesOf(service.name, services), { ports, vars });
  } catch {
    // It refers to what this run does not have, so it has changed since; a setup will say so.
    return service;
  }
}

function describeRun({ id, state, owner, createdAt, leaseUntil }: RunRecord, now: number) {
  const leaseMs = Math.max(0, leaseUntil - now);
  return { id, state, owner: `${owner.host}/${owner.pid}`, createdAt, leaseUntil, leaseMs };
}

type States = ReadonlyMap<string, ServiceState> | { readonly failure: string };

/** How the services are, or why that could not be told. */
async function look(
  kernel: Kernel,
  run: RunRecord,
  services: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<States> {
  const known = services.filter(({ name }) => name in run.services);
  try {
    return await lookAt(kernel, run, known, signal);
  } catch (thrown) {
    return { failure: toStructuredError(thrown, kernel.clock.now()).message };
  }
}

async function describeService(
  kernel: Kernel,
  service: ServiceSpec,
  run: RunRecord | undefined,
  states: States | undefined,
  signal: AbortSignal,
) {
  const { name, kind } = service;
  const runtime = run?.services[name]?.runtime ?? runtimeOf(kernel, service).name;
  const common = { name, kind, runtime, restarts: 0, exitCode: null, startedAt: null };
  const ports = run?.services[name]?.ports ?? [];
  if (states && 'failure' in states) {
    const message = `could not be looked at: ${states.failure}`;
    return {
      ...common,
      status: 'unknown' as const,
      health: 'unknown' as const,
      message,
      endpoints: endpointsOf(ports),
    };
  }
  const state = states?.get(name);
  if (!run || !state || state.status === 'missing') {
    return {
      ...common,
      status: 'missing' as const,
      health: 'none' as const,
      message: 'not started',
      endpoints: [],
    };
  }
  const actual = state.ports ?? ports;
  const { health, message } = await healthOf(kernel, service, run, state, actual, signal);
  return {
    ...{ ...common, status: state.status, health, message, endpoints: endpointsOf(actual) },
    ...{
      restarts: state.restarts ?? 0,
      exitCode: state.exitCode ?? null,
      startedAt: state.startedAt ?? null,
    },
  };
}

async function healthOf(
  kernel: Kernel,
  service: ServiceSpec,
  run: RunRecord,
  state: ServiceState,
  ports: ServiceSpec['ports'],
  signal: AbortSignal,
): Promise<{ health: 'healthy' | 'unhealthy' | 'starting' | 'none'; message: string }> {
  if (state.status === 'exited') {
    const isDone = service.oneShot && state.exitCode === 0;
    const message = state.oomKilled ? 'ran out of memory' : `exit code ${state.exitCode ?? 'unknown'}`;
    return isDone ? { health: 'none', message: 'done' } : { health: 'unhealthy', message };
  }
  if (!service.healthcheck) return { health: state.health ?? 'none', message: state.health ?? 'running' };
  const { project, events, clock } = kernel;
  const context = { run, project, services: [service], events, clock, signal };
  const known = new KnownPorts([{ name: service.name, ports }]);
  const probe = probeService(kernel, service, known, context);
  const { healthy, output } = await probe(service.healthcheck);
  return { health: healthy ? 'healthy' : 'unhealthy', message: output };
}
