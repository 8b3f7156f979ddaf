import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

/** Longer than any of them takes on a busy machine: one that takes more hangs. */
const LIMIT_MS = 10 * 60_000;
/** How long it may take to clean up when it is told to end. */
const CLEAN_UP_MS = 2 * 60_000;

/**
 * What a benchmark found, or how it ended without, and why.
 * @typedef {{ text: string, verdicts: string[] }} Section
 * @typedef {{ code: number, wasStopped: boolean, reason: string }} Failure
 */

/**
 * Runs a benchmark in a process of its own, to its end or for so long.
 * @param {string} folder
 * @param {string} name
 * @param {{ limitMs?: number, cleanUpMs?: number }} [limits]
 * @returns {Promise<Section | Failure>}
 */
export function runBenchmark(folder, name, { limitMs = LIMIT_MS, cleanUpMs = CLEAN_UP_MS } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'runner', 'run.mjs'), name], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    /** @type {Section | { failed: string } | undefined} */
    let said;
    /** @type {string | undefined} */
    let tooLate;
    let wasStopped = false;
    child.on('message', (message) => {
      said = /** @type {typeof said} */ (message);
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
        tooLate = `did not end within ${limitMs / 1_000} s`;
        say(`${name} ${tooLate}`);
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
      if (said && 'text' in said && !wasStopped) return resolve(said);
      const told = said && 'failed' in said ? said.failed : undefined;
      const reason = tooLate ?? told ?? `it ended with ${signal ?? code}`;
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), wasStopped, reason });
    });
  });
}
