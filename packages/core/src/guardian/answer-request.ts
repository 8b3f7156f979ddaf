import { answerFailure, askDependents, untilStable } from './answer-failure.js';
import { endIncident } from './end-incident.js';
import type { Failure } from './failure.js';
import { gatherEvidence } from './gather-evidence.js';
import { contextOf, type Guarded, type Request, type Watch } from './guarded.js';
import type { IncidentOutcome, OpenIncident } from './incident.js';
import { lookUntilSeen } from './look-until-seen.js';
import { whyNotRestart } from './may-restart.js';
import { restartService, untilReady } from './restart-service.js';
import { whenItMayBeDisturbed } from './when-it-may-be-disturbed.js';

/** Does what is asked of a service because one that it needs was restarted; gives how it stands then. */
export async function answerRequest(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<IncidentOutcome> {
  const { request } = guarded;
  guarded.request = undefined;
  if (!request) return 'recovered';
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
  { path, error }: Request,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { kernel, book, run } = watch;
  const { clock, events } = kernel;
  const state = await lookUntilSeen(watch, guarded, signal);
  const seen: Failure = { kind: 'crash', state };
  const reason = `restarted with ${path.at(-1)}`;
  await whenItMayBeDisturbed(watch, guarded, undefined, signal);
  const incident: OpenIncident = {
    service: guarded.name,
    runId: run.id,
    startedAt: clock.now(),
    error,
    restarts: [],
  };
  const refusal = whyNotRestart(kernel, guarded, seen);
  if (refusal !== undefined || !(await watch.mayAct())) {
    await endIncident(watch, guarded, incident, 'observed', {
      refusal: refusal ?? 'another guardian has taken over',
    });
    return undefined;
  }
  if (!(await book.takeAlong(guarded.name))) {
    await endIncident(watch, guarded, incident, 'observed', { refusal: 'storm-limit' });
    return undefined;
  }
  const { service, runtime, name } = guarded;
  guarded.standing.down();
  events.emit('restart_attempt', { container: name, attempt: 1, reason, delay: 0 });
  const evidence = await gatherEvidence(kernel, runtime, service, seen, contextOf(watch, signal));
  const begun = clock.monotonic();
  const record = { attempt: 1, at: clock.now(), reason, code: error.code, delayMs: 0, evidence };
  const restarted = await restartService(watch, guarded, signal);
  guarded.standing.up();
  const durationMs = Math.round(clock.monotonic() - begun);
  const verdict = restarted.is === 'ready' ? ('healthy' as const) : ('failed' as const);
  const told = { ...incident, restarts: [{ ...record, verdict, durationMs }] };
  if (restarted.is === 'failed') {
    await endIncident(watch, guarded, told, 'interrupted', {});
    return restarted.failure;
  }
  if (restarted.is === 'unreachable') {
    // Its runtime is down; when it is back, a look tells how the service is.
    await endIncident(watch, guarded, told, 'interrupted', {});
    return undefined;
  }
  events.emit('restart_success', { container: name, attempt: 1, duration: durationMs });
  askDependents(watch, name, path, error);
  const failure = await untilStable(watch, guarded, signal);
  await endIncident(watch, guarded, told, failure ? 'interrupted' : 'recovered', {});
  return failure;
}
