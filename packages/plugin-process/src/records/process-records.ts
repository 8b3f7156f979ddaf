import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeOwnFolder, replaceOwnFile, type StateStore } from '@argusai/core';
import * as z from 'zod';
import { type ProcessRecord, processRecord, recordId } from './process-record.js';

const namespace = 'processes';
const endsOf = (project: string) => `process-ends/${project}`;
/** More than any option counts, of a few services. */
const keptEnds = { maxEntries: 500 };
const notedEnd = z.lazy(() =>
  z.object({ worktree: z.string(), service: z.string(), at: z.number(), exitCode: z.number() }),
);

/** That a service has ended by itself: when, and how. */
export interface End {
  readonly at: number;
  readonly exitCode: number;
}

const fileName = 'record.json';
/** In the name of a folder that is being removed. No service may have a tilde in its name. */
const removed = '~removed-';

/**
 * The records of processes, each in the store and, once more, in the folder of the service. So they are found by those who
 * look for them in another place, and also when the store was damaged and had to be begun anew.
 */
export class ProcessRecords {
  readonly #store: StateStore;
  readonly #base: () => string;

  /** Where the folders are is asked when one is needed: a user without a home folder may have none. */
  constructor(store: StateStore, base: () => string) {
    this.#store = store;
    this.#base = base;
  }

  /** The id of the store that the records are in. */
  storeId(): Promise<string> {
    return this.#store.id();
  }

  /** The folder of a service, which may not exist. */
  folderOf(runId: string, service: string): string {
    return join(this.#base(), encodeURIComponent(runId), encodeURIComponent(service));
  }

  /** The folder of the services of a run, which may not exist. */
  folderOfRun(runId: string): string {
    return join(this.#base(), encodeURIComponent(runId));
  }

  /** One record. */
  async find(runId: string, service: string): Promise<ProcessRecord | undefined> {
    const stored = await this.#store.get(namespace, recordId({ runId, service }));
    const kept = processRecord.safeParse(stored?.value);
    return kept.success ? kept.data : readRecord(this.folderOf(runId, service));
  }

  /** Every record of a project, or of one of its runs, by service. */
  async list(query: { project?: string; runId?: string }): Promise<ProcessRecord[]> {
    const found = new Map<string, ProcessRecord>();
    for (const record of [...(await this.#inFolders(query.runId)), ...(await this.#inStore())]) {
      const isAsked = query.runId === undefined || record.runId === query.runId;
      if (isAsked && (query.project ?? record.project) === record.project)
        found.set(recordId(record), record);
    }
    return [...found.values()].sort((a, b) => a.createdAt - b.createdAt || (a.service < b.service ? -1 : 1));
  }

  /** Keeps a record, in the store first: it names the folder, so that also one that is only half made is found. */
  async save(record: ProcessRecord): Promise<void> {
    await this.#store.put(namespace, recordId(record), record);
    for (const folder of [this.#base(), dirname(record.dir), record.dir]) makeOwnFolder(folder);
    replaceOwnFile(join(record.dir, fileName), JSON.stringify(record));
  }

  /** Removes the folder of a service with all that is in it, and its record. */
  async remove(record: ProcessRecord): Promise<void> {
    // Moved away in one go: a keeper that is only just beginning then finds no folder, and gives up.
    await rename(record.dir, `${record.dir}${removed}${process.pid}`).catch(unlessGone);
    const run = dirname(record.dir);
    // Also what someone moved away who was killed before he had removed it.
    const away = (await foldersIn(run)).filter((folder) => folder.includes(removed));
    await Promise.all(away.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
    await removeEmpty(run);
    await this.#store.delete(namespace, recordId(record));
  }

  /** Keeps how a service has ended by itself, for longer than its record. */
  async noteEnds({ project, worktree, service }: ProcessRecord, ends: readonly End[]): Promise<void> {
    for (const { at, exitCode } of ends)
      await this.#store.append(endsOf(project), { worktree, service, at, exitCode }, keptEnds);
  }

  /** How the services of a folder have ended by themselves whose records were removed since, oldest first. */
  async earlierEnds(project: string, worktree: string): Promise<(End & { readonly service: string })[]> {
    const entries = await this.#store.read(endsOf(project));
    const ends = entries.flatMap(({ value }) => notedEnd.safeParse(value).data ?? []);
    return ends.filter((end) => end.worktree === worktree);
  }

  async #inStore(): Promise<ProcessRecord[]> {
    const documents = await this.#store.list(namespace);
    return documents.flatMap(({ value }) => processRecord.safeParse(value).data ?? []);
  }

  async #inFolders(runId?: string): Promise<ProcessRecord[]> {
    const runs = runId === undefined ? await foldersIn(this.#base()) : [this.folderOfRun(runId)];
    const services = (await Promise.all(runs.map(foldersIn))).flat();
    const records = await Promise.all(services.map(readRecord));
    return records.filter((record) => record !== undefined);
  }
}

/** Removes the folder of a run without services. A keeper that still listens there keeps none, and is about to end. */
async function removeEmpty(run: string): Promise<void> {
  if ((await foldersIn(run)).length > 0) return;
  const files = (await readdir(run).catch(() => [])).filter((name) => name.startsWith('keeper'));
  await Promise.all(files.map((name) => rm(join(run, name), { force: true })));
  await rmdir(run).catch(unlessGone);
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

async function readRecord(dir: string): Promise<ProcessRecord | undefined> {
  try {
    const record = processRecord.safeParse(JSON.parse(await readFile(join(dir, fileName), 'utf8')));
    // A folder that was copied or moved here speaks of another one.
    return record.success && record.data.dir === dir ? record.data : undefined;
  } catch (error) {
    // A record is written before anything is started, so without one nothing was.
    if (isGone(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A folder that is gone already, or one that others still use, is fine. */
function unlessGone(error: unknown): void {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!isGone(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
}

function isGone(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
