import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Who holds a lock.
 * @typedef {{ token: string, pid: number, started: string }} LockOwner
 */

const hour = 3_600_000;

/**
 * Runs some work while no other process holds the lock. What a dead process left behind does not count.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(owner: LockOwner) => void} [onWait] Called once when another process has to be waited for.
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  const token = await acquire(path, onWait);
  try {
    return await work();
  } finally {
    bury(path, token);
  }
}

/**
 * @param {string} path
 * @param {(owner: LockOwner) => void} [onWait]
 */
async function acquire(path, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  clearGraves(path);
  const token = randomUUID();
  const draft = `${path}.draft-${token}`;
  mkdirSync(draft);
  writeFileSync(
    join(draft, 'owner.json'),
    JSON.stringify({ token, pid: process.pid, started: startOf(process.pid) }),
  );
  let waiting = false;
  // A folder cannot be renamed onto one with something in it, so this either takes the lock, owner and all, or fails.
  while (!renamed(draft, path)) {
    const owner = readOwner(path);
    if (owner !== undefined && !isAlive(owner)) {
      bury(path, owner.token);
      continue;
    }
    if (owner !== undefined && !waiting) {
      onWait?.(owner);
      waiting = true;
    }
    await sleep(50);
  }
  return token;
}

/**
 * Moves a lock out of the way. The grave carries the owner's token and stays for an hour: a second process that saw the
 * same dead owner fails to move the next owner's lock there.
 * @param {string} path
 * @param {string} token
 */
function bury(path, token) {
  const now = new Date();
  // The hour counts from now on, and a rename keeps the time of the folder.
  if (statSync(path, { throwIfNoEntry: false })) utimesSync(path, now, now);
  renamed(path, `${path}.grave-${token}`);
}

/** @param {string} path */
function clearGraves(path) {
  for (const name of readdirSync(dirname(path))) {
    const folder = join(dirname(path), name);
    const buried = name.startsWith(`${basename(path)}.grave-`) && statSync(folder, { throwIfNoEntry: false });
    if (buried && Date.now() - buried.mtimeMs > hour) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function renamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {LockOwner | undefined}
 */
function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'));
  } catch (error) {
    // It was released between the attempt to take it and this look.
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {LockOwner} owner */
function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return startOf(pid) === started;
}

/**
 * When a process began, where the system tells it: another process may have got the same id since.
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // No /proc here: then the id alone has to do.
    return '';
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
