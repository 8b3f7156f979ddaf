import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { constants } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Frame, pauseIn, placesIn } from '@argusai/core';
import { counted, type Standstill, type Watch } from './standstill.js';

// A thread beside the program. It sees that the program stands still when it counts no beats any more, looks where, and ends that: a
// debugger can stop even a loop that never ends. Signals reach it too, which the program itself does not hear meanwhile.

/** How often it is looked, in milliseconds. Counted in turns: a process that was stopped as a whole goes on where it was. */
const turnMs = 100;
/** How long the program may stand still while a signal waits. */
const signalledMs = 1_000;
/** How long something that is not JavaScript may go on until the process is ended as a whole: after one signal, and after another. */
const deafMs = { first: 10_000, second: 1_500 };
/** What took so long to come back to JavaScript was something else, such as a command that is waited for. */
const nativeMs = 1_000;

const { beats, limitMs, own, hastily } = workerData as Watch;
const counters = new Int32Array(beats);
let [last, silentMs] = [-1, 0];
/** How many signals have come, which of them wait and for how long, and at which beat the last one came. */
const signals = { count: 0, waiting: [] as string[], forMs: 0, atBeat: 0 };
let debugging: { readonly session: Session; readonly atMs: number } | undefined;

setInterval(() => {
  const now = Atomics.load(counters, counted.beats);
  if (now !== last) {
    last = now;
    // Between two beats it hears what has come before them.
    if (now > signals.atBeat + 1) signals.waiting = [];
    return letGo();
  }
  silentMs += turnMs;
  if (signals.waiting.length > 0) signals.forMs += turnMs;
  if (signals.forMs >= (signals.count > 1 ? deafMs.second : deafMs.first)) killAll();
  if (!debugging && silentMs >= (signals.waiting.length > 0 ? signalledMs : limitMs)) lookWhere();
}, turnMs);

listen(['SIGINT', 'SIGTERM', 'SIGHUP']);
Atomics.store(counters, counted.ready, 1);
Atomics.notify(counters, counted.ready);

/** Has the program stop where it is, which it does as soon as it is in JavaScript, and ends what it does there. */
function lookWhere(): void {
  const session = new Session();
  debugging = { session, atMs: silentMs };
  session.connectToMainThread();
  pauseIn(session, (frames) => {
    const wasNative = silentMs - (debugging?.atMs ?? 0) >= nativeMs;
    const isSignalled = signals.waiting.length > 0;
    session.post('Debugger.resume');
    // What waited for something else comes to its end by itself now; and our own code ends in order once it hears the signal.
    if (isSignalled ? placesIn(frames, own).length > 0 : !wasNative) end(session, frames);
    letGo();
  });
}

function end(session: Session, frames: readonly Frame[]): void {
  // Before it goes on: whatever comes of what is cut off is no result.
  Atomics.store(counters, counted.ended, 1);
  session.post('Runtime.terminateExecution');
  const standstill: Standstill = { frames, forMs: silentMs, signal: signals.waiting[0] };
  parentPort?.postMessage(standstill);
}

function letGo(): void {
  debugging?.session.disconnect();
  debugging = undefined;
  silentMs = 0;
  if (signals.waiting.length === 0) signals.forMs = 0;
}

function killAll(): void {
  writeSync(2, hastily);
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Hears signals as the program does. Node offers that to threads only below its surface; where it does not, they count when the program
 * goes on.
 */
function listen(names: readonly (keyof typeof constants.signals)[]): void {
  process.noDeprecation = true;
  try {
    const { binding } = process as unknown as { binding(name: 'signal_wrap'): { Signal: SignalClass } };
    const { Signal } = binding('signal_wrap');
    for (const name of names) {
      const signal = new Signal();
      signal.onsignal = () => {
        signals.count += 1;
        signals.waiting.push(name);
        signals.atBeat = Atomics.load(counters, counted.beats);
        // From now on it has a moment to hear it.
        silentMs = 0;
      };
      signal.start(constants.signals[name]);
    }
  } catch {
    // The limit of time ends what blocks all the same.
  }
}

type SignalClass = new () => { onsignal: () => void; start(number: number): void };
