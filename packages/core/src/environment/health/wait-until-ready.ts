import { formatSize } from '../../config/size.js';
import { ArgusError, thrownAs } from '../../model/argus-error.js';
import type { JsonObject } from '../../model/json.js';
import { messageOf } from '../../model/message-of.js';
import { containerOom, healthCheckTimeout } from '../../model/service-error-codes.js';
import { serviceStartFailed } from '../../model/start-error-codes.js';
import { suggesting } from '../../model/suggesting.js';
import { pause } from '../../time/pause.js';
import type { RunContext, Runtime, ServiceState } from '../runtime.js';
import { configKey } from '../services/config-key.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import type { Diagnosis } from './diagnose.js';
import { missingVariable } from './missing-variable.js';
import { ownCheckOf } from './own-check.js';
import { describeCheck, type ProbeResult } from './probe.js';

/** What waiting for a service needs. */
export interface Waiting {
  readonly service: ServiceSpec;
  readonly runtime: Runtime;
  readonly context: RunContext;
  /** How the service is now. Looks for several services are made in one. */
  look(): Promise<ServiceState>;
  /** Tries its health check once. */
  probe(check: HealthSpec): Promise<ProbeResult>;
  /** Resolves when nothing has been started for so long; left out, the service has run for long already. */
  settled?(ms: number): Promise<void>;
  /** What it has to know of its ports and may have missed, in words that go on after a failure. */
  readonly hint?: string | undefined;
  /** What else there is to know of it when it does not become healthy; left out, somebody else asks. */
  diagnose?(): Promise<Diagnosis>;
}

/** The health check of a service that names none: a process with a port is ready when the port answers. */
const defaultCheck = { interval: 1_000, timeout: 5_000, retries: 10, startPeriod: 10_000 };

/** How long a service must have run when nothing else tells whether it is well: most that cannot run end sooner. */
const settleMs = 100;

/** For how long nothing must have been started before somebody looks. Until a start is told as over, most of it has run for as long. */
const calmMs = 50;

/** How long services that are being started may keep others from being looked at. */
const patienceMs = 3_000;

/** How many of the last outputs of a health check, and lines of a service, an error carries. */
const kept = { outputs: 5, lines: 100 };

/** Waits until a service is ready: healthy, or done if it is a one-shot. Throws when it ends or never gets there. */
export async function waitUntilReady(waiting: Waiting): Promise<void> {
  const { service } = waiting;
  if (service.oneShot) return waitUntilDone(waiting);
  const check = checkOf(service);
  return check ? waitUntilHealthy(waiting, check) : waitForOwnHealth(waiting);
}

/** The health check that argus itself makes of a service; nothing when only its image can tell, or nobody. */
export function checkOf({ healthcheck, image, ports }: ServiceSpec): HealthSpec | undefined {
  const tcp = ports.find(({ protocol }) => protocol === 'tcp');
  return healthcheck ?? (image === undefined && tcp ? { ...defaultCheck, tcp: tcp.container } : undefined);
}

/** What makes a service ready, in a few words; nothing when that is not known before it runs. */
export function awaitedOf(service: ServiceSpec): string | undefined {
  if (service.oneShot) return 'it to end';
  const check = checkOf(service);
  return check && describeCheck(check);
}

/**
 * Polls the service's health check. What happens in the start period does not count. That nobody could look is no failure of the
 * service, but nobody waits for ever for one who can.
 */
async function waitUntilHealthy(waiting: Waiting, check: HealthSpec): Promise<void> {
  const { clock, signal } = waiting.context;
  const begun = clock.monotonic();
  const outputs: string[] = [];
  let failures = 0;
  let untold = 0;
  for (let tries = 1; ; tries++) {
    const result = await waiting.probe(check);
    const { healthy, output, unknown } = result;
    signal.throwIfAborted();
    if (healthy) return;
    if (!unknown) outputs.push(output);
    await refuseIfEnded(waiting);
    if (clock.monotonic() - begun >= check.startPeriod) {
      if (unknown) untold++;
      else failures++;
    }
    if (unknown && untold >= check.retries) throw thrownAs(unknown);
    if (failures >= check.retries)
      throw await timedOut(waiting, describeCheck(check), tries, outputs, result);
    await pause(clock, pauseBefore(tries + 1, check.interval), signal);
  }
}

/** The image's own health check decides; without one, a service that has run for a moment is ready. */
async function waitForOwnHealth(waiting: Waiting): Promise<void> {
  const { clock, signal } = waiting.context;
  const begun = clock.monotonic();
  // A look takes its time from those that are being started, and one that has just begun has nothing to tell yet.
  if (waiting.settled) await Promise.race([waiting.settled(calmMs), pause(clock, patienceMs, signal)]);
  for (let tries = 1; ; tries++) {
    const state = await refuseIfEnded(waiting);
    const { health, startedAt = clock.now() } = state;
    signal.throwIfAborted();
    if (health === 'healthy') return;
    // The runtime's clock may be another machine's.
    const ranMs = Math.max(clock.now() - startedAt, clock.monotonic() - begun);
    if (health === undefined && ranMs >= settleMs) return;
    if (health === 'unhealthy') {
      const { check, tries: failed, outputs } = ownCheckOf(state);
      throw await timedOut(waiting, check, failed, outputs);
    }
    const pauseMs = health === undefined ? settleMs - ranMs : pauseBefore(tries + 1, 500);
    await pause(clock, pauseMs, signal);
  }
}

