import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorOf } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../../tests/support/small-filesystem.js';
import { diskInodesLow } from '../error-codes.js';
import { runChecker } from '../fixtures/run-checker.js';
import { tempFolder } from '../fixtures/temp-folder.js';
import { inodesChecker } from './inodes.js';

const noMounting = await whyNoMounting();
const scopeOf = (tmpDir: string, paths: string[] = []) => ({
  paths,
  environment: () => ({ tmpDir, engineSockets: [] }),
});

describe('disk.inodes', () => {
  it('passes where nothing is wanted', async () => {
    const dir = await tempFolder();
    const { checks } = await runChecker(inodesChecker(0, scopeOf(dir)), dir);
    expect(checks).toMatchObject([{ name: 'disk.inodes', plugin: 'disk', status: 'pass' }]);
  });

  it('does not know about a configured folder that is not there', async () => {
    const dir = await tempFolder();
    const { checks } = await runChecker(inodesChecker(0, scopeOf(dir, ['missing'])), dir);
    expect(checks).toMatchObject([{ status: 'pass' }, { status: 'unknown', target: join(dir, 'missing') }]);
  });

  describe.skipIf(noMounting)(`on a small filesystem${noMounting ? ` (none: ${noMounting})` : ''}`, () => {
    it('passes, then warns, then fails while files are made', async () => {
      const dir = await smallFilesystem({ size: '4m', inodes: 100 });
      let used = 1; // The filesystem's own folder.
      const useUpTo = async (count: number) => {
        while (used < count) await writeFile(join(dir, `file-${used++}`), '');
      };
      const look = async () => {
        const { checks } = await runChecker(inodesChecker(50, scopeOf(dir)), dir);
        expect(checks).toHaveLength(1);
        return checks[0];
      };

      await useUpTo(50);
      expect(await look()).toMatchObject({
        status: 'pass',
        target: dir,
        message: `50% of the inodes free on ${dir}`,
        details: { available: 50, required: 50, total: 100 },
      });

      await useUpTo(51);
      const low = await look();
      expect(low).toMatchObject({
        status: 'warn',
        message: `49% of the inodes free on ${dir}, 50% wanted`,
        error: { code: 'DISK_INODES_LOW', category: 'infrastructure', severity: 'warning' },
      });
      expect(isErrorOf(low?.error, diskInodesLow) && low.error.details).toEqual({
        available: 49,
        required: 50,
        critical: 25,
        total: 100,
        unit: 'inodes',
        mount: dir,
        path: dir,
        paths: [{ path: dir, use: 'project' }],
      });

      await useUpTo(75);
      expect(await look()).toMatchObject({ status: 'warn', details: { available: 25 } });

      await useUpTo(76);
      expect(await look()).toMatchObject({
        status: 'fail',
        error: { severity: 'fatal' },
        details: { available: 24 },
      });
    });

    it('passes where the filesystem has no fixed number of inodes', async () => {
      const dir = await smallFilesystem({ inodes: 0 });
      const { checks } = await runChecker(inodesChecker(5, scopeOf(dir)), dir);
      expect(checks).toMatchObject([
        { status: 'pass', target: dir, message: `no inode limit on ${dir}`, details: { path: dir } },
      ]);
    });
  });
});
