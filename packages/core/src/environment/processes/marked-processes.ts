import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { argumentList } from '../../model/argument-list.js';
import { identified, type KnownProcess, stillThere } from './known-process.js';
import { allPids, visibleStat } from './process-stat.js';

/** Variables by which processes are known, wherever they have gone since they were started. */
export type Marks = Readonly<Record<string, string>>;

/** What a search for marks has come to. */
export interface MarkedProcesses {
  readonly found: readonly KnownProcess[];
  /** There is one of which it cannot be told at this moment: for a moment none shows its variables that becomes another program. */
  readonly isUnclear: boolean;
}

/**
 * The processes that were started with all these environment variables, as far as this user may see that: those in the group of
 * this process, or wherever they are. This process and those that wait for it are left out. Elsewhere than on Linux arguments
 * cannot be told from variables, so that none are found outside of the own group.
 */
export async function markedProcesses(
  marks: Marks,
  within: 'own-group' | 'anywhere',
): Promise<MarkedProcesses> {
  const wanted = Object.entries(marks).map(([name, value]) => `${name}=${value}`);
  if (process.platform !== 'linux') {
    const pids = within === 'own-group' ? await listedInGroup(wanted) : [];
    // Where they cannot be listed there may be some.
    return { found: await identified(pids ?? []), isUnclear: pids === undefined };
  }
  const own = await visibleStat('self');
  if (!own) return { found: [], isUnclear: false };
  const line = await ownLine();
  const pids = (await allPids()).filter((pid) => !line.has(pid));
  const group = within === 'own-group' ? own.group : undefined;
  const looks = await Promise.all(pids.map((pid) => lookAt(pid, wanted, group)));
  const found = looks.filter((look) => typeof look === 'object');
  return { found, isUnclear: looks.includes('unclear') };
}

async function lookAt(
  pid: number,
  wanted: readonly string[],
  group: number | undefined,
): Promise<KnownProcess | 'unclear' | undefined> {
  const stat = await visibleStat(pid);
  if (!stat || stat.hasEnded || stat.isKernels || (group !== undefined && stat.group !== group))
    return undefined;
  // Most are of no interest, which one look tells.
  if ((await carries(pid, wanted)) === false) return undefined;
  const [known] = await identified([pid]);
  const isMarked = await carries(pid, wanted);
  if (!known || isMarked === false) return undefined;
  if (isMarked === undefined) return 'unclear';
  // Looked at again: in between the number may have become that of another process.
  return (await stillThere([known]))[0];
}

/** Whether a process was started with these variables; undefined for one that shows none at all. */
async function carries(pid: number, wanted: readonly string[]): Promise<boolean | undefined> {
  // What has ended meanwhile, or is somebody else's and thus none of ours, is not shown.
  const shown = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => 'not shown');
  if (shown === '') return undefined;
  const variables = new Set(shown.split('\0'));
  return wanted.every((mark) => variables.has(mark));
}

/** This process, its parent, and so on. */
async function ownLine(): Promise<Set<number>> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = (await visibleStat(pid))?.parent ?? 0)
    line.add(pid);
  return line;
}

/** Those in the own group that are listed with these variables; undefined when none can be listed. */
function listedInGroup(wanted: readonly string[]): Promise<number[] | undefined> {
  return new Promise((resolve) => {
    execFile(
      'ps',
      argumentList(['-A', '-E', '-ww', '-o', 'pid=', '-o', 'pgid=', '-o', 'command=']),
      { timeout: 5_000, maxBuffer: 2 ** 26 },
      (error, stdout) => {
        if (error) return resolve(undefined);
        const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/));
        const group = rows.find(([pid]) => Number(pid) === process.pid)?.[1];
        const own = rows.filter((row) => group !== undefined && row[1] === group);
        resolve(own.filter((row) => wanted.every((mark) => row.includes(mark))).map(([pid]) => Number(pid)));
      },
    );
  });
}
