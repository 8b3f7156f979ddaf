import { isTapped } from '../../hooks/is-tapped.js';
import type { Kernel } from '../../kernel/kernel.js';
import { lookAt } from '../looks/look-at.js';
import { sharedLook } from '../looks/shared-look.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { PortAssignment, RunRecord } from '../runs/run-record.js';
import { ServiceNotes } from '../runs/service-notes.js';
import type { RunContext, Runtime, ServiceState } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { ServiceSpec } from '../services/service-spec.js';
import { inStartOrder } from '../services/start-order.js';
import { valuesOf } from '../services/template.js';
import { resumePaused } from './resume-paused.js';
import { goesAlong, type Progress, startService } from './start-service.js';
import type { StartedAnew } from './started-anew.js';
import { Starts } from './starts.js';
import { tellFailure } from './tell-failure.js';

/** What starting needs. */
export interface StartInput {
  readonly kernel: Kernel;
  readonly run: RunRecord;
  /** With the ports that were resolved. */
  readonly services: readonly ServiceSpec[];
  readonly portMappings: readonly PortAssignment[];
  /** What tells the image of a service that was built from an earlier one; without it, the image stays as it was. */
  readonly builds?: ReadonlyMap<string, string>;
  /** What this setup has started in an earlier try. */
  readonly anew: StartedAnew;
  readonly signal: AbortSignal;
}

/** How the services of a run stand after a start. */
export interface Started {
  readonly ports: KnownPorts;
  readonly vars: Readonly<Record<string, string>>;
  /** The services as they were started, with everything filled in. */
  readonly services: readonly ServiceSpec[];
  /** Services that this setup has left alone in all its tries, because they are as they should be. */
  readonly kept: ReadonlySet<string>;
  /** Services that ran and were put right without a start. */
  readonly repaired: ReadonlySet<string>;
  /** Services that somebody had paused, and that go on. */
  readonly resumed: readonly string[];
  /** How services were that were looked at within the last milliseconds. */
  seenWithin(ms: number): ReadonlyMap<string, ServiceState>;
}

/** Starts every service in the order of its dependencies, and waits for each; leaves alone what is as it should be. */
export async function startServices(input: StartInput): Promise<Started> {
  const { kernel, run, services, portMappings } = input;
  const { project, events, clock } = kernel;
  const stop = new AbortController();
  const signal = AbortSignal.any([input.signal, stop.signal]);
  const seen = await lookAt(kernel, run, noted(services, run), signal);
  const { before, resumed } = await resumePaused(kernel, run, seen, signal);
  const context = await prepare(kernel, { run, project, services, events, clock, signal });
  const repaired = await repair(kernel, context, before);
  const progress: Progress = {
    ...input,
    context,
    before,
    ports: new KnownPorts(services),
    look: sharedLook(clock, (asked) => lookAt(kernel, run, asked, signal)),
    started: new Map(),
    kept: new Set(),
    starts: new Starts(),
    notes: new ServiceNotes(kernel.store, run),
  };
  const { ports, look, started, kept, anew } = progress;

  const startAll = (asked: readonly ServiceSpec[]) =>
    inStartOrder(asked, async (service) => {
      try {
        await startService(progress, service);
      } catch (thrown) {
        tellFailure(context, service.name, thrown);
        // Nobody needs to wait for the others any more.
        stop.abort();
        throw thrown;
      }
    });
  await startAll(services);
  // One that does not wait for those it goes with may have been left alone before they were started.
  const left = () => services.filter((service) => kept.has(service.name) && goesAlong(progress, service));
  for (let along = left(); along.length > 0; along = left()) await startAll(along);

  const { vars } = valuesOf(services, portMappings, ports);
  const inOrder = services.flatMap(({ name }) => started.get(name) ?? []);
  const leftAlone = new Set([...kept].filter((name) => !anew.has(name)));
  const wentOn = resumed.filter((name) => leftAlone.has(name));
  return {
    ports,
    vars,
    services: inOrder,
    kept: leftAlone,
    repaired,
    resumed: wentOn,
    seenWithin: look.within,
  };
}

/** Has the runtimes make what the services of a run share. Gives what every start is given. */
async function prepare(kernel: Kernel, context: RunContext): Promise<RunContext> {
  const used = new Set(context.services.map((service) => runtimeOf(kernel, service)));
  await Promise.all([...used].map((runtime) => runtime.prepare?.(context)));
  return { ...context, gateways: await gatewaysOf(used, context) };
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
