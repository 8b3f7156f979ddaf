import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { bundleStore } from './fixtures/bundled-store.js';
import { makeFolder } from './fixtures/make-folder.js';
import { isSurelyEmpty } from './held-file.js';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const patience = 120_000;
const module = bundleStore();

/** What is in a namespace, as SQLite itself sees it. */
function countIn(dir: string, namespace: string): number {
  const database = new Database(join(dir, 'argus.db'));
  const [count] = database
    .prepare('SELECT count(*) FROM documents WHERE namespace = ?')
    .raw()
    .get(namespace) as [number];
  database.close();
  return count;
}

interface Told {
  readonly key: string;
  readonly value: number | null;
}

interface Observed {
  readonly step: string;
  readonly namespace: string;
  readonly saidToBeEmpty: boolean;
  readonly documents: number;
}

/** A process that puts and deletes a document of its own. */
async function startWriter(dir: string, key: string, pace: 'watched' | 'quick'): Promise<ChildProcess> {
  const child = fork(pathOf('./fixtures/put-and-delete.mjs'), [module, dir, key, pace], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await told(child);
  return child;
}

/** The next thing that a process says. Fails when it ends instead. */
async function told(writer: ChildProcess): Promise<Told> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(writer, 'exit', { signal }).then(([code]) => {
    throw new Error(`A writer ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(writer, 'message', { signal }), ended]);
    return message;
  } finally {
    over.abort();
    ended.catch(() => undefined);
  }
}

function startWriters(dir: string, count: number, pace: 'watched' | 'quick'): Promise<ChildProcess[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => startWriter(dir, `key ${n}`, pace)));
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  const [code, signal] = await gone;
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
}

describe('the record of what holds nothing, shared by processes', () => {
  it(
    'never hides a document whose storing was acknowledged, while eight processes fill and empty one namespace',
    async () => {
      const dir = makeFolder();
      const writers = await startWriters(dir, 8, 'watched');
      const wrong: string[] = [];
      const follow = async (writer: ChildProcess) => {
        for (let step = 0; step < 50; step += 1) {
          writer.send('go on');
          const { key, value } = await told(writer);
          const store = createSqliteStore({ dir });
          const found = (await store.get('shared', key))?.value ?? null;
          await store.close();
          if (found !== value) wrong.push(`${key} should be ${value} and is ${found}`);
        }
      };
      await Promise.all(writers.map(follow));
      expect(wrong).toEqual([]);
      await Promise.all(writers.map(kill));
    },
    patience,
  );

  it(
    'never hides a document when processes are killed while they fill and empty a namespace',
    async () => {
      const dir = makeFolder();
      let filled = 0;
      for (let round = 0; round < 8; round += 1) {
        const writers = await startWriters(dir, 3, 'quick');
        const work = async (writer: ChildProcess) => {
          writer.send('go on');
          for (let step = 0; step <= round; step += 1) await told(writer);
        };
        await Promise.all(writers.map(work));
        await Promise.all(writers.map(kill));
        // Asked first, as looking with SQLite may change the file.
        const claim = isSurelyEmpty(join(dir, 'argus.db'), 'shared');
        const count = countIn(dir, 'shared');
        expect(claim && count > 0).toBe(false);
        if (count > 0) filled += 1;
        const store = createSqliteStore({ dir });
        const documents = await store.list('shared');
        expect(documents).toHaveLength(count);
        for (const { key } of documents) await store.delete('shared', key);
        await store.close();
      }
      expect(filled).toBeGreaterThan(0);
    },
    patience,
  );

  it('never hides a document, whichever step of writing is the last', () => {
    const program = pathOf('./fixtures/observe-each-step.mjs');
    const output = execFileSync(process.execPath, [program, module, makeFolder()], { encoding: 'utf8' });
    const observed: Observed[] = JSON.parse(output);
    expect(observed.filter(({ saidToBeEmpty, documents }) => saidToBeEmpty && documents > 0)).toEqual([]);
    const changes = (of: (each: Observed) => unknown) =>
      observed
        .filter(({ namespace }) => namespace === 'failures')
        .map(of)
        .filter((each, n, all) => each !== all[n - 1]);
    expect(changes(({ documents }) => documents)).toEqual([0, 1, 2, 1, 0, 1, 0]);
    // Filled and emptied twice. At the end the log is copied into the file, and the record is of the file before that.
    const said = changes(({ saidToBeEmpty }) => saidToBeEmpty);
    expect(said).toEqual([true, false, true, false, true, false, true]);
  });
});
