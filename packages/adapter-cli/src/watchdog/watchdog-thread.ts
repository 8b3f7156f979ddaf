import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { constants } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Frame, Standstill, Watch } from './standstill.js';

// A thread beside the program. It sees that the program stands still when it counts no beats any more, looks where, and ends that: a
// debugger can stop even a loop that never ends. Signals reach it too, which the program itself does not hear meanwhile.

/** How often it is looked, in milliseconds. Counted in turns: a process that was stopped as a whole goes on where it was. */
const turnMs = 100;
/** How long the program may stand still once a signal has come. */
const signalledMs = 400;
/** How long code that is not JavaScript may take to come back to it. Who sends a second signal does not wait longer for it. */
const nativeMs = 1_500;

const { beats, limitMs, hastily } = workerData as Watch;
const counter = new Int32Array(beats);
let [last, silentMs] = [-1, 0];
/** How long it has been silent since the second signal. */
let hastyMs: number | undefined;
let signals: string[] = [];
let debugging: { readonly session: Session; readonly atMs: number } | undefined;

setInterval(() => {
  const now = Atomics.load(counter, 0);
  if (now !== last) {
    last = now;
    [silentMs, hastyMs] = [0, undefined];
    letGo();
    return;
  }
  silentMs += turnMs;
  if (signals.length > 1) hastyMs = (hastyMs ?? 0) + turnMs;
  // It is not JavaScript that it stands in, so nothing but the end of the process ends it.
  if (hastyMs !== undefined && hastyMs >= nativeMs) killAll();
  if (!debugging && silentMs >= (signals.length > 0 ? signalledMs : limitMs)) lookWhere();
}, turnMs);

listen(['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Has the program stop where it is, which it does as soon as it is in JavaScript, and ends what it does there. */
function lookWhere(): void {
  const session = new Session();
  debugging = { session, atMs: silentMs };
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void urls.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const frames = callFrames.map(
      ({ url, location, functionName }): Frame => ({
        url: url || (urls.get(location.scriptId) ?? ''),
        line: location.lineNumber + 1,
        name: functionName,
      }),
    );
    const wasNative = silentMs - (debugging?.atMs ?? 0) >= nativeMs;
    session.post('Debugger.resume');
    // What waited for a command or a file all the time is at an end by itself now.
    if (wasNative && signals.length === 0) return letGo();
    session.post('Runtime.terminateExecution');
    tell(frames);
    letGo();
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function tell(frames: readonly Frame[]): void {
  const standstill: Standstill = { frames, forMs: silentMs, signal: signals[0] };
  parentPort?.postMessage(standstill);
}

function letGo(): void {
  debugging?.session.disconnect();
  debugging = undefined;
  silentMs = 0;
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
        signals = [...signals, name];
        // Who is asked to stop has a moment for it from then on.
        silentMs = Math.min(silentMs, limitMs - signalledMs);
      };
      signal.start(constants.signals[name]);
    }
  } catch {
    // The limit of time ends what blocks all the same.
  }
}

type SignalClass = new () => { onsignal: () => void; start(number: number): void };
