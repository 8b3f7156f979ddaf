import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { createOwnFile } from './own-files.js';

describe('a file that is made only where there is none', () => {
  it('is for its owner alone, and stays when another is to be made', () => {
    const dir = projectFolder();
    const file = join(dir, 'token');
    expect([createOwnFile(file, 'first'), createOwnFile(file, 'second')]).toEqual([true, false]);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['first', 0o600]);
    expect(readdirSync(dir)).toEqual(['token']);
  });

  it('is not made behind a link', () => {
    const dir = projectFolder();
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'token'));
    expect(createOwnFile(join(dir, 'token'), 'text')).toBe(false);
    expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  });
});
