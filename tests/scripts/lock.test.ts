import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../scripts/steps/lock.mjs';
import { workspaceRoot } from '../../scripts/steps/workspace.mjs';
import { folderWith } from '../support/folder-with.js';

const lockModule = JSON.stringify(pathToFileURL(join(workspaceRoot, 'scripts/steps/lock.mjs')).href);

/** A program that takes the lock, again and again, and does something that two at a time would spoil. */
const counting = (folder: string) => `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { withLock } from ${lockModule};
  const count = ${JSON.stringify(join(folder, 'count'))};
  for (let i = 0; i < 10; i += 1) {
    await withLock(${JSON.stringify(join(folder, 'lock'))}, async () => {
      const value = Number(readFileSync(count, 'utf8'));
      await sleep(1);
      writeFileSync(count, String(value + 1));
    });
  }`;

/** A program that takes the lock and is killed while it has it. */
const dying = (folder: string) => `
  import { withLock } from ${lockModule};
  await withLock(${JSON.stringify(join(folder, 'lock'))}, async () => process.kill(process.pid, 'SIGKILL'));`;

const node = (program: string) => ['--input-type=module', '-e', program];

describe('the lock', () => {
  it('lets one process in at a time', async () => {
    const folder = await folderWith({ count: '0' });
    const run = () => promisify(execFile)(process.execPath, node(counting(folder)));
    await Promise.all([run(), run(), run(), run()]);
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('40');
  });

  it('is taken over, by one process, from one that was killed', async () => {
    const folder = await folderWith({ count: '0' });
    await once(spawn(process.execPath, node(dying(folder))), 'exit');
    expect(readdirSync(folder)).toContain('lock');
    const run = () => promisify(execFile)(process.execPath, node(counting(folder)));
    await Promise.all([run(), run(), run()]);
    expect(await readFile(join(folder, 'count'), 'utf8')).toBe('30');
  });

  it('is free again after work that failed', async () => {
    const path = join(await folderWith({}), 'lock');
    const failing = withLock(path, async () => {
      throw new Error('no luck');
    });
    await expect(failing).rejects.toThrow('no luck');
    expect(await withLock(path, async () => 'in')).toBe('in');
  });

  it('says once whom it waits for', async () => {
    const path = join(await folderWith({}), 'lock');
    const waitedFor: number[] = [];
    const release = new AbortController();
    const released = once(release.signal, 'abort');
    const first = withLock(path, () => released);
    const second = withLock(
      path,
      async () => 'in',
      ({ pid }) => {
        waitedFor.push(pid);
        release.abort();
      },
    );
    await first;
    expect(await second).toBe('in');
    expect(waitedFor).toEqual([process.pid]);
  });

  it('does not pile up what is left of earlier ones', async () => {
    const folder = await folderWith({});
    const path = join(folder, 'lock');
    const longAgo = new Date(Date.now() - 7_200_000);
    for (let i = 0; i < 3; i += 1) {
      await withLock(path, async () => 'in');
      for (const name of readdirSync(folder)) await utimes(join(folder, name), longAgo, longAgo);
    }
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
