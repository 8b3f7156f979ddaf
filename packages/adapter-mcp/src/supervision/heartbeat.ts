import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Watch } from './watch-thread.js';

/** Has a thread watch from now on that this one does not stand still for so long. Neither keeps the process alive. */
export function beat(silentMs: number): void {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), silentMs / 20).unref();
  const workerData: Watch = { beats, silentMs };
  const thread = new Worker(join(import.meta.dirname, 'watch-thread.js'), { workerData, execArgv: [] });
  thread.unref();
  // Without it the supervisor still notices that nothing is answered.
  thread.once('error', () => undefined);
}
