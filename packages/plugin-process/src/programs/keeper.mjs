// Keeps the commands of a run: starts each in a group of its own, writes their output to files, remembers how they ended,
// and stops them when it is told to. It outlives whoever started it, and ends with the last command that it keeps.
// Called with the folder of the run. There it listens on a socket, through which it is told what to start, so that no
// secret of an environment is ever written to a disk. SIGTERM stops all of them politely, SIGQUIT at once.
import { randomUUID } from 'node:crypto';
import { closeSync, rmSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { KeptCommand, startOrUnknown, troubleOf } from './kept-command.mjs';
import { withShortPath } from './short-path.mjs';

/**
 * @typedef {object} Wish What a keeper is asked for: to start a command, to start it again, or to stop it with a signal.
 * @property {string} dir The folder of the service.
 * @property {import('./kept-command.mjs').Launch} [launch]
 * @property {'SIGTERM' | 'SIGKILL'} [signal]
 * @property {number} until When nobody waits for it any more, in milliseconds since the epoch.
 *
 * @typedef {{ trouble: { code: string, message: string } }} Trouble
 */

const readyFd = 3;
const folderCheckMs = 10_000;

const runDir = process.argv[2] ?? '';
const socket = `keeper-${process.pid}-${randomUUID().slice(0, 8)}.sock`;
const keeper = { pid: process.pid, start: startOrUnknown(process.pid), socket };
/** @type {Map<string, KeptCommand>} Those that are kept, by the folder of the service. */
const kept = new Map();
let starterLives = true;
let isEnding = false;

// The other commands must not suffer from what goes wrong with one.
process.on('uncaughtException', (error) => console.error(error));
process.on('SIGTERM', () => stopAll('SIGTERM'));
process.on('SIGQUIT', () => stopAll('SIGKILL'));
for (const signal of ['SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
setInterval(() => {
  for (const command of kept.values()) command.look();
}, folderCheckMs);

const server = createServer({ allowHalfOpen: true }, (connection) => {
  let said = '';
  connection.on('error', () => undefined);
  connection.setEncoding('utf8').on('data', async (text) => {
    said += text;
    // Who is killed while asking leaves half of it or nothing, and nothing is started.
    if (!said.endsWith('\n')) return;
    connection.end(`${JSON.stringify(await answer(said))}\n`);
    endIfIdle();
  });
  connection.on('end', () => {
    if (!said.endsWith('\n')) connection.destroy();
  });
});
server.on('error', giveUp);
try {
  withShortPath(runDir, socket, (path) => server.listen(path, () => tell({ socket })));
} catch (error) {
  giveUp(error);
}
// It lasts as long as its starter wants something. One that was killed before leaves nothing to keep.
process.stdin
  .on('error', () => undefined)
  .on('close', () => {
    starterLives = false;
    endIfIdle();
  });
process.stdin.resume();

/** @param {string} said */
async function answer(said) {
  try {
    return await fulfil(JSON.parse(said));
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

/** @param {Wish} wish */
async function fulfil({ dir, launch, signal, until }) {
  if (isEnding) throw Object.assign(new Error('this keeper is about to end'), { code: 'ENDING' });
  if (Date.now() > until) throw new Error('nobody waits for this any more');
  if (launch) {
    if (kept.has(dir)) throw new Error(`the service in ${dir} is kept already`);
    kept.set(dir, new KeptCommand(launch, { dir, keeper, release: () => release(dir) }));
  }
  const command = kept.get(dir);
  if (command === undefined) throw new Error(`the service in ${dir} is not kept here`);
  if (signal) command.stop(signal);
  else await command.start();
  return command.state;
}

/** @param {string} dir */
function release(dir) {
  kept.delete(dir);
  if (kept.size > 0) return 'other';
  isEnding = true;
  // What is said of the last one is written before.
  setImmediate(end);
  return 'last';
}

function endIfIdle() {
  if (kept.size === 0 && !starterLives && !isEnding) end();
}

function end() {
  rmSync(join(runDir, socket), { force: true });
  const log = join(runDir, 'keeper.log');
  // It is what this keeper complains to, usually of nothing.
  if (statSync(log, { throwIfNoEntry: false })?.size === 0) rmSync(log, { force: true });
  process.exit(0);
}

/** @param {'SIGTERM' | 'SIGKILL'} signal */
function stopAll(signal) {
  if (kept.size === 0) end();
  for (const command of kept.values()) command.stop(signal);
}

/**
 * Tells the starter why nothing can be kept, and ends.
 * @param {unknown} error
 */
function giveUp(error) {
  tell({ trouble: troubleOf(error) });
  console.error(error);
  process.exit(1);
}

/**
 * Tells the starter, if it is still there, and lets go of it.
 * @param {{ socket: string } | Trouble} news
 */
function tell(news) {
  try {
    writeSync(readyFd, `${JSON.stringify(news)}\n`);
  } catch {
    // The starter has gone.
  }
  closeSync(readyFd);
}
