import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Standstill, Watch } from './standstill.js';

/** How long it is between two beats, in milliseconds. */
const beatMs = 50;

/** Has a thread watch from now on that this one does not stand still, and end what it stands still in. Neither keeps the process alive. */
export function watch(limitMs: number, onStandstill: (standstill: Standstill) => void): void {
  const file = join(import.meta.dirname, 'watchdog-thread.js');
  // Whoever debugs the program stops it on purpose.
  if (!existsSync(file) || process.getBuiltinModule('node:inspector').url() !== undefined) return;
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref();
  const hastily = 'Stopped at once: what blocked the program could not be ended\n';
  const workerData: Watch = { beats, limitMs, hastily };
  const thread = new Worker(file, { workerData, execArgv: [], env: {} });
  thread.on('message', onStandstill);
  // Without it the program works all the same.
  thread.once('error', () => undefined);
  thread.unref();
}
