import { checkOf } from '../environment/health/wait-until-ready.js';
import { pause } from '../time/pause.js';
import { answerFailure, untilStable } from './answer-failure.js';
import { answerRequest } from './answer-request.js';
import { endIncident } from './end-incident.js';
import type { Guarded, Watch } from './guarded.js';
import type { IncidentOutcome, OpenIncident } from './incident.js';
import { lookUntilSeen } from './look-until-seen.js';
import { nextFailure } from './next-failure.js';
import { pendingOf, withMadeRestart } from './pending-restarts.js';
import { isWell } from './restart-service.js';
import { owedRestart } from './restarted-with.js';

/** How long the guard of a service rests after something went wrong with guarding itself, in milliseconds. */
const restMs = 1_000;

/** How often a service that nobody restarts is looked at when it has no health check. */
const lookMs = 5_000;

/** Guards one service until the signal aborts. What goes wrong with guarding must not end it. */
export async function guardService(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  const { clock, events } = watch.kernel;
  while (!signal.aborted) {
    try {
      await guardOn(watch, guarded, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      const message = `could not be guarded: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      events.emit('service_state', { service: guarded.name, state: 'failed', message });
      guarded.standing.up();
      guarded.news.tell();
      await pause(clock, restMs, signal).catch(() => undefined);
    }
  }
}

async function guardOn(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  const { book } = watch;
  const { attempts, isGivenUp, left: before, lost } = await book.open(guarded.name, guarded.note.startedAt);
  const left = before && (await settled(before));
  // A setup has started the service since: whatever it was, it is no more.
  if (lost) await endIncident(watch, guarded, lost, 'interrupted', {});
  const owed = left && owedRestart(left);
  if (owed) guarded.ask(owed);
  else if (left) await comeBackUnless(await answerFailure(watch, guarded, { left }, signal));
  // Whoever gave it up has told of it.
  else if (isGivenUp) await comeBackUnless('exhausted');
  // It was restarted before, by a guardian that is gone: until it is stable, those restarts count.
  else if (attempts > 0) await comeBackUnless(await prove());
  for (;;) {
    const failure = await nextFailure(watch, guarded, signal);
    if (failure !== 'request') await comeBackUnless(await answerFailure(watch, guarded, { failure }, signal));
    else await comeBackUnless(await answerRequest(watch, guarded, signal));
  }

  /** A service that was not brought back must be well by itself and prove it before anything counts anew. */
  async function comeBackUnless(answered: IncidentOutcome): Promise<void> {
    for (let outcome = answered; outcome !== 'recovered'; outcome = await prove()) {
      guarded.isLeft = true;
      while (!(await isWell(watch, guarded, signal))) await untilNews(watch, guarded, signal);
      guarded.isLeft = false;
      guarded.isSuspect = false;
    }
  }

  /** A restart that a guardian had begun before it died was made or not, which a look tells. */
  async function settled(incident: OpenIncident): Promise<OpenIncident> {
    if (pendingOf(incident) === 0) return incident;
    const { startedAt } = await lookUntilSeen(watch, guarded, signal);
    const known = withMadeRestart(incident, startedAt);
    await book.note(guarded.name, known);
    return known;
  }

  async function prove(): Promise<IncidentOutcome> {
    const failure = await untilStable(watch, guarded, signal);
    if (failure) return answerFailure(watch, guarded, { failure }, signal);
    await book.settle(guarded.name);
    return 'recovered';
  }
}

async function untilNews(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const interval = checkOf(guarded.service)?.interval ?? lookMs;
  try {
    const ways = [guarded.news.next(both), pause(watch.kernel.clock, interval, both)];
    for (const way of ways) way.catch(() => undefined);
    await Promise.race(ways);
  } finally {
    stop.abort();
  }
}
