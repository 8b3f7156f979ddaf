import { readdirSync, readFileSync } from 'node:fs';
import { startOf } from '../programs/process-table.mjs';

/** A process and when it began, which together are never used again. */
export interface KnownProcess {
  readonly pid: number;
  readonly start: string;
}

/**
 * The processes that were started with all these environment variables, wherever they have gone since. This process and
 * those that wait for it are left out. Only Linux shows the environment of processes for so little; elsewhere there
 * are none.
 */
export function markedProcesses(marks: Readonly<Record<string, string>>): KnownProcess[] {
  if (process.platform !== 'linux') return [];
  const wanted = Object.entries(marks).map(([name, value]) => `${name}=${value}`);
  const own = ownLine();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !own.has(pid))
    .flatMap((pid) => {
      const start = startOf(pid);
      const variables = new Set(read(pid, 'environ').split('\0'));
      const isMarked = start !== undefined && wanted.every((mark) => variables.has(mark));
      // Read again: in between the number may have become that of another process.
      return isMarked && startOf(pid) === start && !hasEnded(pid) ? [{ pid, start }] : [];
    });
}

/** This process, its parent, and so on. */
function ownLine(): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = Number(fieldsOf(pid)[1] ?? 0)) line.add(pid);
  return line;
}

/** What has ended and only waits for someone to take note has nothing left that could be ended. */
function hasEnded(pid: number): boolean {
  return ['Z', 'X', undefined].includes(fieldsOf(pid)[0]);
}

/** The fields of a process after its name, which may itself hold spaces and parentheses. */
function fieldsOf(pid: number): string[] {
  const stat = read(pid, 'stat');
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(pid: number, file: 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended meanwhile, or it is somebody else's and thus none of ours.
    return '';
  }
}
