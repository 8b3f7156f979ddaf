import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildTargets, markBuilt, staleTargets } from '../../scripts/steps/build.mjs';
import { readPackages } from '../../scripts/steps/workspace.mjs';
import { folderWith } from '../support/folder-with.js';

const manifest = (name: string, needs: string[] = []) =>
  JSON.stringify({ name, dependencies: Object.fromEntries(needs.map((need) => [need, 'workspace:^'])) });

// `a-cli` comes first in the alphabet and last in the order of building.
const workspace = () =>
  folderWith({
    'package.json': '{}',
    'packages/a-cli/package.json': manifest('a-cli', ['disk', 'core']),
    'packages/a-cli/src/index.ts': 'cli',
    'packages/core/package.json': manifest('core'),
    'packages/core/src/index.ts': 'core',
    'packages/disk/package.json': manifest('disk', ['core']),
    'packages/disk/src/index.ts': 'disk',
    'packages/sqlite/package.json': manifest('sqlite', ['core']),
    'packages/sqlite/src/index.ts': 'sqlite',
  });

const stale = (root: string) => staleTargets(root).map(({ name }) => name);

/** Does what a build does, without the tools. */
async function buildAll(root: string): Promise<void> {
  for (const target of buildTargets(root)) {
    await mkdir(join(target.folder, 'dist'), { recursive: true });
    await writeFile(join(target.folder, 'dist/index.js'), target.state);
    markBuilt(target);
  }
}

describe('the order of building', () => {
  it('puts a package after those that it depends on', async () => {
    expect(readPackages(await workspace()).map(({ name }) => name)).toEqual([
      'core',
      'disk',
      'sqlite',
      'a-cli',
    ]);
  });

  it('names the packages that depend on each other', async () => {
    const root = await folderWith({
      'packages/one/package.json': manifest('one', ['two']),
      'packages/two/package.json': manifest('two', ['one']),
    });
    expect(() => readPackages(root)).toThrow('one, two');
  });
});

describe('what is to be built', () => {
  it('is everything at first and nothing the second time', async () => {
    const root = await workspace();
    expect(stale(root)).toEqual(['core', 'disk', 'sqlite', 'a-cli']);
    await buildAll(root);
    expect(stale(root)).toEqual([]);
  });

  it('is a package with a changed source and all that depend on it', async () => {
    const root = await workspace();
    await buildAll(root);
    await appendFile(join(root, 'packages/disk/src/index.ts'), ' changed');
    expect(stale(root)).toEqual(['disk', 'a-cli']);
    await buildAll(root);
    await appendFile(join(root, 'packages/core/src/index.ts'), ' changed');
    expect(stale(root)).toEqual(['core', 'disk', 'sqlite', 'a-cli']);
  });

  it.each([
    ['a source is new', 'src/more.ts'],
    ['its configuration changed', 'tsup.config.ts'],
    ['its manifest changed', 'package.json'],
  ])('is a package of which %s', async (_, file) => {
    const root = await workspace();
    await buildAll(root);
    await appendFile(join(root, 'packages/a-cli', file), ' ');
    expect(stale(root)).toContain('a-cli');
  });

  it('is a package of which a source is gone', async () => {
    const root = await workspace();
    await writeFile(join(root, 'packages/disk/src/old.ts'), 'old');
    await buildAll(root);
    await rm(join(root, 'packages/disk/src/old.ts'));
    expect(stale(root)).toEqual(['disk', 'a-cli']);
  });

  it('is not one of which only tests and texts changed', async () => {
    const root = await workspace();
    await buildAll(root);
    await writeFile(join(root, 'packages/core/src/index.test.ts'), 'test');
    await writeFile(join(root, 'packages/core/README.md'), 'text');
    expect(stale(root)).toEqual([]);
  });

  it('is a package of which somebody removed or changed the output', async () => {
    const root = await workspace();
    await buildAll(root);
    await rm(join(root, 'packages/sqlite/dist'), { recursive: true });
    await writeFile(join(root, 'packages/a-cli/dist/index.js'), 'broken');
    expect(stale(root)).toEqual(['sqlite', 'a-cli']);
  });

  it('is everything when other dependencies were installed', async () => {
    const root = await workspace();
    await buildAll(root);
    await writeFile(join(root, 'pnpm-lock.yaml'), 'other versions');
    expect(stale(root)).toHaveLength(4);
  });
});
