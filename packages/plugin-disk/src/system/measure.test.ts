import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../../tests/support/small-filesystem.js';
import { tempFolder } from '../fixtures/temp-folder.js';
import { measure } from './measure.js';

const { signal } = new AbortController();
const noMounting = await whyNoMounting();

describe('the measurement of a filesystem', () => {
  it('agrees with df about its size and where it begins', async () => {
    const dir = await tempFolder();
    const { stdout } = await promisify(execFile)('df', ['-P', '-k', dir]);
    const [, kilobytes, , , , mount] = stdout.trim().split('\n').at(-1)?.split(/\s+/) ?? [];

    const measurement = await measure(dir, signal);

    expect(measurement.mount).toBe(mount);
    expect(Math.ceil((measurement.space?.total ?? 0) / 1024)).toBe(Number(kilobytes));
  });

  it('is of the same device for a folder and what is below it, also through a link', async () => {
    const dir = await tempFolder();
    await mkdir(join(dir, 'below'));
    await symlink(join(dir, 'below'), join(dir, 'link'));

    const [top, below, link] = await Promise.all(
      [dir, join(dir, 'below'), join(dir, 'link')].map((path) => measure(path, signal)),
    );

    expect(below?.device).toBe(top?.device);
    expect(link).toMatchObject({ device: top?.device, mount: top?.mount });
  });

  it('throws for a folder that is not there', async () => {
    await expect(measure('/no/such/folder', signal)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  describe.skipIf(noMounting)(`on a small filesystem${noMounting ? ` (none: ${noMounting})` : ''}`, () => {
    it('counts the bytes and inodes that are left', async () => {
      const dir = await smallFilesystem({ size: '1m', inodes: 100 });
      const empty = await measure(dir, signal);
      expect(empty).toMatchObject({
        mount: dir,
        space: { total: 1_048_576, available: 1_048_576 },
        inodes: { total: 100, available: 99 },
      });

      await writeFile(join(dir, 'file'), Buffer.alloc(409_600));
      expect(await measure(dir, signal)).toMatchObject({
        space: { total: 1_048_576, available: 638_976 },
        inodes: { total: 100, available: 98 },
      });
    });

    it('begins where it is mounted, seen from anywhere below', async () => {
      const dir = await smallFilesystem();
      await mkdir(join(dir, 'a', 'b'), { recursive: true });
      const below = await measure(join(dir, 'a', 'b'), signal);
      expect(below.mount).toBe(dir);
    });

    it('knows of no inode limit and no size where the filesystem has none', async () => {
      const unlimited = await smallFilesystem({ size: '0', inodes: 0 });
      expect(await measure(unlimited, signal)).toMatchObject({ space: null, inodes: null });
    });
  });
});
