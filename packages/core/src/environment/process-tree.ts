import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';
import { processStart } from './process-identity.js';

/** How often it is looked whether processes have ended, in milliseconds. */
const pollMs = 50;

/**
 * Ends a process and those that it has started: all are asked to, and what is still there after a while is killed. The
 * tree is followed from parent to child, because a command in the foreground of a terminal shares the group of argus.
 */
export async function endTree(clock: Clock, root: number, graceMs: number): Promise<void> {
  const known = await identified([root, ...(await descendantsOf(root))]);
  for (const { pid } of known) send(pid, 'SIGTERM');
  const giveUpAt = clock.monotonic() + graceMs;
  let left = await stillThere(known);
  while (left.length > 0 && clock.monotonic() < giveUpAt) {
    await pause(clock, pollMs);
    left = await stillThere(left);
  }
  // What they have started meanwhile goes with them.
  const late = await Promise.all(left.map(({ pid }) => descendantsOf(pid)));
  for (const pid of [...left.map(({ pid }) => pid), ...late.flat()]) send(pid, 'SIGKILL');
}

/** A process, and what tells it from a later one with the same number. */
interface Known {
  readonly pid: number;
  readonly start: string;
}

async function identified(pids: readonly number[]): Promise<Known[]> {
  const starts = await Promise.all(pids.map(startOf));
  return pids.flatMap((pid, index) => {
    const start = starts[index];
    return start === undefined ? [] : [{ pid, start }];
  });
}

async function stillThere(known: readonly Known[]): Promise<Known[]> {
  const starts = await Promise.all(known.map(({ pid }) => startOf(pid)));
  return known.filter(({ start }, index) => starts[index] === start);
}

async function startOf(pid: number): Promise<string | undefined> {
  try {
    return await processStart(pid);
  } catch {
    // What cannot be looked at gets no signal.
    return undefined;
  }
}

/** The processes below one, as they are now. */
export async function descendantsOf(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of await parents()) {
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (let level = children.get(root) ?? []; level.length > 0; ) {
    found.push(...level);
    level = level.flatMap((pid) => children.get(pid) ?? []);
  }
  return found;
}

/** Every process with its parent; none when they cannot be listed, and then only the command itself is told. */
async function parents(): Promise<(readonly [pid: number, parent: number])[]> {
  return process.platform === 'linux' ? parentsInProc() : parentsListed();
}

async function parentsInProc(): Promise<(readonly [number, number])[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const pairs = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name of the program is in parentheses and may itself hold spaces and parentheses.
      return [pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
    }),
  );
  return pairs.filter(([, parent]) => parent > 0);
}

function parentsListed(): Promise<(readonly [number, number])[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { timeout: 5_000 }, (_, stdout) => {
      const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
      resolve(lines.flatMap(([pid = 0, parent = 0]) => (pid > 0 && parent > 0 ? [[pid, parent]] : [])));
    });
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in this moment, or it belongs to somebody else.
  }
}
