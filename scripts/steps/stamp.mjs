import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Tells whether a step was done for exactly this state of its inputs and outputs.
 * @param {string} file
 * @param {string} state
 */
export function isStamped(file, state) {
  return existsSync(file) && readFileSync(file, 'utf8') === state;
}

/**
 * Notes that a step was done for this state.
 * @param {string} file
 * @param {string} state
 */
export function stamp(file, state) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, state);
}

/**
 * Forgets a step before it is done anew, so that a run that dies in the middle is not taken for done.
 * @param {string} file
 */
export function unstamp(file) {
  rmSync(file, { force: true });
}
