import { portFor } from '../../config/port-mapping.js';
import type { Kernel } from '../../kernel/kernel.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import { hostAndPort, reachableAt } from '../address.js';
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
    const published = portFor(ports.of(service.name), inside);
    const host = published ? published.host : (inside ?? null);
    if (host === null) return { healthy: false, output: 'the service publishes no port to try' };
    const ip = published?.ip ?? null;
    return http === undefined
      ? probeTcp(reachableAt(ip), host, timeout, signal, { relayed: service.image !== undefined })
      : probeHttp(`http://${hostAndPort(ip, host)}${http}`, timeout, signal);
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
    const said = `exit code ${exitCode}: ${output.trim().slice(-500)}`;
    return exitCode === 0
      ? { healthy: true, output: said }
      : { healthy: false, answered: true, output: said };
  } catch (thrown) {
    signal.throwIfAborted();
    return { healthy: false, output: `failed: ${toStructuredError(thrown, clock.now()).message}` };
  }
}
