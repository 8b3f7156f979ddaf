import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.js';
import { makeFolder } from './fixtures/make-folder.js';

function open(dir: string) {
  const store = createSqliteStore({ dir });
  onTestFinished(() => store.close());
  return store;
}

describe('opening', () => {
  it('creates nothing until something is stored', async () => {
    const dir = join(makeFolder(), 'state', 'argus');
    const store = open(dir);
    expect(await store.get('namespace', 'key')).toBeUndefined();
    expect(await store.list('namespace')).toEqual([]);
    expect(await store.read('stream')).toEqual([]);
    expect(existsSync(dir)).toBe(false);
    await store.put('namespace', 'key', 1);
    expect(readdirSync(dir)).toContain('argus.db');
  });

  it('does not load libsql before it is needed', () => {
    const program = fileURLToPath(new URL('./fixtures/say-what-is-loaded.mjs', import.meta.url));
    const said = execFileSync(process.execPath, [program, makeFolder()], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([false, false, true]);
  });

  it.skipIf(process.platform === 'win32')('keeps the folder and the files to their owner', async () => {
    const dir = join(makeFolder(), 'argus');
    await open(dir).put('namespace', 'key', 1);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(dir)).toBe(0o700);
    const files = readdirSync(dir);
    expect(files.map((file) => modeOf(join(dir, file)))).toEqual(files.map(() => 0o600));
  });

  it('writes ahead and synchronises normally', async () => {
    const dir = makeFolder();
    await open(dir).put('namespace', 'key', 1);
    const database = new Database(join(dir, 'argus.db'));
    expect(database.prepare('PRAGMA journal_mode').raw().get()).toEqual(['wal']);
    database.close();
  });

  it('makes an identity when it is first asked for one', async () => {
    const dir = makeFolder();
    const id = await open(dir).id();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(await open(dir).id()).toBe(id);
  });

  it('goes on with a file that was left empty', async () => {
    const dir = makeFolder();
    writeFileSync(join(dir, 'argus.db'), '');
    const store = open(dir);
    expect(await store.get('namespace', 'key')).toBeUndefined();
    await store.put('namespace', 'key', 1);
    expect(store.notices()).toEqual([]);
  });

  it('begins anew when its folder is removed while it is open', async () => {
    const dir = join(makeFolder(), 'argus');
    const store = open(dir);
    await store.put('namespace', 'key', 1);
    const before = await store.put('namespace', 'key', 2);
    rmSync(dir, { recursive: true });
    expect(await store.get('namespace', 'key')).toBeUndefined();
    const after = await store.put('namespace', 'other', 3);
    expect((await open(dir).list('namespace')).map(({ key }) => key)).toEqual(['other']);
    expect(before.stored && after.stored && after.revision > before.revision).toBe(true);
  });

  it('refuses calls that were made before it was closed but come after it', async () => {
    const store = open(makeFolder());
    const put = store.put('namespace', 'key', 1);
    await store.close();
    await expect(put).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
