import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from '../time/clock.js';
import { pause } from '../time/pause.js';

/** How often it is looked whether processes have ended, in milliseconds. */
const pollMs = 50;

/** How often one is looked at that shows no variables at all: for a moment nothing does that becomes another program. */
const patientLooks = 3;

const markName = 'ARGUS_COMMAND';

/** A variable by which a command and all that it starts are known, also when the command itself is gone. */
export interface Mark {
  readonly [markName]: string;
}

/** A mark that nobody else has. */
export function newMark(): Mark {
  return { [markName]: randomUUID() };
}

/**
 * Ends what a command has left running: what carries its mark and is in the group of this process, which the command shares.
 * A process that got itself a group of its own was meant to stay. All are asked to, and what is still there after a while is killed.
 */
export async function endMarked(
  clock: Clock,
  mark: Mark,
  graceMs: number,
  onEnd: (pid: number) => void = () => undefined,
): Promise<void> {
  const giveUpAt = clock.monotonic() + graceMs;
  const told = new Set<number>();
  for (let unclearLooks = 0; ; ) {
    const { left, isUnclear } = await carriersOf(mark);
    const isLate = clock.monotonic() >= giveUpAt;
    for (const pid of left.filter((one) => isLate || !told.has(one))) {
      if (!told.has(pid)) onEnd(pid);
      told.add(pid);
      send(pid, isLate ? 'SIGKILL' : 'SIGTERM');
    }
    if (left.length === 0 && isUnclear) unclearLooks += 1;
    if (isLate || (left.length === 0 && (!isUnclear || unclearLooks > patientLooks))) return;
    await pause(clock, pollMs);
  }
}

interface Carriers {
  readonly left: readonly number[];
  /** There is one of which it cannot be told at this moment. */
  readonly isUnclear: boolean;
}

/** The processes with a mark in the group of this one, as far as this user may see that. */
async function carriersOf(mark: Mark): Promise<Carriers> {
  const line = `${markName}=${mark[markName]}`;
  return process.platform === 'linux' ? carriersInProc(line) : carriersListed(line);
}

async function carriersInProc(line: string): Promise<Carriers> {
  const own = await groupOf('self');
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const shown = await Promise.all(
    pids.map(async (pid) => {
      if (own === undefined || (await groupOf(pid)) !== own) return undefined;
      // What has ended meanwhile, or is somebody else's, is not shown.
      return readFile(`/proc/${pid}/environ`, 'utf8').catch(() => undefined);
    }),
  );
  const left = pids.filter((_, index) => shown[index]?.split('\0').includes(line));
  return { left, isUnclear: shown.includes('') };
}

/** The group of a process that has not ended. */
async function groupOf(pid: number | 'self'): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program is in parentheses and may itself hold spaces and parentheses.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : group;
}

function carriersListed(line: string): Promise<Carriers> {
  return new Promise((resolve) => {
    const columns = ['-o', 'pid=', '-o', 'pgid=', '-o', 'command='];
    execFile('ps', ['-A', '-E', '-ww', ...columns], { timeout: 5_000, maxBuffer: 2 ** 26 }, (_, stdout) => {
      const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/));
      const group = rows.find(([pid]) => Number(pid) === process.pid)?.[1];
      const own = rows.filter((row) => group !== undefined && row[1] === group && row.includes(line));
      resolve({ left: own.map(([pid]) => Number(pid)), isUnclear: false });
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
