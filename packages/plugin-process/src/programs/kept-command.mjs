import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
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
 *
 * @typedef {object} Keeping Whose command it is.
 * @property {string} dir The folder of the service.
 * @property {import('./keeper-state.mjs').KeeperState['keeper']} keeper
 * @property {() => 'last' | 'other'} release Nothing of it has to be kept any more; tells whether that was the last.
 */

// Output that is on its way when a command ends is waited for, but not for ever: what has left the group may hold it open.
const drainMs = 200;
const groupPollMs = 20;
/** After so long a line without an end is written as it is. */
const unendedMs = 1_000;

/** A command that is kept: it has a group of its own, its output goes to files, and how it ended is remembered. */
export class KeptCommand {
  #launch;
  #keeping;
  #output;
  #stopping = false;
  /** @type {unknown} Why the state could not be written the last time. */
  #unsaved;
  /** @type {import('./keeper-state.mjs').KeeperState} */
  state;

  /**
   * Notes that it begins, before anything is started, so that there is never a command that nobody can find. When the folder
   * is gone, so is the wish for this service, and this fails.
   * @param {Launch} launch
   * @param {Keeping} keeping
   */
  constructor(launch, keeping) {
    this.#launch = launch;
    this.#keeping = keeping;
    const { starts = 0, events = [] } = readState(keeping.dir) ?? {};
    this.state = { keeper: keeping.keeper, phase: 'starting', starts, events };
    writeState(keeping.dir, this.state);
    this.#output = new OutputFiles(keeping.dir, launch.output);
  }

  /** Starts it, for the first time or again after it has ended; resolves when it runs, or cannot. */
  async start() {
    if (this.#stopping || this.state.phase === 'running') return;
    const child = await this.#spawn();
    // Its starter still waits, so a command that nobody could find need not go on.
    if (child === undefined || !this.#unsaved) return;
    this.stop('SIGKILL');
    throw this.#unsaved;
  }

  /**
   * Stops it with all that it has started, and keeps it no more.
   * @param {'SIGTERM' | 'SIGKILL'} signal
   */
  stop(signal) {
    this.#stopping = true;
    if (this.state.phase === 'running' && this.state.child) signalGroup(this.state.child.pid, signal);
    else this.#release();
  }

  /** Sees to it that what is known of it is on the disk. */
  look() {
    if (this.#unsaved || !existsSync(this.#keeping.dir)) this.#save();
  }

  async #spawn() {
    const { argv, cwd, env } = this.#launch;
    const [command = '', ...args] = argv;
    let child;
    try {
      // Its own session and group, so that one signal reaches all that it starts.
      child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd, env });
    } catch (error) {
      return this.#fail(error);
    }
    const { pid } = child;
    if (pid === undefined) {
      const error = await new Promise((resolve) => child.once('error', resolve));
      return this.#fail(error);
    }
    child.on('error', () => undefined);
    this.state.child = { pid, start: startOrUnknown(pid) };
    this.state.phase = 'running';
    this.state.starts += 1;
    delete this.state.failure;
    addEvent(this.state, { type: 'started', at: Date.now(), pid });
    const flush = [this.#keep(child.stdout, 'stdout'), this.#keep(child.stderr, 'stderr')];
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.once('exit', async (code, signal) => {
      const at = Date.now();
      if (this.#stopping) await groupGone(pid);
      // As with a container: when the command is over, so is everything that it has left running.
      else signalGroup(pid, 'SIGKILL');
      await Promise.race([closed, pause(drainMs)]);
      for (const rest of flush) rest();
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      this.#ended({ at, pid, exitCode, ...(signal ? { signal } : {}) });
    });
    this.#save();
    return child;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.state.phase = 'failed';
    this.state.failure = troubleOf(error);
    this.#save();
    return undefined;
  }

  /** @param {{ at: number, pid: number, exitCode: number, signal?: string }} end */
  #ended(end) {
    addEvent(this.state, { type: 'exited', ...end, ...(this.#stopping ? { requested: true } : {}) });
    this.state.phase = 'exited';
    this.#output.close();
    // Otherwise it stays, so that the command can be started again without asking for what it was started with.
    if (this.#stopping || (this.#launch.oneShot && end.exitCode === 0)) this.#release();
    else this.#save();
  }

  #release() {
    if (this.state.released) return;
    this.state.released = this.#keeping.release();
    this.#save();
  }

  #save() {
    const { dir, keeper } = this.#keeping;
    try {
      const known = readState(dir)?.keeper.socket ?? keeper.socket;
      // Somebody who took this keeper for dead has given the service another one.
      if (known !== keeper.socket) return this.#drop();
      writeState(dir, this.state);
      this.#unsaved = undefined;
    } catch (error) {
      this.#unsaved = error;
      // Without its folder nobody could find the command any more, so it must not go on. Any other trouble passes.
      if (!existsSync(dir)) this.#drop();
    }
  }

  #drop() {
    if (this.state.phase === 'running' && this.state.child) signalGroup(this.state.child.pid, 'SIGKILL');
    this.state.released ??= this.#keeping.release();
  }

  /**
   * @param {import('node:stream').Readable} stream
   * @param {import('./output-files.mjs').Stream} name
   */
  #keep(stream, name) {
    const splitter = new LineSplitter();
    /** @param {import('./line-splitter.mjs').Piece[]} lines */
    const write = (lines) => {
      const at = Date.now();
      if (lines.length > 0)
        this.#output.write(lines.map(({ text, goesOn }) => formatLine(at, name, text, goesOn)).join(''));
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
    return () => {
      clearTimeout(waiting);
      write(splitter.end());
    };
  }
}

/**
 * What is said of an error.
 * @param {unknown} error
 */
export function troubleOf(error) {
  const { code = 'UNKNOWN', message } = /** @type {NodeJS.ErrnoException} */ (error);
  return { code, message };
}

/**
 * When a process began, or that it is not known: nothing is taken for such a one, so that nobody else is signalled.
 * @param {number} pid
 */
export function startOrUnknown(pid) {
  try {
    return startOf(pid) ?? 'unknown';
  } catch {
    // A keeper goes on without it.
    return 'unknown';
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

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
