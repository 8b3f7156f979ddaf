import { portFor } from '../../config/port-mapping.js';
import type { Kernel } from '../../kernel/kernel.js';
import { isArgusError } from '../../model/argus-error.js';
import { type StructuredError, structuredError } from '../../model/error-code.js';
import { isOutage } from '../../model/is-outage.js';
import { messageOf } from '../../model/message-of.js';
import { quoted } from '../../model/printable.js';
import { healthUnknown } from '../../model/service-error-codes.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { withTimeLimit } from '../../time/time-limit.js';
import { isContainer } from '../is-container.js';
import { hostAndPort, reachableAt } from '../ports/address.js';
import type { KnownPorts } from '../ports/known-ports.js';
import type { RunContext, Runtime } from '../runtime.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { describeCheck, type ProbeResult, probeHttp, probeTcp } from './probe.js';

/** How long a runtime may take to say how a service is, in milliseconds. One that takes longer is itself what hangs. */
const lookMs = 2_000;

/** How much of what a health check printed is told. */
const keptCharacters = 500;

/** Makes what tries a health check of a service once: over the published port from here, or a command inside. */
export function probeService(
  kernel: Pick<Kernel, 'runtimes' | 'redactor'>,
  service: ServiceSpec,
  ports: KnownPorts,
  context: RunContext,
): (check: HealthSpec) => Promise<ProbeResult> {
  const { signal } = context;
  let wasWell = false;
  return async (check) => {
    const { http, tcp, command, port, timeout } = check;
    if (command !== undefined) {
      const result = await probeInside(kernel, service, { ...check, command }, context, wasWell);
      wasWell = result.healthy;
      return result;
    }
    if (http?.startsWith('http')) return probeHttp(http, timeout, signal);
    const inside = tcp ?? port;
    const published = portFor(ports.of(service.name), inside, 'tcp');
    // What a container does not publish is not at this machine's port of the same number: whoever answers there is somebody else.
    if (isContainer(service) && (published?.host ?? null) === null) {
      const output = unpublished(inside);
      const runtime = runtimeOf(kernel, service);
      return { healthy: false, unknown: untoldHealth(runtime, service, check, output, context), output };
    }
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
  kernel: Pick<Kernel, 'runtimes' | 'redactor'>,
  service: ServiceSpec,
  check: HealthSpec & { readonly command: string | readonly string[] },
  context: RunContext,
  wasWell: boolean,
): Promise<ProbeResult> {
  const { clock, signal } = context;
  const { command, timeout } = check;
  const runtime = runtimeOf(kernel, service);
  try {
    const limited = <Result>(work: (within: RunContext) => Promise<Result>) =>
      withTimeLimit(clock, timeout, signal, 'it did not end', (own) => work({ ...context, signal: own }));
    // Most tries of a service that is watched succeed as the one before did, and need not say anything.
    const isWell = wasWell && (await limited(async (within) => runtime.endsWell?.(service, command, within)));
    const { exitCode, output } = isWell
      ? { exitCode: 0, output: '' }
      : await limited((within) => runtime.exec(service, command, within));
    const printed = kernel.redactor.last(output.trim(), keptCharacters);
    const said = `exit code ${exitCode}${printed === '' ? '' : `: ${quoted(printed)}`}`;
    return exitCode === 0
      ? { healthy: true, output: said }
      : { healthy: false, answered: true, output: said };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toStructuredError(thrown, clock.now());
    const output = `failed: ${error.message}`;
    // A runtime that says that it is away need not be asked again.
    const unknown = isOutage(error) ? error : await whyNoAnswer(runtime, service, check, context);
    return unknown ? { healthy: false, unknown, output } : { healthy: false, output };
  }
}

/** Why a service cannot be looked at through its runtime: in the runtime's own words where it has some. Nothing when it can. */
async function whyNoAnswer(
  runtime: Runtime,
  service: ServiceSpec,
  check: HealthSpec,
  context: RunContext,
): Promise<StructuredError | undefined> {
  const { run, clock, signal } = context;
  try {
    await withTimeLimit(clock, lookMs, signal, `${runtime.name} did not answer`, (limited) =>
      runtime.inspect(run, [service.name], limited),
    );
    return undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    if (isArgusError(thrown)) return thrown.error;
    return untoldHealth(runtime, service, check, messageOf(thrown), context);
  }
}

/** That nobody knows whether a service is well, and why. */
export function untoldHealth(
  { name: runtime }: Pick<Runtime, 'name'>,
  { name: service }: Pick<ServiceSpec, 'name'>,
  check: HealthSpec,
  reason: string,
  { clock }: Pick<RunContext, 'clock'>,
): StructuredError {
  const message = `It could not be told whether ${service} is healthy: ${reason}`;
  const details = { service, runtime, check: describeCheck(check), reason };
  return structuredError<string, typeof details>(healthUnknown, { message, details }, clock.now());
}
