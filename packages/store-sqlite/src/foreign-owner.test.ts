import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRoot } from './fixtures/read-only.js';
import { foreignOwner } from './foreign-owner.js';
import { toStoreError } from './store-error.js';

const user = process.getuid?.() ?? 0;

it.skipIf(process.getuid === undefined)('names the owner of a folder that is not ours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'argus-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state', 'argus.db');
  expect(foreignOwner(file, user)).toBeUndefined();
  const owner = user === 0 ? 'root' : `the user ${user}`;
  expect(foreignOwner(file, user + 1)).toBe(`${folder} belongs to ${owner}`);
});

it.skipIf(process.getuid === undefined)('is told with a store that may not be used', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const [folder, owner] = isRoot ? [givenAway(12_345), 'the user 12345'] : ['/etc', 'root'];
  const { message } = toStoreError(join(folder, 'argus', 'argus.db'), denied);
  expect(message).toContain(`; ${folder} belongs to ${owner}`);
});

function givenAway(to: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'argus-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chownSync(folder, to, to);
  return folder;
}
