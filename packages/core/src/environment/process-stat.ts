import { readdir, readFile } from 'node:fs/promises';

/** What Linux says of a process. */
export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  /** When it began, in ticks since the start of the system. */
  readonly ticks: string;
  /** It only waits for its parent to take note. */
  readonly hasEnded: boolean;
}

/** What Linux says of a process; nothing when there is no such process. It throws when that cannot be told. */
export async function processStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, ticks] = [fields[0], fields[1], fields[2], fields[19]];
    if (ticks === undefined) return undefined;
    const hasEnded = state === 'Z' || state === 'X';
    return { parent: Number(parent), group: Number(group), ticks, hasEnded };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // There is no such process, or it went away while it was read.
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** The same, for those to whom a process that cannot be looked at is as good as none. */
export function visibleStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  return processStat(pid).catch(() => undefined);
}

/** The numbers of all processes on Linux; none when they cannot be listed. */
export async function allPids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.map(Number).filter((pid) => pid > 0);
}
