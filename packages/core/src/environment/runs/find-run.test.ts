import { mkdtempSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Kernel } from '../../kernel/kernel.js';
import { createMemoryStore } from '../../state/memory-store.js';
import { makeWorld, modelService } from '../fixtures/environment-kernel.js';
import { setUp } from '../setup/set-up.js';
import { statusOf } from '../status/status-of.js';
import { findRun } from './find-run.js';
import { changeRun } from './runs.js';
import { runsOfGoneFolders, runsOfOtherNames, unknownBeside } from './runs-beside.js';

const services = { api: modelService({ image: 'api' }) };

/** A folder that is there, with an environment that is up in it. */
async function up() {
  const dir = mkdtempSync(join(tmpdir(), 'argus-found-'));
  onTestFinished(() => rmdirSync(dir));
  const world = makeWorld();
  const kernel = world.open({ services }, { dir });
  const { runId } = await world.passing(setUp(kernel, { build: true }, world.signal));
  const as = (name: string, folder = dir): Kernel => ({ ...kernel, project: { name, dir: folder } });
  return { world, kernel, runId, as, dir };
}

describe('the run that is meant', () => {
  it('is that of the folder and the name, or the one that is named', async () => {
    const { world, kernel, runId, as } = await up();
    expect(await findRun(kernel, undefined, 'end', world.signal)).toMatchObject({ run: { id: runId } });
    const renamed = as('renamed');
    expect(await findRun(renamed, undefined, 'end', world.signal)).toBeUndefined();
    expect(await findRun(renamed, runId, 'end', world.signal)).toMatchObject({ run: { id: runId } });
    await expect(findRun(renamed, `${runId}x`, 'look', world.signal)).rejects.toMatchObject({
      error: { code: 'USAGE_INVALID', message: expect.stringContaining(`did you mean ${runId}?`) },
    });
  });

  it('is ended from its own folder only, as long as that is there', async () => {
    const { world, runId, as } = await up();
    const sibling = as('test', '/sibling');
    expect(await findRun(sibling, runId, 'look', world.signal)).toMatchObject({ run: { id: runId } });
    const refused = {
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('ask for it there') },
    };
    await expect(findRun(sibling, runId, 'end', world.signal)).rejects.toMatchObject(refused);
    await expect(findRun(as('x', '/sibling'), runId, 'look', world.signal)).rejects.toMatchObject(refused);
    const known = async (use: 'look' | 'end') => {
      const thrown = await findRun(sibling, 'nope', use, world.signal).catch((error) => error);
      return { known: thrown.error.details.known, message: thrown.message };
    };
    expect(await known('look')).toEqual({
      known: [runId],
      message: `There is no run nope; known here: ${runId}`,
    });
    expect(await known('end')).toEqual({
      known: [],
      message: 'There is no run nope; none is known here',
    });
    await changeRun(world.store, runId, (run) => ({ ...run, worktree: '/is/gone' }));
    expect(await known('end')).toMatchObject({ known: [runId] });
    expect(await findRun(sibling, runId, 'end', world.signal)).toMatchObject({ run: { id: runId } });
  });

  it('is not taken for one of a folder that is gone where nobody can look at that folder', async () => {
    const { world, runId, as, dir } = await up();
    // Nobody can follow it, not even root, who may look everywhere.
    const unseen = join(dir, 'loop');
    symlinkSync(unseen, unseen);
    onTestFinished(() => rmSync(unseen));
    await changeRun(world.store, runId, (run) => ({ ...run, worktree: unseen }));
    const sibling = as('test', '/sibling');
    expect(await runsOfGoneFolders(sibling)).toEqual([]);
    await expect(findRun(sibling, runId, 'end', world.signal)).rejects.toMatchObject({
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('ask for it there') },
    });
    for (const worktree of [join(dir, 'nothing'), join(process.execPath, 'below-a-file')]) {
      await changeRun(world.store, runId, (run) => ({ ...run, worktree }));
      expect(await runsOfGoneFolders(sibling)).toMatchObject([{ details: { run: runId, worktree } }]);
      expect(await findRun(sibling, runId, 'end', world.signal)).toMatchObject({ run: { id: runId } });
    }
  });

  it('is found by its labels when its record was lost', async () => {
    const { world, kernel, runId } = await up();
    const store = createMemoryStore({ clock: world.clock, formerIds: [await world.store.id()] });
    const found = await findRun({ ...kernel, store }, runId, 'end', world.signal);
    expect(found).toMatchObject({ run: { id: runId }, lost: [{ name: 'api' }, { name: 'network' }] });
    const status = await statusOf({ ...kernel, store }, 'here', world.signal, found);
    expect(status).toMatchObject({ run: null, services: [{ name: 'api', status: 'running' }] });
  });

  it('is nobody’s guess where the configuration cannot be read and several were set up here', async () => {
    const { world, runId, as } = await up();
    await expect(findRun(as(''), undefined, 'end', world.signal)).rejects.toMatchObject({
      error: { code: 'USAGE_INVALID', details: { known: [runId] } },
    });
  });
});

describe('what else was set up in this folder', () => {
  it('is told where it has another name, with how it is', async () => {
    const { world, kernel, runId, as } = await up();
    expect(await runsOfOtherNames(kernel)).toEqual([]);
    const details = { run: runId, project: 'test', services: ['api'], alive: true };
    expect(await runsOfOtherNames(as('renamed'))).toMatchObject([{ code: 'RUN_OF_OTHER_NAME', details }]);
    await changeRun(world.store, runId, (run) => ({ ...run, leaseUntil: 0 }));
    expect(await runsOfOtherNames(as('renamed'))).toMatchObject([
      { message: expect.stringContaining('is over and was not taken down') },
    ]);
    expect(await runsOfOtherNames(as('renamed', '/elsewhere'))).toEqual([]);
  });

  it('is told where this store does not know it: its own former one, or another', async () => {
    const { world, kernel, runId } = await up();
    expect(await unknownBeside(kernel, world.signal)).toEqual({
      notices: [],
      unlooked: [],
      isNothingLost: true,
    });
    const formerIds = [await world.store.id()];
    const lost = { ...kernel, store: createMemoryStore({ clock: world.clock, formerIds }) };
    expect(await unknownBeside(lost, world.signal)).toMatchObject({
      notices: [{ code: 'RUN_RECORD_LOST', details: { run: runId, names: expect.any(Array) } }],
      isNothingLost: false,
    });
    const foreign = { ...kernel, store: createMemoryStore({ clock: world.clock }) };
    expect(await unknownBeside(foreign, world.signal)).toMatchObject({
      notices: [{ code: 'RUN_OF_OTHER_STORE', details: { runId, store: formerIds[0] } }],
      isNothingLost: true,
    });
    world.runtime.breaks('resources', new Error('it is down'));
    expect(await unknownBeside(lost, world.signal)).toMatchObject({
      notices: [],
      unlooked: [{ error: { message: expect.stringContaining('it is down') } }],
      isNothingLost: false,
    });
  });
});
