import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemoryStore } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../fixtures/temp-folder.js';
import type { ProcessRecord } from './process-record.js';
import { ProcessRecords } from './process-records.js';

describe('the records of processes', () => {
  it('are found in the store and in the folders, each once', async () => {
    const { base, store, records, record } = await setting();
    await records.save(record('api'));
    await records.save(record('web', { runId: 'run-2', createdAt: 2 }));
    expect((await records.list({ project: 'shop' })).map(({ service }) => service)).toEqual(['api', 'web']);
    expect(await records.list({ project: 'other' })).toEqual([]);
    expect(await records.list({ runId: 'run-2' })).toEqual([record('web', { runId: 'run-2', createdAt: 2 })]);

    const withoutStore = new ProcessRecords(createMemoryStore(), () => base);
    expect(await withoutStore.list({ project: 'shop' })).toHaveLength(2);
    expect(await withoutStore.find('run-1', 'api')).toEqual(record('api'));
    const withoutFolders = new ProcessRecords(store, () => join(base, 'elsewhere'));
    expect(await withoutFolders.list({ project: 'shop' })).toHaveLength(2);
    expect(await withoutFolders.find('run-1', 'api')).toEqual(record('api'));
  });

  it('are not made of what is damaged, copied or something else', async () => {
    const { base, records, record, store } = await setting();
    await records.save(record('api'));
    await cp(join(base, 'run-1', 'api'), join(base, 'run-1', 'copy'), { recursive: true });
    await mkdir(join(base, 'run-1', 'half'));
    await writeFile(join(base, 'run-1', 'half', 'record.json'), '{"project":');
    await writeFile(join(base, 'a-file'), '');
    await store.put('processes', 'run-1/odd', { service: 'odd' });
    expect(await records.list({})).toEqual([record('api')]);
    expect(await records.find('run-1', 'odd')).toBeUndefined();
  });

  it('take their folders along when they are removed, and those that someone did not finish removing', async () => {
    const { base, records, record } = await setting();
    await records.save(record('api'));
    await records.save(record('web'));
    await mkdir(join(base, 'run-1', 'old~removed-1'));
    await records.remove(record('api'));
    expect(await readdir(join(base, 'run-1'))).toEqual(['web']);
    await records.remove(record('web'));
    await records.remove(record('web'));
    expect(await readdir(base)).toEqual([]);
    expect(await records.list({})).toEqual([]);
  });
});

async function setting() {
  const base = await tempFolder();
  const store = createMemoryStore();
  const records = new ProcessRecords(store, () => base);
  const record = (service: string, rest: Partial<ProcessRecord> = {}): ProcessRecord => ({
    project: 'shop',
    runId: 'run-1',
    store: 's',
    worktree: '/w',
    host: 'h',
    service,
    spec: 'x',
    oneShot: false,
    dir: join(base, rest.runId ?? 'run-1', service),
    ports: [],
    createdAt: 1,
    ...rest,
  });
  return { base, store, records, record };
}
