import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for the work to be on its way when it is told to stop. */
const headStartMs = 25;

/** Tells work to stop, before it begins or in the middle, and sees whether it ends in time. How it ends is its own affair. */
export async function stopsInTime(
  when: 'before' | 'during',
  patienceMs: number,
  work: (signal: AbortSignal) => unknown,
): Promise<boolean> {
  const controller = new AbortController();
  if (when === 'before') controller.abort(new Error('told to stop before it began'));
  const working = call(work, controller.signal);
  if (when === 'during' && !(await endsWithin(headStartMs, working))) {
    controller.abort(new Error('told to stop in the middle'));
  }
  return endsWithin(patienceMs, working);
}

/** A throw before the first `await` ends the work like any other. */
async function call(work: (signal: AbortSignal) => unknown, signal: AbortSignal): Promise<unknown> {
  return work(signal);
}

/** In real time, because it is real work that is waited for. */
async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const tooLate = delay(ms, false, { signal: waiting.signal }).catch(() => false);
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, tooLate]);
  } finally {
    waiting.abort();
  }
}