async function waitUntilDone(waiting: Waiting): Promise<void> {
  const { clock, signal } = waiting.context;
  for (let tries = 1; ; tries++) {
    const state = await waiting.look();
    signal.throwIfAborted();
    if (state.status === 'exited' && state.exitCode === 0) return;
    if (state.status !== 'running') throw await ended(waiting, state);
    await pause(clock, pauseBefore(tries + 1, 500), signal);
  }
}

/** Quick at first, because most services are up in no time, then at the interval that was asked for. */
function pauseBefore(attempt: number, intervalMs: number): number {
  return Math.min(intervalMs, 25 * 2 ** Math.min(attempt, 10));
}

async function refuseIfEnded(waiting: Waiting): Promise<ServiceState> {
  const state = await waiting.look();
  if (state.status !== 'running') throw await ended(waiting, state);
  return state;
}

/** The error of a service that is not there any more. */
export async function ended(
  waiting: Pick<Waiting, 'service' | 'runtime' | 'context' | 'hint'>,
  state: ServiceState,
): Promise<ArgusError> {
  const { name } = waiting.service;
  const exitCode = state.exitCode ?? null;
  const lines = await lastLines(waiting);
  if (state.oomKilled) return outOfMemory(waiting, state, lines);
  return new ArgusError(serviceStartFailed, {
    message: `${name} ended with exit code ${exitCode ?? 'unknown'} before it was ready${hinted(waiting)}`,
    details: { service: name, ...whyEnded(waiting.service, exitCode, lines), exitCode, lines },
  });
}

/** Why a service ended, and what in the configuration that depends on. */
function whyEnded(service: ServiceSpec, exitCode: number | null, lines: readonly string[]) {
  if (exitCode === 0) {
    const key = configKey(service, 'oneShot');
    const where = { key, effect: 'taken for one that must not end', to: true };
    return { reason: 'ended-well', where } as const;
  }
  const variable = missingVariable(lines, service.environment);
  if (variable === undefined) return { reason: 'exited' } as const;
  const where = { key: configKey(service, 'environment', variable), effect: `it runs without ${variable}` };
  return { reason: 'variable-missing', where } as const;
}

function hinted({ hint }: Pick<Waiting, 'hint'>): string {
  return hint === undefined ? '' : `; ${hint}`;
}

function outOfMemory(
  { service, context }: Pick<Waiting, 'service' | 'context'>,
  { exitCode, endedAt, memory, id, details = {} }: ServiceState,
  lines: string[],
): ArgusError {
  const memoryLimit = memory?.limit ?? service.memory ?? null;
  const limit = memoryLimit === null ? '' : `; its limit is ${formatSize(memoryLimit)}`;
  return new ArgusError(containerOom, {
    message: `${service.name} ran out of memory before it was ready${limit}`,
    details: {
      service: service.name,
      runId: context.run.id,
      exitCode: exitCode ?? null,
      lines,
      finishedAt: endedAt ?? null,
      memoryLimit,
      memoryPeak: memoryLimit,
      ...(typeof details.container === 'string' ? { container: details.container } : {}),
      ...(id === undefined ? {} : { id }),
    },
  });
}

async function timedOut(
  waiting: Waiting,
  check: string,
  tries: number,
  outputs: readonly string[],
  result?: ProbeResult,
): Promise<ArgusError> {
  const { name } = waiting.service;
  const told = equalOnce(outputs.slice(-kept.outputs));
  const last = told.at(-1);
  const [lines, known] = await Promise.all([lastLines(waiting), waiting.diagnose?.()]);
  return new ArgusError(suggesting(healthCheckTimeout, known?.actions ?? []), {
    message: [
      `${name} did not become healthy: ${last ?? check}${hinted(waiting)}`,
      ...(known?.reasons ?? []),
    ].join('; '),
    details: {
      service: name,
      ...(result ? whyUnhealthy(waiting.service, result) : {}),
      check,
      tries,
      outputs: told,
      lines,
      ...(known ? { diagnosis: asDetails(known) } : {}),
    },
  });
}

/** Texts with those that follow an equal one only counted: `GET /health answered 404 (5 times)`. */
function equalOnce(texts: readonly string[]): string[] {
  const groups: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = groups.at(-1);
    if (last?.text === text) last.count += 1;
    else groups.push({ text, count: 1 });
  }
  return groups.map(({ text, count }) => (count === 1 ? text : `${text} (${count} times)`));
}

/** Why a health check fails, and where it is configured. */
function whyUnhealthy(service: ServiceSpec, { answered, isNowhere }: ProbeResult) {
  const { http, tcp } = service.healthcheck ?? {};
  const asked = http !== undefined ? 'http' : tcp !== undefined ? 'tcp' : 'command';
  const key = service.healthcheck ? configKey(service, 'healthcheck', asked) : configKey(service, 'ports');
  if (isNowhere) return { reason: 'no-such-path', where: { key, effect: 'asked there' } } as const;
  return { reason: answered ? 'unwell' : 'no-answer', where: { key } } as const;
}

/** A diagnosis as the details of an error have it. */
function asDetails({ parts, gap }: Pick<Diagnosis, 'parts' | 'gap'>): JsonObject {
  return { ...parts, ...(gap === undefined ? {} : { gap }) };
}

/** What the service printed last. An error without it is better than another error in its place. */
async function lastLines({
  service,
  runtime,
  context,
}: Pick<Waiting, 'service' | 'runtime' | 'context'>): Promise<string[]> {
  const lines: string[] = [];
  try {
    const query = { services: [service.name], tail: kept.lines, follow: false };
    for await (const { text } of runtime.logs(context.run, query, context.signal)) lines.push(text);
  } catch (thrown) {
    lines.push(`(the log could not be read: ${messageOf(thrown)})`);
  }
  return lines.slice(-kept.lines);
}
