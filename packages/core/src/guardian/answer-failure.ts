import type { ServiceState } from '../environment/runtime.js';
import { presentError } from '../kernel/present.js';
import type { StructuredError } from '../model/error-code.js';
import { pause } from '../time/pause.js';
import { backoff } from './backoff.js';
import { endIncident } from './end-incident.js';
import { completed, type Stand, spanUntilNow } from './evidence-meanwhile.js';
import { errorOf, type Failure, reasonOf } from './failure.js';
import { gatherEvidence, outline } from './gather-evidence.js';
import { attemptsOf, exhausted, type LastFailure, type LimitMet } from './give-up.js';
import { contextOf, type Guarded, type Watch } from './guarded.js';
import type { Evidence, IncidentOutcome, OpenIncident, RestartRecord } from './incident.js';
import type { Span } from './lines-within.js';
import { whyNotRestart } from './may-restart.js';
import { currentFailure, nextFailure } from './next-failure.js';
import { repairService } from './repair-service.js';
import { isWell, restartService } from './restart-service.js';
import { whenItMayBeDisturbed } from './when-it-may-be-disturbed.js';

/** How long a runtime that is down is left alone before it is tried again, in milliseconds. */
const unreachableMs = 1_000;

/**
 * How far a restart that is to come at once is ahead of the reading of lines that it does not take away, in milliseconds: so
 * long an engine is busy with it.
 */
const headStartMs = 500;

/** What an incident begins with: a failure, or what another guardian has left of one. */
export interface Beginning {
  readonly failure?: Failure;
  readonly left?: OpenIncident;
}

/**
 * Does everything about a failure until the service is stable again, or until nothing more may be done. Evidence first, then
 * the delay, then the restart; a service that fails again before it is stable is the same incident.
 */
export async function answerFailure(
  watch: Watch,
  guarded: Guarded,
  { failure: first, left }: Beginning,
  signal: AbortSignal,
): Promise<IncidentOutcome> {
  const { kernel, book } = watch;
  const { container } = kernel.config.resilience;
  let incident = left;
  for (let failure = first ?? (await untilStable(watch, guarded, signal)); failure; ) {
    const noticedAt = kernel.clock.monotonic();
    const [attempts, isOver] = await Promise.all([book.attempts(guarded.name), watch.isOver()]);
    if (isOver) {
      // Whoever takes the run down ends its services, which is no failure. The watch is about to end, which the signal tells.
      await pause(kernel.clock, unreachableMs, signal);
      continue;
    }
    guarded.standing.down();
    guarded.isSuspect = false;
    const context = contextOf(watch, signal);
    const attempt = attempts + 1;
    const delayMs = backoff(attempt, container, kernel.random);
    const refusal = whyNotRestart(kernel, guarded, failure);
    const isAnswered = refusal === undefined && attempt <= container.maxRestarts;
    // A restart that is to come at once does not wait for lines that it does not take away, nor for a processor to read them.
    const isHasty = isAnswered && delayMs === 0 && failure.kind !== 'health' && guarded.runtime.keepsLines;
    const about = failure;
    // From the moment on at which a restart is begun, what is printed is not of the start that failed.
    let span: Span | undefined;
    const gather = () => gatherEvidence(kernel, guarded.runtime, guarded.service, about, context, span);
    const gathering = isHasty ? pause(kernel.clock, headStartMs, signal).then(gather) : gather();
    gathering.catch(() => undefined);

    const standOf = (evidence: Evidence): Stand => ({
      evidence,
      error: presentError(kernel, errorOf(about, guarded.name, watch.run, evidence)),
    });
    const stand = standOf(isHasty ? outline(kernel, guarded.service, failure) : await gathering);
    incident ??= beginning(watch, guarded, stand.error);
    const reason = kernel.redactor.text(reasonOf(failure));
    const giveUp = (limit: LimitMet['limit'], whole: Stand) =>
      stop(watch, guarded, incident ?? left, { ...whole, reason }, limit);
    if (refusal !== undefined)
      return endIncident(watch, guarded, incident, 'observed', { refusal, evidence: stand.evidence });
    if (!isAnswered) return giveUp('max-restarts', stand);

    kernel.events.emit('restart_attempt', { container: guarded.name, attempt, reason, delay: delayMs });
    // Unless the restart comes at once, which notes it too: it may be put off for long, and the guardian may end before it.
    if (!isHasty || guarded.service.dependsOn.length > 0) await book.note(guarded.name, incident);
    if (delayMs > 0) await pause(kernel.clock, delayMs, signal);
    const hasWaited = (await whenItMayBeDisturbed(watch, guarded, failure, signal)) || delayMs > 0;

    const record = { attempt, reason, code: stand.error.code, delayMs, evidence: stand.evidence };
    const state = hasWaited ? undefined : failure.state;
    const sinceMs = kernel.clock.monotonic() - noticedAt;
    span = spanUntilNow(kernel.clock, failure.state, guarded.endToldAt, sinceMs);
    const isUnwell = failure.kind === 'health';
    const next = await attemptRestart(watch, guarded, incident, record, signal, { state, isUnwell });
    const whole = isHasty ? standOf(await gathering) : stand;
    if ('limit' in next) return giveUp(next.limit, whole);
    incident = completed(next.incident, stand, whole);
    if (isHasty) await book.note(guarded.name, incident);
    failure = next.failure ?? (await untilStable(watch, guarded, signal));
  }
  return endIncident(watch, guarded, incident, 'recovered', {});
}

type Attempted =
  | { readonly incident: OpenIncident; readonly failure?: Failure }
  | { readonly limit: LimitMet['limit'] };

