import { portFor } from '../../config/port-mapping.js';
import type { Kernel } from '../../kernel/kernel.js';
import { isOutage } from '../../model/is-outage.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import { isContainer } from '../is-container.js';
import { hostAndPort, reachableAt } from '../ports/address.js';
import type { KnownPorts } from '../ports/known-ports.js';
import type { RunContext, Runtime } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { type ProbeResult, probeHttp, probeTcp } from './probe.js';

/** How long a runtime may take to say how a service is, in milliseconds. One that takes longer is itself what hangs. */
const lookMs = 2_000;

/** Makes what tries a health check of a service once: over the published port from here, or a command inside. */
export function probeService(
  kernel: Pick<Kernel, 'runtimes'>,
  service: ServiceSpec,
  ports: KnownPorts,
  context: RunContext,
): (check: HealthSpec) => Promise<ProbeResult> {
  const { signal } = context;
  return async ({ http, tcp, command, port, timeout }) => {
    if (command !== undefined) return probeInside(kernel, service, command, timeout, context);
    if (http?.startsWith('http')) return probeHttp(http, timeout, signal);
    const inside = tcp ?? port;
    const published = portFor(ports.of(service.name), inside, 'tcp');
    // What a container does not publish is not at this machine's port of the same number: whoever answers there is somebody else.
    if (isContainer(service) && (published?.host ?? null) === null)
      return { healthy: false, unknown: true, output: unpublished(inside) };
    const host = published ? published.host : (inside ?? null);
    if (host === null) return { healthy: false, output: 'the service publishes no port to try' };
    const ip = published?.ip ?? null;
    return http === undefined
      ? probeTcp(reachableAt(ip), host, timeout, signal, { relayed: isContainer(service) })
      : probeHttp(`http://${hostAndPort(ip, host)}${http}`, timeout, signal);
  };
}

function unpublished(port: number | undefined): string {
  const what = port === undefined ? 'no port' : `no port ${port}`;
  return `the container publishes ${what}, so that it cannot be asked there`;
}

/**
 * A command that takes too long or cannot be run at all is a failed try, unless the runtime cannot even say how the service is; why, the
 * next look at the service may tell.
 */
async function probeInside(
  kernel: Pick<Kernel, 'runtimes'>,
  service: ServiceSpec,
  command: string | readonly string[],
  timeoutMs: number,
  context: RunContext,
): Promise<ProbeResult> {
  const { clock, signal } = context;
  const runtime = runtimeOf(kernel, service);
  try {
    const { exitCode, output } = await withTimeLimit(clock, timeoutMs, signal, 'it did not end', (limited) =>
      runtime.exec(service, command, { ...context, signal: limited }),
    );
    const printed = output.trim().slice(-500);
    const said = `exit code ${exitCode}${printed === '' ? '' : `: ${printed}`}`;
    return exitCode === 0
      ? { healthy: true, output: said }
      : { healthy: false, answered: true, output: said };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toStructuredError(thrown, clock.now());
    const output = `failed: ${error.message}`;
    // A runtime that says that it is away need not be asked again.
    const known = !isOutage(error) && (await isAnswering(runtime, service, context));
    return known ? { healthy: false, output } : { healthy: false, unknown: true, output };
  }
}

async function isAnswering(
  runtime: Runtime,
  { name }: ServiceSpec,
  { run, clock, signal }: RunContext,
): Promise<boolean> {
  try {
    await withTimeLimit(clock, lookMs, signal, 'it did not answer', (limited) =>
      runtime.inspect(run, [name], limited),
    );
    return true;
  } catch {
    signal.throwIfAborted();
    // Whatever it is, the service cannot be looked at through this runtime.
    return false;
  }
}
