import { diagnose } from '../health/diagnose.js';
import { givenInstead } from '../health/given-ports.js';
import { probeService } from '../health/probe-service.js';
import { refuseStrangers } from '../health/strangers.js';
import { waitForItself } from '../health/wait-for-itself.js';
import { awaitedOf } from '../health/wait-until-ready.js';
import type { SharedLook } from '../looks/shared-look.js';
import type { KnownPorts } from '../ports/known-ports.js';
import type { ServiceNotes } from '../runs/service-notes.js';
import type { RunContext, Runtime, ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { specHash } from '../services/spec-hash.js';
import { allDependenciesOf } from '../services/start-order.js';
import { surroundingsOf } from '../services/surroundings.js';
import { toldAndFilledIn, valuesOf } from '../services/template.js';
import { dropServices } from './drop-services.js';
import type { StartInput } from './start-services.js';
import type { Starts } from './starts.js';

/** A start of services that is under way: what is to be started, and how far it has come. */
export interface Progress extends Omit<StartInput, 'signal'> {
  readonly context: RunContext;
  /** How the services were that the run had a note of, before anything was started. */
  readonly before: ReadonlyMap<string, ServiceState>;
  readonly ports: KnownPorts;
  readonly look: SharedLook;
  /** Services that are ready, with everything filled in. */
  readonly started: Map<string, ServiceSpec>;
  /** Services that were left alone in this try, because they are as they should be. */
  readonly kept: Set<string>;
  readonly starts: Starts;
  readonly notes: ServiceNotes;
}

/** A service as it is to run. */
interface Intended {
  readonly service: ServiceSpec;
  readonly runtime: Runtime;
  /** What it needs, by name. */
  readonly needed: ReadonlySet<string>;
  readonly build: string | undefined;
  readonly spec: string;
}

/** Starts one service whose dependencies are ready, unless it is as it should be, and waits until it is ready. */
export async function startService(progress: Progress, configured: ServiceSpec): Promise<void> {
  const { context, ports, look, started, kept, anew } = progress;
  context.signal.throwIfAborted();
  const intended = intend(progress, configured);
  const { service } = intended;
  if (isAsItShouldBe(progress, intended)) kept.add(service.name);
  else await startAnew(progress, intended);
  if (service.ports.some(({ host }) => host === null))
    ports.learn(service.name, (await look(service)).ports ?? []);
  await untilReady(progress, intended);
  started.set(service.name, service);
  if (kept.has(service.name) && !anew.has(service.name)) tell(context, service, 'kept', 'runs as it should');
  else tell(context, service, 'ready', 'ready');
}

/** Whether a service is to be restarted with one that was started since. */
export function goesAlong({ started, anew }: Progress, { name, restartWith }: ServiceSpec): boolean {
  return restartWith.some((other) => started.has(other) && anew.isLater(other, name));
}

function intend(progress: Progress, configured: ServiceSpec): Intended {
  const { kernel, run, services, portMappings, builds, ports, context } = progress;
  const needed = allDependenciesOf(configured.name, services);
  const service = toldAndFilledIn(configured, needed, valuesOf(services, portMappings, ports));
  const build = builds ? builds.get(service.name) : run.services[service.name]?.build;
  const spec = specHash(service, build, surroundingsOf(service, services, context.gateways));
  return { service, runtime: runtimeOf(kernel, service), needed, build, spec };
}

function isAsItShouldBe(progress: Progress, { service, needed, spec }: Intended): boolean {
  const { run, before, kept, anew } = progress;
  const state = before.get(service.name);
  const mayStay = !run.services[service.name]?.stops;
  const isFresh = [...needed].every((name) => kept.has(name) && !anew.isLater(name, service.name));
  const isRight = isRunningAs(state, spec) || (service.oneShot && isFresh && isDoneAs(state, spec));
  return mayStay && isRight && !goesAlong(progress, service);
}

async function startAnew(progress: Progress, intended: Intended): Promise<void> {
  const { kernel, run, context, before, kept, anew, starts, notes } = progress;
  const { service, runtime, build, spec } = intended;
  const { gateways = [] } = context;
  const state = before.get(service.name);
  kept.delete(service.name);
  anew.add(service.name);
  tell(context, service, 'starting', `starting on ${runtime.name}`);
  // What it left goes before it is started anew.
  if (state && state.status !== 'missing') await dropServices(kernel, run, [service.name], context.signal);
  await notes.add(service.name, {
    runtime: runtime.name,
    spec,
    ports: service.ports,
    startedAt: kernel.clock.now(),
    ...(build ? { build } : {}),
    ...(gateways.length > 0 ? { gateways } : {}),
  });
  await starts.during(runtime.start(service, spec, context));
}

async function untilReady(progress: Progress, intended: Intended): Promise<void> {
  const { kernel, portMappings, context, ports, look, started, kept, starts } = progress;
  const { service, runtime } = intended;
  const awaited = awaitedOf(service);
  if (awaited !== undefined) tell(context, service, 'waiting', `waiting for ${awaited}`);
  const probe = probeService(kernel, service, ports, context);
  // Those that have not begun yet cannot be reached, which says nothing.
  const begun = () => ({ ...context, services: [...started.values(), service] });
  const settled = (ms: number) => starts.settled(kernel.clock, ms, context.signal);
  const waiting = {
    service,
    runtime,
    context,
    look: () => look(service),
    probe,
    hint: givenInstead(service, portMappings),
    diagnose: () => diagnose(kernel, service, begun()),
    ...(kept.has(service.name) ? {} : { settled }),
  };
  const published = [{ service, ports: ports.of(service.name) }];
  await waitForItself(waiting, () => refuseStrangers(kernel, context.run, published, context.signal));
}

function tell(
  { events }: RunContext,
  { name }: ServiceSpec,
  state: 'starting' | 'waiting' | 'ready' | 'kept',
  message: string,
): void {
  events.emit('service_state', { service: name, state, message });
}

function isRunningAs(state: ServiceState | undefined, spec: string): boolean {
  if (state?.spec !== spec || state.status !== 'running') return false;
  return state.health !== 'unhealthy' && !state.paused && state.flaw === undefined;
}

function isDoneAs(state: ServiceState | undefined, spec: string): boolean {
  return state?.spec === spec && state.status === 'exited' && state.exitCode === 0;
}
