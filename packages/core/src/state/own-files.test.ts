import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { createOwnFile, makeOwnFolder } from './own-files.js';

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

describe('a folder for its owner alone', () => {
  it('is made with all that are missing above it, and stays when it is made once more', () => {
    const folder = join(projectFolder(), 'some', 'state');
    makeOwnFolder(folder);
    makeOwnFolder(folder);
    expect([folder, join(folder, '..')].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  // Node's own recursion never ends there.
  it.runIf(existsSync('/proc/self'))('is refused where a filesystem makes none', () => {
    expect(() => makeOwnFolder('/proc/argus-none/state')).toThrow(/ENOENT.*mkdir '\/proc\/argus-none'/);
  });
});
