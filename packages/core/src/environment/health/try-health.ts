import type { Kernel } from '../../kernel/kernel.js';
import { lookAtRecorded } from '../looks/look-recorded.js';
import { asIn, KnownPorts } from '../ports/known-ports.js';
import type { RunRecord } from '../runs/run-record.js';
import { asStarted } from '../services/as-started.js';
import { environmentOf } from '../services/environment-of.js';
import { runtimeOf } from '../services/runtime-of.js';
import type { HealthSpec, ServiceSpec } from '../services/service-spec.js';
import { describeCheck, type ProbeResult } from './probe.js';
import { probeService, untoldHealth } from './probe-service.js';
import { describeStranger, strangerCheck, strangerError, strangersAt, unlookedError } from './strangers.js';

/** What it takes to try health checks. */
export type HealthParts = Pick<Kernel, 'config' | 'project' | 'runtimes' | 'events' | 'clock' | 'redactor'>;

/** A service that runs, with its health check and the ports that it has. */
interface Tried {
  readonly service: ServiceSpec;
  readonly healthcheck: HealthSpec | undefined;
  readonly ports: ServiceSpec['ports'];
}

/**
 * Tries the health check of a service once. It is not well, whatever is answered, when somebody else has its port, and nobody knows how it
 * is where nobody could look; where it has no health check, that is all that there is to be told.
 */
export async function tryOnce(
  parts: Omit<HealthParts, 'config'>,
  { service, healthcheck, ports }: Tried,
  run: RunRecord,
  signal: AbortSignal,
): Promise<ProbeResult | undefined> {
  const { project, events, clock } = parts;
  const context = { run, project, services: [service], events, clock, signal };
  const known = new KnownPorts([{ name: service.name, ports }]);
  const result = healthcheck && (await probeService(parts, service, known, context)(healthcheck));
  if (result?.unknown) return result;
  const { strangers, unlooked } = await strangersAt(parts, run, [{ service, ports }], signal);
  const [[stranger], [blind]] = [strangers, unlooked];
  if (stranger) {
    const { error: conflict } = strangerError(stranger);
    return { healthy: false, answered: true, conflict, output: describeStranger(stranger) };
  }
  if (!blind || result?.healthy === false) return result;
  const output = `nobody could look who listens on its ports: ${blind.reason}`;
  return { healthy: false, unknown: unlookedError(parts, blind), output };
}

/** What a health check that the configuration asks for came to, and what it was in a few words. */
export interface TriedHealth extends ProbeResult {
  readonly check: string;
}

/** How long a checker gives the health check of one service, in milliseconds, whatever that may take for those who wait for the service. */
const patienceMs = 5_000;

/** How long a checker that tries health checks may take: longer than one of them and a look at its runtime, so that one that hangs hides no other. */
export const triedWithinMs = patienceMs + 3_500;

/**
 * Tries the health checks of all services of a run that run on one runtime, each once and all together, as a status does. Of one
 * that does not run or is paused there is nothing to try, nor of one that the configuration wants elsewhere by now.
 */
export async function tryHealth(
  parts: HealthParts,
  run: RunRecord,
  runtime: string,
  signal: AbortSignal,
): Promise<Map<string, TriedHealth>> {
  const configured = environmentOf(parts.config, parts.project).services;
  const isChecked = ({ name, healthcheck, ports }: ServiceSpec) =>
    healthcheck !== undefined || ports.length > 0 ? run.services[name]?.runtime === runtime : false;
  if (!configured.some(isChecked)) return new Map();
  const sights = await lookAtRecorded(parts, { ...run, services: askedFor(run, runtime) }, signal);
  signal.throwIfAborted();
  const tried = asStarted(configured, run, sights).flatMap((service): Tried[] => {
    const { name, healthcheck } = service;
    const sight = sights.get(name);
    if (!isChecked(service) || runtimeOf(parts, service).name !== runtime) return [];
    if (!sight || 'failure' in sight || sight.status !== 'running' || sight.paused) return [];
    const noted = run.services[name]?.ports ?? [];
    return [{ service, healthcheck, ports: sight.ports ? asIn(noted, sight.ports) : noted }];
  });
  const results = await Promise.all(
    tried.map(async (one): Promise<[string, TriedHealth][]> => {
      const result = await tryPatiently(parts, one, run, signal);
      const check = one.healthcheck ? describeCheck(one.healthcheck) : strangerCheck;
      return result ? [[one.service.name, { ...result, check }]] : [];
    }),
  );
  return new Map(results.flat());
}

/** Tries a health check for as long as a checker can wait. One that may take longer and has not failed by then says nothing. */
async function tryPatiently(
  parts: HealthParts,
  tried: Tried,
  run: RunRecord,
  signal: AbortSignal,
): Promise<ProbeResult | undefined> {
  const { service, healthcheck } = tried;
  const { clock } = parts;
  if (!healthcheck) return tryOnce(parts, tried, run, signal);
  const started = clock.monotonic();
  const timeout = Math.min(healthcheck.timeout, patienceMs);
  const result = await tryOnce(parts, { ...tried, healthcheck: { ...healthcheck, timeout } }, run, signal);
  const isCut = healthcheck.timeout > timeout && clock.monotonic() - started >= timeout;
  if (!result || result.healthy || result.answered || result.unknown || !isCut) return result;
  const reason = `${result.output}, and it may take ${healthcheck.timeout} ms`;
  return {
    ...result,
    unknown: untoldHealth(runtimeOf(parts, service), service, healthcheck, reason, { clock }),
  };
}

/**
 * The services that have to be looked at: those of the runtime, and of others those with a port that nobody has noted, which a
 * health check may name. A runtime that hangs must not keep the services of another from being tried.
 */
function askedFor({ services }: RunRecord, runtime: string): RunRecord['services'] {
  const isAsked = ({ runtime: on, ports }: RunRecord['services'][string]) =>
    on === runtime || ports.some(({ host }) => host === null);
  return Object.fromEntries(Object.entries(services).filter(([, noted]) => isAsked(noted)));
}
