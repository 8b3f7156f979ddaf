import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { install as installInto } from '../../scripts/steps/install.mjs';
import { folderWith } from '../support/folder-with.js';

// Stands in for `npx`: notes how it was called, and fails as often as the file `failures` has letters.
const npx = `#!/bin/sh
echo "$@" >> calls
left=$(cat failures 2>/dev/null)
[ -z "$left" ] && exit 0
printf '%s' "\${left#?}" > failures
echo 'the network is down' >&2
exit 1
`;

const said: string[] = [];
const install = (root: string) => installInto(root, (line) => said.push(line));

async function workspace(files: Record<string, string> = {}): Promise<string> {
  const root = await folderWith({
    'package.json': JSON.stringify({ name: 'root', packageManager: 'pnpm@1.2.3' }),
    'packages/core/package.json': '{ "name": "core" }',
    'bin/npx': npx,
    ...files,
  });
  await chmod(join(root, 'bin/npx'), 0o755);
  vi.stubEnv('PATH', `${join(root, 'bin')}${delimiter}${process.env.PATH}`);
  return root;
}

async function calls(root: string): Promise<string[]> {
  return (await readFile(join(root, 'calls'), 'utf8')).trim().split('\n');
}

describe('installing', () => {
  beforeEach(() => {
    said.length = 0;
    vi.stubEnv('CI', '');
    return () => {
      vi.unstubAllEnvs();
    };
  });

  it('brings the pnpm that package.json names, once', async () => {
    const root = await workspace();
    await install(root);
    await install(root);
    expect(await calls(root)).toEqual([expect.stringContaining('pnpm@1.2.3 install')]);
    expect(said).toHaveLength(1);
  });

  it.each([
    'pnpm-lock.yaml',
    'packages/core/package.json',
    'packages/new/package.json',
    'bench/package.json',
  ])('is done again when %s changed', async (file) => {
    const root = await workspace({ 'packages/new/.keep': '', 'bench/.keep': '' });
    await install(root);
    await writeFile(join(root, file), '{ "name": "changed" }');
    await install(root);
    expect(await calls(root)).toHaveLength(2);
  });

  it('keeps to the lockfile in CI', async () => {
    const root = await workspace();
    vi.stubEnv('CI', 'true');
    await install(root);
    expect(await calls(root)).toEqual([expect.stringContaining('--frozen-lockfile')]);
  });

  it('is tried once more when it failed', async () => {
    const root = await workspace({ failures: 'x' });
    await install(root);
    expect(await calls(root)).toHaveLength(2);
  });

  it('fails with what pnpm said, and is not taken for done', async () => {
    const root = await workspace({ failures: 'xx' });
    await expect(install(root)).rejects.toThrow('the network is down');
    await install(root);
    expect(await calls(root)).toHaveLength(3);
  });
});
