import { readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../../tests/support/small-filesystem.js';
import { forever, node, service } from '../fixtures/service.js';
import { makeWorld } from '../fixtures/world.js';

const noMounting = await whyNoMounting();

/** A runtime on a disk with room for so many files of a few bytes. */
async function withRoomFor(files: number) {
  const state = await smallFilesystem();
  const { bavail, bsize } = await statfs(state);
  await writeFile(join(state, 'filler'), Buffer.alloc((bavail - files) * bsize));
  return makeWorld(undefined, undefined, state);
}

describe.skipIf(noMounting !== undefined)('a service whose folder is on a full disk', () => {
  // The first file that a start writes is the record, the others are the state before and after the command was started.
  it.each([0, 1, 2])(
    'is not started, and the error says where there is no room (for %i files)',
    async (files) => {
      const world = await withRoomFor(files);
      const folder = world.records.folderOf('run-1', 'api');
      await expect(world.start(service('api', { command: node(forever) }))).rejects.toMatchObject({
        code: 'DISK_SPACE_LOW',
        message: `There is no room for the records of api in ${folder}: 0 B free`,
        error: {
          severity: 'fatal',
          details: { path: folder, available: 0, required: 2_000_000_000, unit: 'bytes', total: 1_048_576 },
        },
      });
      expect(await world.inspect('api')).toEqual({ service: 'api', status: 'missing' });
      expect(await readdir(world.base, { recursive: true })).toEqual([]);
    },
  );
});
