import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../environment/runs/run-record.js';
import { createRun } from '../environment/runs/runs.js';
import { definePlugin } from '../model/plugin.js';
import { runOperation } from '../operations/run-operation.js';
import { createMemoryStore } from '../state/memory-store.js';
import type { StateStore } from '../state/state-store.js';
import { openForOperation } from './open-for-operation.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'argus-recorded-'));
});
afterEach(() => rm(dir, { recursive: true }));

function runOf(id: string, project: string, worktree = dir): RunRecord {
  const owner = { host: 'h', pid: 1, startedAt: 'x' };
  const times = { createdAt: Number(id.slice(1)), leaseUntil: Number.MAX_SAFE_INTEGER };
  return {
    id,
    project,
    worktree,
    store: 's',
    owner,
    ...times,
    state: 'up',
    services: {},
    portMappings: [],
  };
}

async function open(text: string, runs: readonly RunRecord[], more: Partial<StateStore> = {}) {
  await writeFile(join(dir, 'argus.config.yaml'), text);
  const store = Object.assign(createMemoryStore(), more);
  for (const run of runs) await createRun(store, run);
  const folders: string[] = [];
  const openStore = (folder: string) => {
    folders.push(folder);
    return store;
  };
  const builtins = { tea: async () => definePlugin({ name: 'tea', apply: () => undefined }) };
  const options = { cwd: dir, builtins, openStore, env: { XDG_STATE_HOME: '/state' } };
  return { folders, openFor: (operation: string) => openForOperation(operation, options) };
}

const brokenForm = 'services: [}';
const unknownKey = 'project: { name: shop }\nservces: {}\nstate: { dir: here }\n';

describe('a folder whose configuration cannot be used', () => {
  it('is opened with what is recorded of it, for those operations that can do with that', async () => {
    const { openFor } = await open(brokenForm, [runOf('r1', 'shop'), runOf('r2', 'other', '/other')]);
    await expect(openFor('setup')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    for (const name of ['status', 'logs', 'clean']) {
      const { kernel, close } = await openFor(name);
      expect(kernel).toMatchObject({
        project: { name: 'shop', dir },
        configProblem: { code: 'CONFIG_INVALID' },
      });
      const operation = kernel.operations.get(name);
      expect(operation && (await runOperation(kernel, operation, { run: 'r1' }))).toMatchObject({
        ok: true,
        notices: [{ code: 'CONFIG_INVALID' }],
      });
      if (name === 'clean') await close();
    }
  });

  it('goes by what can be read of it: the name and the folder of the state', async () => {
    const { openFor, folders } = await open(unknownKey, [runOf('r1', 'before')]);
    const { kernel } = await openFor('status');
    expect(kernel.project.name).toBe('shop');
    expect(folders.at(-1)).toBe(join(dir, 'here'));
    await writeFile(join(dir, 'package.json'), '{ "name": "packed" }');
    await writeFile(join(dir, 'argus.config.yaml'), 'servces: {}');
    expect((await openFor('status')).kernel.project.name).toBe('packed');
    // A name that is no name says nothing.
    await writeFile(join(dir, 'argus.config.yaml'), 'project: { name: 7 }');
    expect((await openFor('status')).kernel.project.name).toBe('before');
  });

  it('is opened for what was lost with a store when its name can be read', async () => {
    const { openFor } = await open(unknownKey, [], { formerIds: async () => ['gone'] });
    expect((await openFor('status')).kernel.project.name).toBe('shop');
  });

  it('chooses none of several, and is told what is wrong where nothing is recorded', async () => {
    const several = await open(brokenForm, [runOf('r1', 'one'), runOf('r2', 'two')]);
    const { kernel } = await several.openFor('clean');
    expect(kernel.project.name).toBe('');
    const run = async (name: string, input = {}) => {
      const operation = kernel.operations.get(name);
      return operation && runOperation(kernel, operation, input);
    };
    expect(await run('clean')).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
    expect(await run('clean', { allRuns: true })).toMatchObject({ error: { code: 'CONFIG_INVALID' } });
    expect(await run('status')).toMatchObject({ data: { run: null, unrecorded: expect.any(String) } });
    expect(await run('clean', { run: 'r1', allRuns: true })).toMatchObject({
      error: { code: 'USAGE_INVALID' },
    });
    expect(await run('clean', { run: 'r1' })).toMatchObject({ ok: true });
    const none = await open(brokenForm, [runOf('r1', 'one', '/elsewhere')]);
    await expect(none.openFor('status')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('keeps the secrets of a text that cannot be read', async () => {
    const text = 'services: [}\n  API_TOKEN: "s3cret-token-value"\n';
    const { openFor } = await open(text, [runOf('r1', 'shop')]);
    const { kernel } = await openFor('logs');
    expect(kernel.redactor.text('it is s3cret-token-value')).not.toContain('s3cret');
  });
});
