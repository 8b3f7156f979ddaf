import {
  type ArgusError,
  blame,
  blockedError,
  CodeAtWork,
  type Kernel,
  onUserCode,
  parseDuration,
} from '@argusai/core';
import { ownArguments } from '../command-line/global-options.js';
import { watch } from '../watchdog/watchdog.js';

/** How long code of others may hold the whole process up, in milliseconds: no check has more time by default. */
const longestMs = 10_000;
const shortestMs = 1_000;

/** Code of others is watched from the moment on that there is any. */
interface HeldUp {
  /** Settles with what has held everything up; with nothing that ends for a signal, because then that ends the program. */
  readonly error: Promise<ArgusError>;
  /** Whether something was ended, so that what has come of the work is no result. */
  wasCutOff(): boolean;
  opened(kernel: Kernel): void;
}

/** Has it ended when code of others holds the process up. What a signal has ended is only told. */
export function untilHeldUp(argv: readonly string[], tell: (error: ArgusError) => void): HeldUp {
  let atWork: CodeAtWork | undefined;
  let watchdog: ReturnType<typeof watch>;
  const error = new Promise<ArgusError>((resolve) => {
    const stop = onUserCode(() => {
      stop();
      const code = new CodeAtWork();
      atWork = code;
      watchdog = watch(limitIn(argv), ({ frames, forMs, signal }) => {
        const thrown = blockedError(blame(frames, code, import.meta.dirname), forMs, ' and was ended');
        if (signal === undefined) resolve(thrown);
        else tell(thrown);
      });
    });
  });
  return {
    error,
    wasCutOff: () => watchdog?.hasEnded() === true,
    opened(kernel) {
      const code = atWork;
      code?.opened(kernel);
      kernel.events.subscribe((event) => void code?.hear(event));
      watchdog?.waitForThread();
    },
  };
}

/** As long as the checks may take all together, where that is less. */
function limitIn(argv: readonly string[]): number {
  const own = ownArguments(argv);
  const index = own.indexOf('--timeout');
  const value = index < 0 ? own.find((word) => word.startsWith('--timeout='))?.slice(10) : own[index + 1];
  try {
    return Math.min(longestMs, Math.max(shortestMs, parseDuration(value ?? '')));
  } catch {
    // It says nothing, or something that is told to be wrong later.
    return longestMs;
  }
}
