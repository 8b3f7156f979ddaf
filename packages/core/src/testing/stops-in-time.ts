import { setTimeout } from 'node:timers';

/** Long enough for the work to be on its way when it is told to stop. */
const headStartMs = 25;

/** What the work did when it was told to stop: it ended in time, or it went on and on. */
export type Obedience = 'stopped' | 'went on';

/** Tells work to stop, before it begins or in the middle, and sees whether it ends in time. How it ends is its own affair. */
export async function stopsInTime(
  when: 'before' | 'during',
  patienceMs: number,
  work: (signal: AbortSignal) => unknown,
): Promise<Obedience> {
  const controller = new AbortController();
  if (when === 'before') controller.abort(new Error('told to stop before it began'));
  const ended = call(work, controller.signal).then(
    () => 'stopped' as const,
    () => 'stopped' as const,
  );
  if (when === 'during') {
    await Promise.race([ended, delay(headStartMs)]);
    controller.abort(new Error('told to stop in the middle'));
  }
  return Promise.race([ended, delay(patienceMs).then(() => 'went on' as const)]);
}

async function call(work: (signal: AbortSignal) => unknown, signal: AbortSignal): Promise<unknown> {
  return work(signal);
}

/** In real time, because it is real work that is waited for. The import is not the global, which a test may have replaced. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
