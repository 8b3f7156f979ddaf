import { isTapped } from '../hooks/is-tapped.js';
import type { Kernel } from '../kernel/kernel.js';
import { dropServices } from './drop-services.js';
import { diagnose } from './health/diagnose.js';
import { givenInstead } from './health/given-ports.js';
import { probeService } from './health/probe-service.js';
import { awaitedOf, waitUntilReady } from './health/wait-until-ready.js';
import { KnownPorts } from './known-ports.js';
import { lookAt, runtimeOf, sharedLook } from './look.js';
import type { PortAssignment, RunRecord } from './run-record.js';
import type { RunContext, Runtime, ServiceState } from './runtime.js';
import { ServiceNotes } from './service-notes.js';
import type { ServiceSpec } from './service-spec.js';
import { specHash } from './spec-hash.js';
import { allDependenciesOf, inStartOrder } from './start-order.js';
import { Starts } from './starts.js';
import { surroundingsOf } from './surroundings.js';
import { tellFailure } from './tell-failure.js';
import { toldAndFilledIn, valuesOf } from './template.js';

/** What starting needs. */
export interface StartInput {
  readonly kernel: Kernel;
  readonly run: RunRecord;
  /** With the ports that were resolved. */
  readonly services: readonly ServiceSpec[];
  readonly portMappings: readonly PortAssignment[];
  /** What tells the image of a service that was built from an earlier one; without it, the image stays as it was. */
  readonly builds?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** How the services of a run stand after a start. */
export interface Started {
  readonly ports: KnownPorts;
  readonly vars: Readonly<Record<string, string>>;
  /** The services as they were started, with everything filled in. */
  readonly services: readonly ServiceSpec[];
  /** Services that were left alone because they are as they should be. */
  readonly kept: ReadonlySet<string>;
  /** Services that ran and were put right without a start. */
  readonly repaired: ReadonlySet<string>;
  /** How services were in the last look, which was made when all of them had been started. */
  readonly seen: ReadonlyMap<string, ServiceState>;
}

/** Starts every service in the order of its dependencies, and waits for each; leaves alone what is as it should be. */
export async function startServices(input: StartInput): Promise<Started> {
  const { kernel, run, services, portMappings } = input;
  const { project, events, clock } = kernel;
  const stop = new AbortController();
  const signal = AbortSignal.any([input.signal, stop.signal]);
  const around: RunContext = { run, project, services, events, clock, signal };
  const ports = new KnownPorts(services);
  const valuesNow = () => valuesOf(services, portMappings, ports);
  const before = await lookAt(kernel, run, noted(services, run), signal);

  const used = new Set(services.map((service) => runtimeOf(kernel, service)));
  await Promise.all([...used].map((runtime) => runtime.prepare?.(around)));
  const gateways = await gatewaysOf(used, around);
  const context: RunContext = { ...around, gateways };

  const repaired = await repair(kernel, context, before);

  const look = sharedLook((asked) => lookAt(kernel, run, asked, signal));
  const started = new Map<string, ServiceSpec>();
  const kept = new Set<string>();
  const starts = new Starts();
  const notes = new ServiceNotes(kernel.store, run);

  const bringUp = async (configured: ServiceSpec): Promise<void> => {
    signal.throwIfAborted();
    // Each has a signal of its own, because many that listen to one look to Node like a leak.
    const own: RunContext = { ...context, signal: AbortSignal.any([signal]) };
    const needed = allDependenciesOf(configured.name, services);
    const service = toldAndFilledIn(configured, needed, valuesNow());
    const build = input.builds ? input.builds.get(service.name) : run.services[service.name]?.build;
    const spec = specHash(service, build, surroundingsOf(service, services, gateways));
    const runtime = runtimeOf(kernel, service);
    const tell = (state: 'starting' | 'waiting' | 'ready' | 'kept', message: string) =>
      events.emit('service_state', { service: service.name, state, message });

    const state = before.get(service.name);
    const isFresh = [...needed].every((name) => kept.has(name));
    if (isRunningAs(state, spec) || (service.oneShot && isFresh && isDoneAs(state, spec)))
      kept.add(service.name);
    else {
      tell('starting', `starting on ${runtime.name}`);
      // What it left goes before it is started anew.
      if (state && state.status !== 'missing') await dropServices(kernel, run, [service.name], signal);
      await notes.add(service.name, {
        ...{ runtime: runtime.name, spec, ports: service.ports, startedAt: clock.now() },
        ...(build ? { build } : {}),
        ...(gateways.length > 0 ? { gateways } : {}),
      });
      await starts.during(runtime.start(service, spec, own));
    }
    if (service.ports.some(({ host }) => host === null))
      ports.learn(service.name, (await look(service)).ports ?? []);
    const awaited = awaitedOf(service);
    if (awaited !== undefined) tell('waiting', `waiting for ${awaited}`);
    const probe = probeService(kernel, service, ports, own);
    // Those that have not begun yet cannot be reached, which says nothing.
    const begun = () => ({ ...own, services: [...started.values(), service] });
    await waitUntilReady({
      service,
      runtime,
      context: own,
      look: () => look(service),
      probe,
      hint: givenInstead(service, portMappings),
      diagnose: () => diagnose(kernel, service, begun()),
      ...(kept.has(service.name) ? {} : { settled: (ms: number) => starts.settled(clock, ms, signal) }),
    });
    started.set(service.name, service);
    tell(kept.has(service.name) ? 'kept' : 'ready', kept.has(service.name) ? 'runs as it should' : 'ready');
  };

  await inStartOrder(services, async (service) => {
    try {
      await bringUp(service);
    } catch (thrown) {
      tellFailure(context, service.name, thrown);
      // Nobody needs to wait for the others any more.
      stop.abort();
      throw thrown;
    }
  });
  const seen = look.latest();
  const { vars } = valuesNow();
  const inOrder = services.flatMap(({ name }) => started.get(name) ?? []);
  return { ports, vars, services: inOrder, kept, repaired, seen };
}

/** Where containers ask for what runs outside of them; nobody needs to know when all run in the same place. */
async function gatewaysOf(
  used: ReadonlySet<Runtime>,
  { run, signal }: RunContext,
): Promise<readonly string[]> {
  if (used.size < 2) return [];
  const found = await Promise.all([...used].map((runtime) => runtime.gateways?.(run, signal) ?? []));
  return found.flat();
}

/** Has what runs already put right before anybody waits for its health. Gives the services that were. */
async function repair(
  { hooks, events }: Kernel,
  context: RunContext,
  before: ReadonlyMap<string, ServiceState>,
): Promise<ReadonlySet<string>> {
  const services = context.services.filter(({ name }) => before.get(name)?.status === 'running');
  const all = new Set<string>();
  if (services.length === 0 || !isTapped(hooks.repairServices)) return all;
  const repaired = (service: string, message: string) => {
    all.add(service);
    events.emit('service_state', { service, state: 'waiting', message });
  };
  await hooks.repairServices.promise({ ...context, services, repaired });
  return all;
}

/** Services that the run has a note of; of the others there is nothing to be seen. */
function noted(services: readonly ServiceSpec[], run: RunRecord): ServiceSpec[] {
  return services.filter(({ name }) => name in run.services);
}

function isRunningAs(state: ServiceState | undefined, spec: string): boolean {
  if (state?.spec !== spec || state.status !== 'running') return false;
  return state.health !== 'unhealthy' && !state.paused && state.flaw === undefined;
}

function isDoneAs(state: ServiceState | undefined, spec: string): boolean {
  return state?.spec === spec && state.status === 'exited' && state.exitCode === 0;
}
