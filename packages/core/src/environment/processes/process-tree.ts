import { execFile } from 'node:child_process';
import { argumentList } from '../../model/argument-list.js';
import { groupBy } from '../../model/group-by.js';
import type { Clock } from '../../time/clock.js';
import { pause } from '../../time/pause.js';
import { identified, signalKnown, stillThere } from './known-process.js';
import { allPids, visibleStat } from './process-stat.js';

/** How often it is looked whether processes have ended, in milliseconds. */
const pollMs = 50;

/**
 * Ends a process and those that it has started: all are asked to, and what is still there after a while is killed. The
 * tree is followed from parent to child, because a command in the foreground of a terminal shares the group of argus.
 */
export async function endTree(clock: Clock, root: number, graceMs: number): Promise<void> {
  const known = await identified([root, ...(await descendantsOf(root))]);
  await Promise.all(known.map((one) => signalKnown(one, 'SIGTERM')));
  const giveUpAt = clock.monotonic() + graceMs;
  let left = await stillThere(known);
  while (left.length > 0 && clock.monotonic() < giveUpAt) {
    await pause(clock, pollMs);
    left = await stillThere(left);
  }
  // What they have started meanwhile goes with them.
  const late = await Promise.all(left.map(({ pid }) => descendantsOf(pid)));
  const all = [...left, ...(await identified(late.flat()))];
  await Promise.all(all.map((one) => signalKnown(one, 'SIGKILL')));
}

/** The processes below one, as they are now. */
export async function descendantsOf(root: number): Promise<number[]> {
  const byParent = groupBy(await parents(), ([, parent]) => parent);
  const below = (pid: number) => (byParent.get(pid) ?? []).map(([child]) => child);
  const found: number[] = [];
  for (let level = below(root); level.length > 0; level = level.flatMap(below)) found.push(...level);
  return found;
}

/** Every process with its parent; none when they cannot be listed, and then only the command itself is told. */
async function parents(): Promise<(readonly [pid: number, parent: number])[]> {
  return process.platform === 'linux' ? parentsInProc() : parentsListed();
}

async function parentsInProc(): Promise<(readonly [number, number])[]> {
  const pids = await allPids();
  const stats = await Promise.all(pids.map(visibleStat));
  return pids
    .map((pid, index) => [pid, stats[index]?.parent ?? 0] as const)
    .filter(([, parent]) => parent > 0);
}

function parentsListed(): Promise<(readonly [number, number])[]> {
  return new Promise((resolve) => {
    execFile('ps', argumentList(['-A', '-o', 'pid=', '-o', 'ppid=']), { timeout: 5_000 }, (_, stdout) => {
      const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
      resolve(lines.flatMap(([pid = 0, parent = 0]) => (pid > 0 && parent > 0 ? [[pid, parent]] : [])));
    });
  });
}
