import type { Kernel } from '../kernel/kernel.js';
import type { Json } from '../model/json.js';
import { describeCheck, type ProbeResult, probeHttp, probeTcp } from './health/probe.js';
import { waitUntilReady } from './health/wait-until-ready.js';
import { KnownPorts } from './known-ports.js';
import { lookAt, runtimeOf, runtimesOf, sharedLook } from './look.js';
import type { PortAssignment, RunRecord } from './run-record.js';
import { changeRun } from './runs.js';
import type { RunContext, ServiceState } from './runtime.js';
import type { HealthSpec, ServiceSpec } from './service-spec.js';
import { specHash } from './spec-hash.js';
import { inStartOrder } from './start-order.js';
import { removeAll } from './take-down.js';
import { filledIn, variablesOf } from './template.js';

/** What starting needs. */
export interface StartInput {
  readonly kernel: Kernel;
  readonly run: RunRecord;
  /** With the ports that were resolved. */
  readonly services: readonly ServiceSpec[];
  readonly portMappings: readonly PortAssignment[];
  /** What tells the image of a service that was built from an earlier one. */
  readonly builds: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** How the services of a run stand after a start. */
export interface Started {
  readonly ports: KnownPorts;
  readonly vars: Readonly<Record<string, string>>;
  /** The services as they were started, with everything filled in. */
  readonly services: readonly ServiceSpec[];
  /** Services that were left alone because they run as they should. */
  readonly kept: ReadonlySet<string>;
}

/** Starts every service in the order of its dependencies, and waits for each; leaves alone what runs as it should. */
export async function startServices(input: StartInput): Promise<Started> {
  const { kernel, run, services, portMappings, signal } = input;
  const { project, events, clock } = kernel;
  const context: RunContext = { run, project, services, events, clock, signal };
  const ports = new KnownPorts(services);
  const vars = variablesOf(services, portMappings);
  const running = await removeOthers(input);

  const used = new Set(services.map((service) => runtimeOf(kernel, service)));
  await Promise.all([...used].map((runtime) => runtime.prepare?.(context)));

  const look = sharedLook((asked) => lookAt(kernel, run, asked, signal));
  const started = new Map<string, ServiceSpec>();
  const kept = new Set<string>();
  await inStartOrder(services, async (configured) => {
    signal.throwIfAborted();
    const service = withArgusVariables(filledIn(configured, { ports, vars }), ports);
    const spec = specHash(service, input.builds.get(service.name));
    const runtime = runtimeOf(kernel, service);
    const tell = (state: 'starting' | 'waiting' | 'ready' | 'kept', message: string) =>
      events.emit('service_state', { service: service.name, state, message });

    if (isRunningAs(running.get(service.name), spec)) kept.add(service.name);
    else {
      tell('starting', `starting on ${runtime.name}`);
      await replace(input, running.get(service.name));
      await noteService(input, service, runtime.name, spec);
      await runtime.start(service, spec, context);
    }
    if (service.ports.some(({ host }) => host === null))
      ports.learn(service.name, (await look(service)).ports ?? []);
    if (service.healthcheck) tell('waiting', `waiting for ${describeCheck(service.healthcheck)}`);
    const probe = (check: HealthSpec) => probeService(kernel, service, check, ports, context);
    await waitUntilReady({ service, runtime, context, look: () => look(service), probe });
    started.set(service.name, service);
    tell(kept.has(service.name) ? 'kept' : 'ready', kept.has(service.name) ? 'runs as it should' : 'ready');
  });
  return { ports, vars, services: services.map(({ name }) => started.get(name) ?? missing(name)), kept };
}

/** Tries a service's health check once: over the published port from here, or a command inside. */
export async function probeService(
  kernel: Pick<Kernel, 'runtimes'>,
  service: ServiceSpec,
  check: HealthSpec,
  ports: KnownPorts,
  context: RunContext,
): Promise<ProbeResult> {
  const { http, tcp, command, port, timeout } = check;
  const { signal } = context;
  if (command !== undefined) {
    const limited = { ...context, signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) };
    const { exitCode, output } = await runtimeOf(kernel, service).exec(service, command, limited);
    return { healthy: exitCode === 0, output: `exit code ${exitCode}: ${output.trim().slice(-500)}` };
  }
  if (http?.startsWith('http')) return probeHttp(http, timeout, signal);
  const inside = tcp ?? port;
  const host = ports.hostPort(service.name, inside) ?? inside;
  if (host === undefined) return { healthy: false, output: 'the service publishes no port to try' };
  const address = addressOf(service, ports, inside);
  return http === undefined
    ? probeTcp(address, host, timeout, signal)
    : probeHttp(`http://${address}:${host}${http}`, timeout, signal);
}

/** The address to reach a published port at from this machine. */
function addressOf(service: ServiceSpec, ports: KnownPorts, inside: number | undefined): string {
  const all = ports.of(service.name);
  const { ip = null } =
    (inside === undefined ? all[0] : all.find(({ container }) => container === inside)) ?? {};
  return ip === null || ip === '0.0.0.0' || ip === '[::]' ? '127.0.0.1' : ip;
}

/** Removes services of the run that are no longer configured, and says how the others are. */
async function removeOthers({
  kernel,
  run,
  services,
  signal,
}: StartInput): Promise<Map<string, ServiceState>> {
  const names = new Set(services.map(({ name }) => name));
  const known = Object.keys(run.services);
  if (known.length === 0) return new Map();
  const gone = known.filter((name) => !names.has(name));
  if (gone.length > 0) await removeServices(kernel, run, gone, signal);
  return lookAt(kernel, run, services, signal);
}

/** Removes what a service left, before it is started anew. */
async function replace({ kernel, run, signal }: StartInput, state: ServiceState | undefined): Promise<void> {
  if (state && state.status !== 'missing') await removeServices(kernel, run, [state.service], signal);
}

async function removeServices(kernel: Kernel, run: RunRecord, names: readonly string[], signal: AbortSignal) {
  const query = { project: run.project, runId: run.id };
  const all = await Promise.all(
    runtimesOf(kernel, run, []).map((runtime) => runtime.resources(query, signal)),
  );
  const own = all.flat().filter(({ service }) => service !== undefined && names.includes(service));
  for (const service of names)
    kernel.events.emit('service_state', { service, state: 'stopping', message: 'stopping' });
  await removeAll(kernel, own, signal);
  await changeRun(kernel.store, run.id, (record) => ({
    ...record,
    services: Object.fromEntries(Object.entries(record.services).filter(([name]) => !names.includes(name))),
  }));
}

/** Notes a service in the run's record before it is started: whoever is killed now leaves the note behind. */
async function noteService(
  { kernel, run }: StartInput,
  service: ServiceSpec,
  runtime: string,
  spec: string,
): Promise<void> {
  const note = { runtime, spec, ports: service.ports, startedAt: kernel.clock.now() };
  await changeRun(kernel.store, run.id, (record) => ({
    ...record,
    services: { ...record.services, [service.name]: note as unknown as RunRecord['services'][string] & Json },
  }));
}

function isRunningAs(state: ServiceState | undefined, spec: string): boolean {
  if (state?.spec !== spec || state.health === 'unhealthy') return false;
  return state.status === 'running';
}

/** Every service is told where the others are, unless its own environment says otherwise. */
function withArgusVariables(service: ServiceSpec, ports: KnownPorts): ServiceSpec {
  const others = service.dependsOn.length === 0 ? {} : ports.variables();
  return { ...service, environment: { ...others, ...service.environment } };
}

function missing(name: string): never {
  throw new Error(`${name} was never started`);
}
