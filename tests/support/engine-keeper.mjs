// Keeps one private Docker engine for as long as its standard input is open, then removes every trace of it. It is a
// process of its own so that this also happens when the run that asked for the engine is killed.
// It prints one line of JSON: where the engine answers, or why there is none. A line of input has it start the engine
// again, with all that it had, after somebody has killed it; that is answered in the same way.
// With the argument `alone` the engine gets a network of its own: whatever becomes of it, no other engine notices, but its
// published ports cannot be reached.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { blockOptions, freeBlock, groupOptions, removeGroups, takeBlock } from './engine-block.mjs';

const patience = 60_000;
const isAlone = process.argv[2] === 'alone';
const asked = new Promise((resolve) => {
  process.stdin.on('end', resolve).on('error', resolve).resume();
  process.on('SIGTERM', resolve);
});
// Nobody may be left to read the answer.
process.stdout.on('error', () => process.stdin.destroy());

const folder = mkdtempSync(join(tmpdir(), 'argus-engine-'));
const log = join(folder, 'dockerd.log');
const host = `unix://${join(folder, 'docker.sock')}`;
// Not named after its block: one in another network may have the same.
const group = basename(folder);
/** @type {import('./engine-block.mjs').EngineBlock | undefined} */
let block;
/** @type {import('node:child_process').ChildProcess | undefined} */
let engine;
try {
  if (!isAlone) block = await takeBlock();
  engine = startEngine();
  await tell(engine);
  createInterface({ input: process.stdin }).on('line', () => void startAgain());
  await asked;
} catch (error) {
  tellMissing(error);
} finally {
  if (engine) await end(engine);
  removeGroups(group);
  if (block) await freeBlock(block);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
process.exit();

async function startAgain() {
  try {
    if (engine) await end(engine);
    // Inside, the next one has the same numbers, and takes itself for somebody else who runs already.
    for (const file of ['dockerd.pid', 'exec/containerd/containerd.pid']) {
      rmSync(join(folder, file), { force: true });
    }
    engine = startEngine();
    await tell(engine);
  } catch (error) {
    tellMissing(error);
  }
}

/** @param {import('node:child_process').ChildProcess} engine */
async function tell(engine) {
  const dockerRoot = await answerOf(engine);
  process.stdout.write(`${JSON.stringify({ host, dockerRoot })}\n`);
}

/** @param {unknown} error */
function tellMissing(error) {
  const missing = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ missing })}\n`);
}

/**
 * With ids and mounts of its own, all that dockerd starts ends with it and all that it mounts is gone. Unless it is to be
 * alone the network is the machine's: tests reach published ports on the loopback address. `sh` stays to bury the dead,
 * as the first process must.
 */
function startEngine() {
  const output = openSync(log, 'a');
  return spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--mount-proc', '--kill-child', ...(isAlone ? ['--net'] : [])],
      ...['sh', '-c', `${isAlone ? 'ip link set lo up;' : ''} dockerd "$@" & wait "$!"`, 'sh'],
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'dockerd.pid'), '--host', host],
      ...(block ? blockOptions(block) : []),
      ...groupOptions(group),
    ],
    { stdio: ['ignore', output, output] },
  );
}

/**
 * Waits until the engine answers and gives its root folder.
 * @param {import('node:child_process').ChildProcess} engine
 * @returns {Promise<string>}
 */
async function answerOf(engine) {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    if (engine.exitCode !== null || engine.signalCode !== null) {
      throw new Error(`dockerd ended at once: ${lastWords()}`);
    }
    try {
      const { stdout } = await promisify(execFile)(
        'docker',
        ['--host', host, 'info', '--format', '{{.DockerRootDir}}'],
        { timeout: 5000 },
      );
      if (stdout.trim() !== '') return stdout.trim();
    } catch {
      // Not yet up.
    }
    await sleep(50);
  }
  throw new Error(`dockerd did not answer within ${patience / 1000} s: ${lastWords()}`);
}

/** @param {import('node:child_process').ChildProcess} engine */
async function end(engine) {
  if (engine.exitCode !== null || engine.signalCode !== null || engine.pid === undefined) return;
  const gone = new Promise((resolve) => engine.once('exit', resolve));
  // The first process inside takes all others along; `unshare` returns when the last of them is gone.
  const first = readFileSync(`/proc/${engine.pid}/task/${engine.pid}/children`, 'utf8').trim();
  process.kill(first === '' ? engine.pid : Number(first), 'SIGKILL');
  await gone;
}

function lastWords() {
  return readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' | ');
}
