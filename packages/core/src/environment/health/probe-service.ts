import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import type { KnownPorts } from '../known-ports.js';
import { runtimeOf } from '../look.js';
import type { RunContext } from '../runtime.js';
import type { HealthSpec, ServiceSpec } from '../service-spec.js';
import { type ProbeResult, probeHttp, probeTcp } from './probe.js';

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
    const host = ports.hostPort(service.name, inside) ?? inside;
    if (host === undefined) return { healthy: false, output: 'the service publishes no port to try' };
    const address = addressOf(service, ports, inside);
    return http === undefined
      ? probeTcp(address, host, timeout, signal)
      : probeHttp(`http://${address}:${host}${http}`, timeout, signal);
  };
}

/** A command that takes too long or cannot be run at all is a failed try; why, the next look at the service may tell. */
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
    return { healthy: exitCode === 0, output: `exit code ${exitCode}: ${output.trim().slice(-500)}` };
  } catch (thrown) {
    signal.throwIfAborted();
    return { healthy: false, output: `failed: ${toStructuredError(thrown, clock.now()).message}` };
  }
}

/** The address to reach a published port at from this machine. */
function addressOf(service: ServiceSpec, ports: KnownPorts, inside: number | undefined): string {
  const all = ports.of(service.name);
  const { ip = null } =
    (inside === undefined ? all[0] : all.find(({ container }) => container === inside)) ?? {};
  // A server may listen on either of the addresses that this name stands for.
  return ip === null || ip === '0.0.0.0' || ip === '[::]' ? 'localhost' : ip;
}
