import { presentError } from '../kernel/present.js';
import { pause } from '../time/pause.js';
import { completed, type Stand, spanUntilNow } from './evidence/evidence-meanwhile.js';
import { gatherEvidence, outline } from './evidence/gather-evidence.js';
import type { Span } from './evidence/lines-within.js';
import { contextOf, type Guarded, type Watch } from './guarded.js';
import { beginning } from './incidents/beginning.js';
import { endIncident } from './incidents/end-incident.js';
import { attemptsOf, exhausted, type LastFailure, type LimitMet } from './incidents/give-up.js';
import type { Evidence, IncidentOutcome, OpenIncident } from './incidents/incident.js';
import { attemptRestart, unreachableMs } from './restart/attempt-restart.js';
import { backoff } from './restart/backoff.js';
import { whenItMayBeDisturbed } from './restart/when-it-may-be-disturbed.js';
import { whyNotRestart } from './restart/why-not-restart.js';
import { errorOf, type Failure, reasonOfFailure } from './watch/failure.js';
import { untilStable } from './watch/until-stable.js';

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
    const reason = kernel.redactor.text(reasonOfFailure(failure));
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
