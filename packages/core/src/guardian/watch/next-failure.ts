import { describeCheck } from '../../environment/health/probe.js';
import { probeService } from '../../environment/health/probe-service.js';
import { checkOf } from '../../environment/health/wait-until-ready.js';
import type { ServiceState } from '../../environment/runtime.js';
import { firstOf } from '../../time/first-of.js';
import { pause } from '../../time/pause.js';
import { contextOf, type Guarded, type Watch } from '../guarded.js';
import { type Failure, failureOf } from './failure.js';
import { lookUntilSeen } from './look-until-seen.js';
import { untilTakenOver } from './until-taken-over.js';

/** How many outputs of a health check are kept. */
const keptOutputs = 5;

/** Waits for the next failure of a service, or for something that another service asks of it. */
export async function nextFailure(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | 'request'> {
  return firstOf<Failure | 'request'>(
    signal,
    (both) => untilTold(watch, guarded, both),
    (both) => untilUnwell(watch, guarded, both),
    (both) => untilTakenOver(watch, guarded, both),
  );
}

/** What is wrong with a service now, by the runtime's word. */
export async function currentFailure(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  return failureSeenIn(guarded, await lookUntilSeen(watch, guarded, signal));
}

/** What it means how a service was seen to be. */
export function failureSeenIn(
  { service, oomAt, isOomOld }: Guarded,
  state: ServiceState,
): Failure | undefined {
  return failureOf(service, state, { oomAt, isOomOld, heedsHealth: checkOf(service) === undefined });
}

/** The runtime tells that something happened; what, a look decides where the word is not enough, so that nothing counts twice. */
async function untilTold(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<Failure | 'request'> {
  for (;;) {
    await guarded.news.next(signal);
    const told = guarded.toldState();
    const failure = told ? failureSeenIn(guarded, told) : await currentFailure(watch, guarded, signal);
    if (failure) return failure;
    guarded.isSuspect = false;
    if (guarded.request) return 'request';
  }
}

/** Tries the health check of a service at its interval, until it has failed so often in a row as it may not. */
async function untilUnwell(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<Failure> {
  const { clock } = watch.kernel;
  const { service } = guarded;
  const check = checkOf(service);
  if (!check || service.oneShot) return new Promise<never>(() => undefined);
  const probe = probeService(watch.kernel, service, watch.ports, contextOf(watch, signal));
  const outputs: string[] = [];
  let failures = 0;
  for (;;) {
    await pause(clock, check.interval, signal);
    await guarded.reach.back(signal);
    const { healthy, output, answered = false, unknown = false } = await probe(check);
    signal.throwIfAborted();
    // That nobody could look says nothing about the service, neither for nor against it.
    if (unknown) {
      guarded.reach.lost();
      continue;
    }
    if (healthy) guarded.beganAt = undefined;
    const { beganAt } = guarded;
    const isBeginning = beganAt !== undefined && clock.monotonic() - beganAt < check.startPeriod;
    failures = healthy || isBeginning ? 0 : failures + 1;
    if (failures === 0) outputs.length = 0;
    else outputs.push(output);
    if (failures < check.retries) continue;
    const state = await lookUntilSeen(watch, guarded, signal);
    if (state.status === 'running') {
      const last = outputs.slice(-keptOutputs);
      return {
        kind: 'health',
        state,
        check: describeCheck(check),
        tries: failures,
        outputs: last,
        answers: answered,
      };
    }
    // It has ended, which is another failure.
    guarded.news.tell();
    failures = 0;
  }
}
