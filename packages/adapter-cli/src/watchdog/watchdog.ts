import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted, type Standstill, type Watch } from './standstill.js';

/** How long it is between two beats, in milliseconds. */
const beatMs = 50;

/** How long the thread may take to begin, in milliseconds. */
const readyMs = 500;

/** What is known of it. */
interface Watchdog {
  /** Whether something was ended: what has come of the work then is no result, and the listener is told why. */
  hasEnded(): boolean;
  /** Waits until it hears signals, which is nearly always at once: it begins while the code is loaded. */
  waitForThread(): void;
}

/**
 * Has a thread watch from now on that this one does not stand still, and end what it stands still in. Neither keeps the process alive,
 * unless something has to be told.
 */
export function watch(limitMs: number, onStandstill: (standstill: Standstill) => void): Watchdog | undefined {
  const own = import.meta.dirname;
  const file = join(own, 'watchdog-thread.js');
  // Whoever debugs the program stops it on purpose.
  if (!existsSync(file) || process.getBuiltinModule('node:inspector').url() !== undefined) return undefined;
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const beats = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  const counters = new Int32Array(beats);
  setInterval(() => Atomics.add(counters, counted.beats, 1), beatMs).unref();
  const hastily = 'Stopped at once: what held the program up could not be ended otherwise\n';
  const workerData: Watch = { beats, limitMs, own, hastily };
  const thread = new Worker(file, { workerData, execArgv: [], env: {} });
  thread.on('message', onStandstill);
  // Without it the program works all the same.
  thread.once('error', () => undefined);
  thread.unref();
  return {
    hasEnded() {
      const hasEnded = Atomics.load(counters, counted.ended) === 1;
      if (hasEnded) thread.ref();
      return hasEnded;
    },
    waitForThread: () => void Atomics.wait(counters, counted.ready, 0, readyMs),
  };
}
