import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

/** Longer than any of them takes on a busy machine: one that takes more hangs. */
const LIMIT_MS = 10 * 60_000;
/** How long it may take to clean up when it is told to end. */
const CLEAN_UP_MS = 2 * 60_000;

/**
 * What a benchmark found, or how it ended without.
 * @typedef {{ text: string, verdicts: string[] } | { code: number, wasStopped: boolean }} Found
 */

/**
 * Runs a benchmark in a process of its own, to its end or for so long.
 * @param {string} folder
 * @param {string} name
 * @param {{ limitMs?: number, cleanUpMs?: number }} [limits]
 * @returns {Promise<Found>}
 */
export function runBenchmark(folder, name, { limitMs = LIMIT_MS, cleanUpMs = CLEAN_UP_MS } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'runner', 'run.mjs'), name], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    /** @type {{ text: string, verdicts: string[] } | undefined} */
    let found;
    let wasStopped = false;
    child.on('message', (message) => {
      found = /** @type {typeof found} */ (message);
    });
    /** @type {NodeJS.Timeout[]} */
    const timers = [];
    const end = () => {
      child.kill('SIGTERM');
      timers.push(setTimeout(() => child.kill('SIGKILL'), cleanUpMs));
    };
    const stop = () => {
      wasStopped = true;
      end();
    };
    timers.push(
      setTimeout(() => {
        say(`${name} did not end within ${limitMs / 1_000} s`);
        end();
      }, limitMs),
    );
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    const letGo = () => {
      timers.forEach(clearTimeout);
      for (const signal of signals) process.off(signal, stop);
    };
    child.on('error', (error) => {
      letGo();
      reject(error);
    });
    child.on('close', (code, signal) => {
      letGo();
      if (found && code === 0) resolve(found);
      else resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), wasStopped });
    });
  });
}
