import { readFile } from 'node:fs/promises';
import { type Clock, markedProcesses } from '@argusai/core';
import { folderMarks, type MarkedRecord, readMarks } from '../command/marks.js';
import { recordId } from '../records/process-record.js';

/** For how long one look is good for all who ask during one piece of work, in milliseconds. */
const freshMs = 1_000;

/**
 * The services that run in a folder by what their processes carry, whoever has their records. Only Linux shows that, and only of
 * processes of this user; elsewhere none are known, which says nothing about whether there are any.
 */
export class MarkedServices {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #last: { readonly key: string; readonly at: number; readonly found: Promise<MarkedRecord[]> } | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Those of a project in a folder. To go through all processes is dear, so that a look is kept for a moment. */
  in(place: Pick<MarkedRecord, 'project' | 'worktree'>): Promise<MarkedRecord[]> {
    const key = JSON.stringify(folderMarks(place));
    const at = this.#clock.monotonic();
    if (this.#last?.key === key && at - this.#last.at < freshMs) return this.#last.found;
    const found = look(place);
    this.#last = { key, at, found };
    // Whoever asked is told; the next one looks again.
    found.catch(() => this.forget());
    return found;
  }

  /** Something was started or ended, so that the last look is not true any more. */
  forget(): void {
    this.#last = undefined;
  }
}

async function look(place: Pick<MarkedRecord, 'project' | 'worktree'>): Promise<MarkedRecord[]> {
  if (process.platform !== 'linux') return [];
  const { found } = await markedProcesses(folderMarks(place), 'anywhere');
  const marked = await Promise.all(found.map(({ pid }) => marksIn(pid)));
  const services = new Map<string, MarkedRecord>();
  for (const one of marked) if (one) services.set(`${one.store} ${recordId(one)}`, one);
  return [...services.values()];
}

async function marksIn(pid: number): Promise<MarkedRecord | undefined> {
  // What has ended meanwhile shows nothing, and is not there any more.
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const variables = text.split('\0').map((one) => {
    const at = one.indexOf('=');
    return [one.slice(0, at), one.slice(at + 1)] as const;
  });
  return readMarks(new Map(variables));
}
