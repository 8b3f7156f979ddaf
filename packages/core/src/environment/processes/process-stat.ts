import { readdirSync, readFileSync } from 'node:fs';

/** How Linux marks its own threads. */
const kernelFlag = 0x00200000;

/** What Linux says of a process. */
export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  /** When it began, in ticks since the start of the system. */
  readonly ticks: string;
  /** It only waits for its parent to take note. */
  readonly hasEnded: boolean;
  /** It is a thread of the kernel, which has no variables. */
  readonly isKernels: boolean;
}

/**
 * What Linux says of a process; nothing when there is no such process. It throws when that cannot be told. Read at once, because the
 * kernel has it in memory: to have it read by another thread takes ten times as long.
 */
export async function processStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, flags, ticks] = [fields[0], fields[1], fields[2], fields[6], fields[19]];
    if (ticks === undefined) return undefined;
    const hasEnded = state === 'Z' || state === 'X';
    const isKernels = (Number(flags) & kernelFlag) !== 0;
    return { parent: Number(parent), group: Number(group), ticks, hasEnded, isKernels };
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
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    // It is hidden from this user, or not mounted.
    return [];
  }
}
