import { probeService } from '../../environment/health/probe-service.js';
import { refuseStrangers, strangersAt } from '../../environment/health/strangers.js';
import { waitForItself } from '../../environment/health/wait-for-itself.js';
import { checkOf } from '../../environment/health/wait-until-ready.js';
import type { ServiceState } from '../../environment/runtime.js';
import type { HealthSpec } from '../../environment/services/service-spec.js';
import { isArgusError } from '../../model/argus-error.js';
import { isErrorOf } from '../../model/error-code.js';
import { isOutage } from '../../model/is-outage.js';
import { healthCheckTimeout } from '../../model/service-error-codes.js';
import { portConflict } from '../../model/start-error-codes.js';
import { toStructuredError } from '../../model/to-structured-error.js';
import { systemClock } from '../../time/clock.js';
import { limitedSignal } from '../../time/limited-signal.js';
import { pause } from '../../time/pause.js';
import { contextOf, type Guarded, type Watch } from '../guarded.js';
import type { Failure } from '../watch/failure.js';
import { lookUntilSeen } from '../watch/look-until-seen.js';
import { currentFailure } from '../watch/next-failure.js';
import { takenOver } from '../watch/until-taken-over.js';

/** How long it may take to remove what was started for nothing, in milliseconds. */
const takeBackMs = 30_000;

/** What became of an attempt to start a service again. `unreachable`: its runtime is down, so it was no attempt at all. */
export type Restarted =
  | { readonly is: 'ready' }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'unreachable' };

/**
 * Starts a service again in its place, ends it first if it still runs, and waits until it is ready. How it is may be known
 * from a moment ago.
 */
export async function restartService(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
  known?: ServiceState,
): Promise<Restarted> {
  const { kernel, run } = watch;
  const { service, runtime, note, name } = guarded;
  const context = contextOf(watch, signal);
  try {
    const before = known ?? (await lookUntilSeen(watch, guarded, signal));
    const graceMs = kernel.config.environment.stopTimeout;
    if (before.status === 'running') await runtime.stop(run, [name], { graceMs, signal });
    // Whatever was asked until now, this restart does.
    guarded.request = undefined;
    guarded.restarted(kernel.clock.monotonic());
    const { gateways } = note;
    await runtime.start(service, note.spec, gateways ? { ...context, gateways } : context);
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toStructuredError(thrown, kernel.clock.now());
    // Nothing works until that is solved, and it is no fault of the service.
    if (isOutage(error)) return { is: 'unreachable' };
    const state = await lookUntilSeen(watch, guarded, signal);
    return { is: 'failed', failure: { kind: 'crash', state, why: error.message } };
  }
  guarded.restarted(kernel.clock.monotonic());
  await takeBackIfOver(watch, guarded);
  const failure = await untilReady(watch, guarded, signal);
  return failure ? { is: 'failed', failure } : { is: 'ready' };
}

/** Waits until a service is ready; gives the failure when it does not get there. */
export async function untilReady(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { kernel, ports } = watch;
  const { service, runtime } = guarded;
  const context = contextOf(watch, signal);
  const ask = probeService(kernel, service, ports, context);
  // What the image's own check says comes from inside, where somebody answers.
  let answers = checkOf(service) === undefined;
  const probe = async (check: HealthSpec) => {
    await guarded.reach.back(signal);
    const result = await ask(check);
    if (result.unknown) guarded.reach.lost();
    answers = result.answered === true;
    return result;
  };
  const look = () => lookUntilSeen(watch, guarded, signal);
  const settled = (ms: number) => pause(kernel.clock, ms, signal);
  for (;;) {
    try {
      const waiting = { service, runtime, context, look, probe, settled };
      await waitForItself(waiting, () =>
        refuseStrangers(kernel, watch.run, published(watch, guarded), signal),
      );
      guarded.beganAt = undefined;
      return undefined;
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = await failureOfWait(watch, guarded, thrown, answers, signal);
      if (failure) return failure;
      await pause(kernel.clock, 500, signal);
    }
  }
}

/** What an error of the wait means for the service, which answered the last try or not; nothing when it means nothing. */
async function failureOfWait(
  watch: Watch,
  guarded: Guarded,
  thrown: unknown,
  answers: boolean,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const error = isArgusError(thrown) ? thrown.error : undefined;
  if (isErrorOf(error, portConflict)) {
    return takenOver(await lookUntilSeen(watch, guarded, signal), error.message);
  }
  if (!isErrorOf(error, healthCheckTimeout)) return currentFailure(watch, guarded, signal);
  const state = await lookUntilSeen(watch, guarded, signal);
  const { check, tries, outputs } = error.details;
  return { kind: 'health', state, check, tries, outputs, answers: answers && !state.paused };
}

/** Whether a service works at this moment: it runs, and its health check agrees. While nobody can tell, it asks again. */
export async function isWell(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<boolean> {
  const check = checkOf(guarded.service);
  const context = contextOf(watch, signal);
  for (;;) {
    if (await currentFailure(watch, guarded, signal)) return false;
    if (!check || guarded.service.oneShot) return true;
    const probe = probeService(watch.kernel, guarded.service, watch.ports, context);
    const { healthy, unknown } = await probe(check);
    if (!unknown) {
      const { kernel, run } = watch;
      if (!healthy) return false;
      return (await strangersAt(kernel, run, published(watch, guarded), signal)).strangers.length === 0;
    }
    guarded.reach.lost();
  }
}

function published({ ports }: Watch, { service, name }: Guarded) {
  return [{ service, ports: ports.of(name) }];
}

/** A run that was taken down at this very moment must not get a service back that nobody will remove. */
async function takeBackIfOver({ run, isOver }: Watch, { runtime, name }: Guarded): Promise<void> {
  if (!(await isOver())) return;
  // Not the caller's signal: that the run is over may be why it aborts.
  const { signal, release } = limitedSignal(systemClock, takeBackMs);
  try {
    const resources = await runtime.resources({ project: run.project, runId: run.id }, signal);
    const own = resources.filter(({ service }) => service === name);
    if (own.length > 0) await runtime.remove(own, { graceMs: 0, signal });
  } finally {
    release();
  }
}