/**
 * Makes one attempt, and notes what became of it. A service that is not well is repaired, where plugins know how; when that
 * helps, it was the attempt, and the service is not restarted. A runtime that is down costs none. A service that was not seen just now may
 * be well again, and is left alone then.
 */
async function attemptRestart(
  watch: Watch,
  guarded: Guarded,
  incident: OpenIncident,
  known: Omit<RestartRecord, 'at' | 'verdict'>,
  signal: AbortSignal,
  { state: seen, isUnwell }: { readonly state: ServiceState | undefined; readonly isUnwell: boolean },
): Promise<Attempted> {
  const { kernel, book } = watch;
  const { clock, events } = kernel;
  for (let state = seen; ; state = undefined) {
    if (!state && (await isWell(watch, guarded, signal))) {
      guarded.standing.up();
      return { incident };
    }
    if (!(await watch.mayAct())) {
      // The watch is about to end, which the signal tells.
      await pause(clock, unreachableMs, signal);
      continue;
    }
    const begun = clock.monotonic();
    const at = clock.now();
    const withRecord = (
      attempt: number,
      rest: Pick<RestartRecord, 'verdict' | 'durationMs' | 'repaired' | 'withoutRestart'>,
    ) => ({
      ...incident,
      restarts: [...incident.restarts, { ...known, attempt, at, ...rest }],
    });
    const permission = await book.take(guarded.name, known.reason, (attempt) =>
      withRecord(attempt, { verdict: 'pending' }),
    );
    if (!permission.granted) return { limit: permission.limit };
    const { attempt } = permission;
    const repair = isUnwell ? await repairService(watch, guarded, signal) : undefined;
    const restarted = repair?.isWell
      ? ({ is: 'ready' } as const)
      : await restartService(watch, guarded, signal, repair ? undefined : state);
    if (restarted.is === 'unreachable') {
      await book.giveBack(guarded.name);
      await pause(clock, unreachableMs, signal);
      continue;
    }
    const durationMs = Math.round(clock.monotonic() - begun);
    const verdict = restarted.is === 'ready' ? 'healthy' : 'failed';
    const repaired = repair ? { repaired: [...repair.what] } : {};
    const withoutRestart = repair?.isWell ? { withoutRestart: true as const } : {};
    const next = withRecord(attempt, { verdict, durationMs, ...repaired, ...withoutRestart });
    if (repair?.isWell) await book.noteRepair(guarded.name, next);
    else await book.note(guarded.name, next);
    if (restarted.is === 'failed') return { incident: next, failure: restarted.failure };
    // Before anybody hears that all is well: those that go with it are not.
    askDependents(watch, guarded.name, [], incident.error);
    guarded.standing.up();
    const told = repair?.isWell ? repaired : {};
    events.emit('restart_success', { container: guarded.name, attempt, duration: durationMs, ...told });
    return { incident: next };
  }
}

/** Has those that need a service look whether they still work, or restarts them if they say so. */
export function askDependents(
  watch: Watch,
  name: string,
  before: readonly string[],
  error: StructuredError,
): void {
  const path = [...before, name];
  for (const guarded of watch.guarded) {
    if (path.includes(guarded.name)) continue;
    const { restartWith, dependsOn } = guarded.service;
    if (restartWith.includes(name)) guarded.ask({ action: 'restart', path, error });
    else if (dependsOn.includes(name)) guarded.ask({ action: 'verify', path, error });
  }
}

/** Waits for a failure for as long as the stability window is; nothing when there was none, and a last look agrees. */
export async function untilStable(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const failure = await failureInWindow(watch, guarded, signal);
  if (guarded.request?.action === 'verify') guarded.request = undefined;
  if (guarded.request) guarded.news.tell();
  // What was told at the very end has woken somebody who does not wait any more.
  return failure ?? currentFailure(watch, guarded, signal);
}

async function failureInWindow(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { clock, config } = watch.kernel;
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const stable = pause(clock, config.resilience.container.stabilityWindow, both);
  stable.catch(() => undefined);
  try {
    for (;;) {
      const failing = nextFailure(watch, guarded, both);
      failing.catch(() => undefined);
      const news = await Promise.race([failing, stable]);
      // What another service asks for waits until it is known how this one is.
      if (news !== 'request') return news ?? undefined;
    }
  } finally {
    stop.abort();
  }
}

/** An incident that begins now. */
export function beginning(
  { run, kernel, suites }: Watch,
  { name }: Guarded,
  error: StructuredError,
): OpenIncident {
  const suite = suites?.running ?? undefined;
  return {
    ...{ service: name, runId: run.id, startedAt: kernel.clock.now(), error, restarts: [] },
    ...(suite === undefined ? {} : { suite }),
  };
}

async function stop(
  watch: Watch,
  guarded: Guarded,
  incident: OpenIncident | undefined,
  last: LastFailure,
  limit: LimitMet['limit'],
): Promise<IncidentOutcome> {
  const { kernel, book } = watch;
  const { stormLimit } = kernel.config.resilience.container;
  const known = incident ?? beginning(watch, guarded, last.error);
  const counted = await book.counted(guarded.name);
  const met: LimitMet =
    limit === 'storm-limit'
      ? { limit, stormLimit, counted }
      : { limit, attempts: await book.attempts(guarded.name), counted };
  const error = presentError(kernel, exhausted(known, last, met));
  kernel.events.emit('restart_exhausted', { container: guarded.name, attempts: attemptsOf(met) });
  const { evidence } = last;
  return endIncident(watch, guarded, { ...known, error }, 'exhausted', { evidence, refusal: limit });
}
