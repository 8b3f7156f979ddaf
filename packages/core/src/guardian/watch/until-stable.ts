import { firstOf } from '../../time/first-of.js';
import { pause } from '../../time/pause.js';
import type { Guarded, Watch } from '../guarded.js';
import type { Failure } from './failure.js';
import { currentFailure, nextFailure } from './next-failure.js';

/** Waits for a failure for as long as the stability window is; nothing when there was none, and a last look agrees. */
export async function untilStable(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const failure = await failureInWindow(watch, guarded, signal);
  if (guarded.request?.action === 'verify') guarded.request = undefined;
  if (guarded.request) guarded.news.tell();
  // What was told at the very end has woken somebody who does not wait any more.
  return failure ?? currentFailure(watch, guarded, signal);
}

async function failureInWindow(
  watch: Watch,
  guarded: Guarded,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { clock, config } = watch.kernel;
  const { stabilityWindow } = config.resilience.container;
  return firstOf<Failure | undefined>(
    signal,
    async (both) => {
      for (;;) {
        const news = await nextFailure(watch, guarded, both);
        // What another service asks for waits until it is known how this one is.
        if (news !== 'request') return news;
      }
    },
    async (both) => {
      await pause(clock, stabilityWindow, both);
      return undefined;
    },
  );
}
