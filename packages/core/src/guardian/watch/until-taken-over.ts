import {
  describeStranger,
  type Stranger,
  strangerCheck,
  strangersAt,
} from '../../environment/health/strangers.js';
import type { ServiceState } from '../../environment/runtime.js';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import type { Guarded, Watch } from '../guarded.js';
import type { Failure } from './failure.js';
import { lookUntilSeen } from './look-until-seen.js';

/** How often it is looked who answers at the ports of services, in milliseconds: a look at all sockets and processes costs more than a health check. */
const everyMs = 5_000;

/** Makes one look serve all services that ask within the time between two. */
export function sharedStrangers(
  { clock }: { readonly clock: Pick<Clock, 'monotonic'> },
  look: () => Promise<readonly Stranger[]>,
): () => Promise<readonly Stranger[]> {
  let last: { readonly at: number; readonly seen: Promise<readonly Stranger[]> } | undefined;
  return () => {
    const now = clock.monotonic();
    if (!last || now - last.at >= everyMs) last = { at: now, seen: look() };
    return last.seen;
  };
}

/**
 * Resolves when somebody else answers at the port of a service that runs, in its place, whatever its health check says of that. Beside
 * one that listens itself he stays in the way of a restart, which would only take down what still answers.
 */
export async function untilTakenOver(watch: Watch, guarded: Guarded, signal: AbortSignal): Promise<Failure> {
  const { kernel, run } = watch;
  const { name, service, runtime } = guarded;
  const ports = watch.ports.of(name);
  if (service.oneShot || !runtime.isOwn || (ports.length === 0 && !service.askedAt))
    return new Promise<never>(() => undefined);
  for (;;) {
    await pause(kernel.clock, everyMs, signal);
    await guarded.reach.back(signal);
    if (!(await watch.strangers(service)).some((one) => one.service === name && !one.isBeside)) continue;
    // What all share may be about a moment ago.
    const { strangers } = await strangersAt(kernel, run, [{ service, ports }], signal);
    const inItsPlace = strangers.find(({ isBeside }) => !isBeside);
    const state = await lookUntilSeen(watch, guarded, signal);
    if (inItsPlace && state.status === 'running') return takenOver(state, describeStranger(inItsPlace));
  }
}

/** The failure of a service at whose port somebody else answers. */
export function takenOver(state: ServiceState, output: string): Failure {
  return { kind: 'health', state, check: strangerCheck, tries: 1, outputs: [output], answers: false };
}
