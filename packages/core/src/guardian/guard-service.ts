import { checkOf } from '../environment/health/wait-until-ready.js';
import { messageOf } from '../model/message-of.js';
import { firstOf } from '../time/first-of.js';
import { pause } from '../time/pause.js';
import { answerFailure } from './answer-failure.js';
import { answerRequest } from './answer-request.js';
import type { Guarded, Watch } from './guarded.js';
import { endIncident } from './incidents/end-incident.js';
import type { IncidentOutcome, OpenIncident } from './incidents/incident.js';
import { pendingOf, withMadeRestart } from './incidents/pending-restarts.js';
import { isWell } from './restart/restart-service.js';
import { owedRestart } from './restart/restarted-with.js';
import { lookUntilSeen } from './watch/look-until-seen.js';
import { nextFailure } from './watch/next-failure.js';
import { untilStable } from './watch/until-stable.js';

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
      const message = `could not be guarded: ${messageOf(thrown)}`;
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
  const interval = checkOf(guarded.service)?.interval ?? lookMs;
  await firstOf(
    signal,
    (both) => guarded.news.next(both),
    (both) => pause(watch.kernel.clock, interval, both),
  );
}
