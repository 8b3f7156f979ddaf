import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { type Frame, pauseIn } from '@argusai/core';
import { reportDescriptor, type Standstill } from './messages.js';

// A thread beside the work. It sees that the work stands still when it counts no beats any more, and looks where: a debugger can stop
// even a loop that never ends. What it sees goes to the process that supervises, which ends this one.

/** What the thread is given: where the work counts its beats, and how long it may be silent. */
export interface Watch {
  readonly beats: SharedArrayBuffer;
  readonly silentMs: number;
}

/** How often it is looked within the time that the work may be silent: a process that was stopped as a whole goes on counting where it was. */
const looks = 10;
/** How long the debugger may take, in milliseconds: code that is not JavaScript it cannot stop. */
const debuggerMs = 2_000;
/** How long the process that supervises may take to end this one, in milliseconds. */
const endedMs = 10_000;

const { beats, silentMs } = workerData as Watch;
const counter = new Int32Array(beats);
let [last, silent, isTold] = [-1, 0, false];

setInterval(() => {
  const now = Atomics.load(counter, 0);
  silent = now === last ? silent + 1 : 0;
  last = now;
  if (silent === looks) lookWhere();
}, silentMs / looks);

function lookWhere(): void {
  const debugging = new Session();
  debugging.connectToMainThread();
  pauseIn(debugging, tell);
  setTimeout(tell, debuggerMs, []);
}

function tell(frames: readonly Frame[]): void {
  if (isTold) return;
  isTold = true;
  const standstill: Standstill = { frames };
  setTimeout(end, endedMs);
  try {
    // On a line of its own, whatever else was written there.
    writeSync(reportDescriptor, `\n${JSON.stringify(standstill)}\n`);
  } catch {
    // Nobody hears it any more.
    end();
  }
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
