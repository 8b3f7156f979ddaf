// Keeps one command: starts it in a group of its own, writes its output to files, remembers how it ended, and stops
// the group when it is told to. It outlives whoever started it. Called with the folder of the service; what to
// start comes on its standard input, so that no secret of the environment is ever written to a disk.
//
// SIGTERM  stop the command politely, then end     SIGQUIT  stop it at once, then end
// SIGUSR2  start the command again after it ended
import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { addEvent, readState, writeState } from './keeper-state.mjs';
import { LineSplitter } from './line-splitter.mjs';
import { formatLine, OutputFiles } from './output-files.mjs';
import { membersOf, startOf } from './process-table.mjs';

/**
 * @typedef {object} Launch What to start.
 * @property {string[]} argv
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {import('./output-files.mjs').OutputLimits} output
 * @property {boolean} oneShot
 */

const replyFd = 3;
// Output that is on its way when a command ends is waited for, but not for ever: what has left the group may hold it open.
const drainMs = 200;
const groupPollMs = 20;
const folderCheckMs = 10_000;

const dir = process.argv[2] ?? '';
const before = readState(dir);
/** @type {import('./keeper-state.mjs').KeeperState} */
const state = {
  keeper: { pid: process.pid, start: startOrUnknown(process.pid) },
  phase: 'starting',
  starts: before?.starts ?? 0,
  events: before?.events ?? [],
};
let stopping = false;
/** @type {unknown} Why the state could not be written the last time. */
let unsaved;

// Before anything is started, so that there is never a command that nobody can find. When the folder is gone, so is
// the wish for this service, and this fails. Its starter is told why: where the disk is full, no log could say it.
try {
  writeState(dir, state);
} catch (error) {
  giveUp(error);
}
// A starter that is killed leaves half of this or nothing, and nothing is started.
/** @type {Launch} */
const launch = JSON.parse(readFileSync(0, 'utf8'));
const output = new OutputFiles(dir, launch.output);

process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGQUIT', () => stop('SIGKILL'));
process.on('SIGUSR2', () => {
  if (!stopping && (state.phase === 'exited' || state.phase === 'failed')) start();
});
for (const signal of ['SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
setInterval(() => {
  if (unsaved || !existsSync(dir)) save();
}, folderCheckMs);
start(reply);

/** @param {() => void} [then] */
function start(then = () => undefined) {
  const [command = '', ...args] = launch.argv;
  // Its own session and group, so that one signal reaches all that it starts.
  /** @type {import('node:child_process').SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'>} */
  const options = { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: launch.cwd, env: launch.env };
  const child = spawn(command, args, options);
  child.once('error', (error) => {
    if (child.pid !== undefined) return;
    const { code = 'UNKNOWN', message } = /** @type {NodeJS.ErrnoException} */ (error);
    Object.assign(state, { phase: 'failed', failure: { code, message } });
    save();
    then();
  });
  if (child.pid === undefined) return;
  const { pid } = child;
  state.child = { pid, start: startOrUnknown(pid) };
  state.phase = 'running';
  state.starts += 1;
  delete state.failure;
  addEvent(state, { type: 'started', at: Date.now(), pid });
  save();
  // Its starter still waits, so a command that nobody could find need not go on.
  if (unsaved && then === reply) {
    signalGroup(pid, 'SIGKILL');
    giveUp(unsaved);
  }
  then();
  const flush = [keep(child.stdout, 'stdout'), keep(child.stderr, 'stderr')];
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.once('exit', async (code, signal) => {
    const at = Date.now();
    if (stopping) await groupGone(pid);
    // As with a container: when the command is over, so is everything that it has left running.
    else signalGroup(pid, 'SIGKILL');
    await Promise.race([closed, pause(drainMs)]);
    for (const rest of flush) rest();
    ended({ at, pid, exitCode: code ?? 128 + signalNumber(signal), ...(signal ? { signal } : {}) });
  });
}

/** @param {{ at: number, pid: number, exitCode: number, signal?: string }} end */
function ended(end) {
  addEvent(state, { type: 'exited', ...end, ...(stopping ? { requested: true } : {}) });
  state.phase = 'exited';
  save();
  output.close();
  // Otherwise it stays, so that the command can be started again without waiting for another keeper.
  if (stopping || (launch.oneShot && end.exitCode === 0)) process.exit(0);
}

/** @param {'SIGTERM' | 'SIGKILL'} signal */
function stop(signal) {
  stopping = true;
  if (state.phase !== 'running' || state.child === undefined) process.exit(0);
  signalGroup(state.child.pid, signal);
}

/** After so long a line without an end is written as it is. */
const unendedMs = 1_000;

/**
 * @param {import('node:stream').Readable} stream
 * @param {import('./output-files.mjs').Stream} name
 */
function keep(stream, name) {
  const splitter = new LineSplitter();
  /** @param {import('./line-splitter.mjs').Piece[]} lines */
  const write = (lines) => {
    const at = Date.now();
    if (lines.length > 0)
      output.write(lines.map(({ text, goesOn }) => formatLine(at, name, text, goesOn)).join(''));
  };
  /** @type {NodeJS.Timeout | undefined} */
  let waiting;
  stream.on('data', (chunk) => {
    write(splitter.push(chunk));
    clearTimeout(waiting);
    // A prompt has no end, and is what somebody looks for. What follows it goes on with the same line.
    waiting = setTimeout(() => write(splitter.flush()), unendedMs).unref();
  });
  // Nothing more will come; how the command ended is told by its exit.
  stream.on('error', () => undefined);
  return () => write(splitter.end());
}

/** Tells the starter, if it is still there, and lets go of it. */
function reply() {
  tell(state);
  closeSync(replyFd);
}

/**
 * Tells the starter why nothing was started, and ends.
 * @param {unknown} error
 */
function giveUp(error) {
  const { code = 'UNKNOWN', message } = /** @type {NodeJS.ErrnoException} */ (error);
  tell({ trouble: { code, message } });
  console.error(error);
  process.exit(1);
}

/** @param {import('./keeper-state.mjs').KeeperState | { trouble: { code: string, message: string } }} answer */
function tell(answer) {
  try {
    writeSync(replyFd, `${JSON.stringify(answer)}\n`);
  } catch {
    // The starter has gone. The state is in the folder for whoever comes next.
  }
}

/** Without its folder nobody could find the command any more, so it must not go on. Any other trouble passes. */
function save() {
  try {
    writeState(dir, state);
    unsaved = undefined;
  } catch (error) {
    unsaved = error;
    if (existsSync(dir)) return;
    if (state.phase === 'running' && state.child) signalGroup(state.child.pid, 'SIGKILL');
    process.exit(1);
  }
}

/** @param {number} group */
async function groupGone(group) {
  while (mayHaveMembers(group)) await pause(groupPollMs);
}

/** @param {number} group */
function mayHaveMembers(group) {
  try {
    return membersOf(group).length > 0;
  } catch {
    // What could not be looked at may be there; whoever wants this to end sooner kills it.
    return true;
  }
}

/** @param {number} pid */
function startOrUnknown(pid) {
  try {
    return startOf(pid) ?? 'unknown';
  } catch {
    // A keeper goes on without it: nothing is taken for a process whose start is not known, so that nobody else is signalled.
    return 'unknown';
  }
}

/**
 * @param {number} group
 * @param {'SIGTERM' | 'SIGKILL'} signal
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** @param {NodeJS.Signals | null} signal */
function signalNumber(signal) {
  return signal === null ? 0 : constants.signals[signal];
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
