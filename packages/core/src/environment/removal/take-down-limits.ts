import { EndsSoon } from '../../model/ends-soon.js';
import { systemClock } from '../../time/clock.js';
import { type LimitedSignal, limitedSignal } from '../../time/limited-signal.js';

/** How long taking down may take, in milliseconds of the machine: real things are removed, which takes real time. */
const limitMs = 120_000;

/** A signal for taking down what was begun. The caller's is no use for it: it may be the very reason. */
export function signalToTakeDown(): LimitedSignal {
  return limitedSignal(systemClock, limitMs);
}

/** How long what is taken down has to stop by itself: none when the process is about to be ended, as usual otherwise. */
export function graceAfter(reason: unknown): number | undefined {
  return reason instanceof EndsSoon ? 0 : undefined;
}
