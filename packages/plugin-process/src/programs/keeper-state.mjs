import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './own-file.mjs';

/**
 * @typedef {{ readonly pid: number, readonly start: string }} ProcessIdentity A process, and when it began.
 *
 * @typedef {object} KeptEvent Something that happened to the command.
 * @property {number} seq Grows by one with each event of the service.
 * @property {'started' | 'exited'} type
 * @property {number} at Milliseconds since the epoch.
 * @property {number} pid
 * @property {number} [exitCode] 128 and the signal's number when a signal ended it.
 * @property {string} [signal]
 * @property {boolean} [requested] It was told to stop.
 *
 * @typedef {object} KeeperState What a keeper knows of a command that it keeps.
 * @property {ProcessIdentity & { readonly socket: string }} keeper Where it listens is the name of a file in the folder of the run.
 * @property {'last' | 'other'} [released] It keeps this one no more, and ends when this was the last.
 * @property {ProcessIdentity} [child] The newest process of the command, the leader of its group.
 * @property {'starting' | 'running' | 'exited' | 'failed'} phase
 * @property {number} starts How often the command was started.
 * @property {{ code: string, message: string }} [failure] Why it could not be started, when it could not.
 * @property {KeptEvent[]} events The newest ones, oldest first.
 */

const keptEvents = 50;

/**
 * The path of the state of a service in its folder.
 * @param {string} dir
 */
export function statePath(dir) {
  return join(dir, 'state.json');
}

/**
 * What the keeper of a folder, or the one before it, has last written.
 * @param {string} dir
 * @returns {KeeperState | undefined}
 */
export function readState(dir) {
  try {
    return JSON.parse(readFileSync(statePath(dir), 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      return undefined;
    throw error;
  }
}

/**
 * Writes the state whole or not at all.
 * @param {string} dir
 * @param {KeeperState} state
 */
export function writeState(dir, state) {
  replaceFile(statePath(dir), JSON.stringify(state));
}

/**
 * Adds an event to a state.
 * @param {KeeperState} state
 * @param {Omit<KeptEvent, 'seq'>} event
 */
export function addEvent(state, event) {
  const seq = (state.events.at(-1)?.seq ?? 0) + 1;
  state.events = [...state.events, { seq, ...event }].slice(-keptEvents);
}
