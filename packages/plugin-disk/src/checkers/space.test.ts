import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorOf, parseSize } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../../tests/support/small-filesystem.js';
import { diskSpaceLow } from '../error-codes.js';
import { runChecker } from '../fixtures/run-checker.js';
import { tempFolder } from '../fixtures/temp-folder.js';
import { spaceChecker } from './space.js';

const noMounting = await whyNoMounting();
const wanting = (bytes: number) => ({ bytes, key: 'resilience.preflight.diskSpaceThreshold' });
const scopeOf = (tmpDir: string, paths: string[] = []) => ({
  paths,
  environment: () => ({ tmpDir, engineSockets: [] }),
});

describe('disk.space', () => {
  it('passes where there is enough, and says how much there is', async () => {
    const dir = await tempFolder();
    const { overall, checks } = await runChecker(spaceChecker(wanting(1), scopeOf(dir)), dir);

    expect(overall).toBe('healthy');
    expect(checks).toMatchObject([
      {
        name: 'disk.space',
        plugin: 'disk',
        status: 'pass',
        message: expect.stringMatching(/^[\d.]+ [KMGTP]?B free on \/\S*$/),
        details: {
          required: 1,
          available: expect.any(Number),
          path: dir,
          paths: [{ path: dir, use: 'project' }],
        },
      },
    ]);
  });

  it('fails where no disk could be big enough', async () => {
    const dir = await tempFolder();
    const { overall, checks } = await runChecker(
      spaceChecker(wanting(Number.MAX_SAFE_INTEGER), scopeOf(dir)),
      dir,
    );
    expect(overall).toBe('unhealthy');
    expect(checks).toMatchObject([{ status: 'fail', error: { code: 'DISK_SPACE_LOW', severity: 'fatal' } }]);
  });

  it('does not know about a configured folder that is not there, and says why', async () => {
    const dir = await tempFolder();
    const { overall, checks } = await runChecker(spaceChecker(wanting(1), scopeOf(dir, ['missing'])), dir);

    expect(overall).toBe('degraded');
    expect(checks).toMatchObject([
      { status: 'pass' },
      {
        status: 'unknown',
        target: join(dir, 'missing'),
        message: `cannot look at ${join(dir, 'missing')} (configured): no such file or directory`,
      },
    ]);
  });

  describe.skipIf(noMounting)(`on a small filesystem${noMounting ? ` (none: ${noMounting})` : ''}`, () => {
    it('passes, then warns, then fails while the filesystem fills up', async () => {
      const dir = await smallFilesystem({ size: '1m' });
      const required = parseSize('512KiB');
      const look = async () => {
        const { checks } = await runChecker(spaceChecker(wanting(required), scopeOf(dir)), dir);
        expect(checks).toHaveLength(1);
        return checks[0];
      };
      const use = (name: string, bytes: number) => writeFile(join(dir, name), Buffer.alloc(bytes));

      await use('half', 512 * 1024);
      expect(await look()).toMatchObject({
        status: 'pass',
        target: dir,
        details: { available: required, required, total: 2 * required },
      });

      await use('one page more', 4096);
      const low = await look();
      expect(low).toMatchObject({
        status: 'warn',
        message: `520.2 KB free on ${dir}, 524.3 KB wanted`,
        error: { code: 'DISK_SPACE_LOW', category: 'infrastructure', severity: 'warning' },
      });
      expect(isErrorOf(low?.error, diskSpaceLow) && low.error.details).toEqual({
        available: required - 4096,
        required,
        critical: required / 2,
        total: 2 * required,
        unit: 'bytes',
        mount: dir,
        path: dir,
        paths: [{ path: dir, use: 'project' }],
      });

      await use('exactly half of the threshold is left', 252 * 1024);
      expect(await look()).toMatchObject({ status: 'warn', details: { available: required / 2 } });

      await use('another page', 4096);
      expect(await look()).toMatchObject({
        status: 'fail',
        error: {
          code: 'DISK_SPACE_LOW',
          severity: 'fatal',
          details: { available: required / 2 - 4096, required },
        },
      });
    });

    it('does not write too little as if it were enough', async () => {
      const dir = await smallFilesystem({ size: '1m' });
      const { checks } = await runChecker(spaceChecker(wanting(1_048_577), scopeOf(dir)), dir);
      expect(checks[0]?.message).toContain(`just under 1 MB free on ${dir}, 1 MB wanted`);
    });

    it('gives one result for each filesystem', async () => {
      const [dir, tmpDir] = [await smallFilesystem(), await tempFolder()];
      const required = parseSize('2MB');
      const { checks } = await runChecker(
        spaceChecker(wanting(required), scopeOf(tmpDir, [dir, tmpDir])),
        dir,
      );
      expect(checks).toMatchObject([
        { status: 'warn', details: { path: dir } },
        { status: 'pass', details: { path: tmpDir } },
      ]);
    });

    it('does not know about a filesystem that does not tell its size', async () => {
      const dir = await smallFilesystem({ size: '0', inodes: 0 });
      const { checks } = await runChecker(spaceChecker(wanting(1), scopeOf(dir)), dir);
      expect(checks).toMatchObject([
        { status: 'unknown', target: dir, message: `${dir} does not say how much space it has` },
      ]);
    });
  });
});
