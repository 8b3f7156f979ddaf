import { presentError } from '../kernel/present.js';
import { pause } from '../time/pause.js';
import { answerFailure } from './answer-failure.js';
import { gatherEvidence } from './evidence/gather-evidence.js';
import { contextOf, type Guarded, type Request, type Watch } from './guarded.js';
import { beginning } from './incidents/beginning.js';
import { closeIncident } from './incidents/close-incident.js';
import { endIncident } from './incidents/end-incident.js';
import type { IncidentOutcome, RestartRecord } from './incidents/incident.js';
import { askDependents } from './restart/ask-dependents.js';
import { unreachableMs } from './restart/attempt-restart.js';
import { restartService, untilReady } from './restart/restart-service.js';
import { reasonOfRestartWith, restartedWith } from './restart/restarted-with.js';
import { whenItMayBeDisturbed } from './restart/when-it-may-be-disturbed.js';
import { whyNotRestart } from './restart/why-not-restart.js';
import type { Failure } from './watch/failure.js';
import { lookUntilSeen } from './watch/look-until-seen.js';
import { untilStable } from './watch/until-stable.js';

/** Does what is asked of a service because one that it needs was restarted; gives how it stands then. */
export async function answerRequest(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<IncidentOutcome> {
  const { request } = guarded;
  if (!request) return 'recovered';
  // A restart is owed until it is made.
  if (request.action === 'verify') guarded.request = undefined;
  const failure =
    request.action === 'restart'
      ? await restartAlong(watch, guarded, request, signal)
      : await verify(watch, guarded, request, signal);
  return failure ? answerFailure(watch, guarded, { failure }, signal) : 'recovered';
}

async function verify(
  watch: Watch,
  guarded: Guarded,
  { path }: Request,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const failure = await untilReady(watch, guarded, signal);
  if (failure) return failure;
  const message = `still well after ${path.at(-1)} was restarted`;
  watch.kernel.events.emit('service_state', { service: guarded.name, state: 'kept', message });
  return undefined;
}

/** Restarts a service because it is configured to be restarted with another; that is no failure of its own. */
async function restartAlong(
  watch: Watch,
  guarded: Guarded,
  request: Request,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { kernel, book } = watch;
  const { clock, events } = kernel;
  const { service, runtime, name } = guarded;
  const error = presentError(kernel, restartedWith(name, request, clock.now()));
  const incident = beginning(watch, guarded, error);
  // It may be put off for long: whoever guards by then must know of it.
  await book.note(name, incident);
  await whenItMayBeDisturbed(watch, guarded, undefined, signal);
  // Not held: the watch is about to end, which the signal tells, and the next guardian makes the restart.
  while (!(await watch.mayAct())) await pause(clock, unreachableMs, signal);
  const seen: Failure = { kind: 'crash', state: await lookUntilSeen(watch, guarded, signal) };
  const leave = async (refusal: string) => {
    guarded.request = undefined;
    await endIncident(watch, guarded, incident, 'observed', { refusal });
    return undefined;
  };
  const refusal = whyNotRestart(kernel, guarded, seen);
  if (refusal !== undefined) return leave(refusal);
  guarded.standing.down();
  const evidence = await gatherEvidence(kernel, runtime, service, seen, contextOf(watch, signal));
  const other = request.path.at(-1) ?? '';
  const reason = reasonOfRestartWith(other);
  const record = { attempt: 1, at: clock.now(), reason, code: request.error.code, delayMs: 0, evidence };
  const told = (rest: Pick<RestartRecord, 'verdict' | 'durationMs'>) => ({
    ...incident,
    restarts: [{ ...record, ...rest }],
  });
  if (!(await book.takeAlong(name, reason, told({ verdict: 'pending' })))) return leave('storm-limit');
  events.emit('restart_attempt', { container: name, attempt: 1, reason, delay: 0, with: other });
  const begun = clock.monotonic();
  const restarted = await restartService(watch, guarded, signal);
  const durationMs = Math.round(clock.monotonic() - begun);
  const made = told({ verdict: restarted.is === 'ready' ? 'healthy' : 'failed', durationMs });
  if (restarted.is === 'failed') {
    // It is still being brought back, from now on because of its own failure.
    await closeIncident(watch, name, made, 'interrupted', {});
    return restarted.failure;
  }
  if (restarted.is === 'unreachable') {
    // Its runtime is down; when it is back, a look tells how the service is.
    await endIncident(watch, guarded, made, 'interrupted', {});
    return undefined;
  }
  await book.note(name, made);
  askDependents(watch, name, request.path, request.error);
  guarded.standing.up();
  events.emit('restart_success', { container: name, attempt: 1, duration: durationMs });
  const failure = await untilStable(watch, guarded, signal);
  await endIncident(watch, guarded, made, failure ? 'interrupted' : 'recovered', {});
  return failure;
}
