import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readPackages, workspaceRoot } from '../scripts/steps/workspace.mjs';

const packages = readPackages(workspaceRoot);

function json(...path: string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

function references(folder: string): string[] {
  const { references = [] } = json(folder, 'tsconfig.json');
  return references.map(({ path }: { path: string }) => basename(path)).sort();
}

/** What npm would pack, by package. It is asked once for all, because it takes its time to start. */
const packed = (async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', ...packages.map(({ folder }) => folder)];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: workspaceRoot });
  const answer: { name: string; files: { path: string }[] }[] = JSON.parse(stdout);
  return new Map(answer.map(({ name, files }) => [name, files.map(({ path }) => path)]));
})();

describe.each(packages)('$name', ({ name, folder, manifest, needs }) => {
  it('can be published', () => {
    expect(manifest).toMatchObject({
      name: `@argusai/${basename(folder)}`,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20.19' },
      description: expect.stringMatching(/./),
      files: expect.arrayContaining([expect.stringMatching(/^dist/)]),
    });
    expect(manifest).not.toHaveProperty('private');
  });

  it('packs its program, types, licence and README, and none of its sources, tests or notes', async () => {
    const paths = (await packed).get(name) ?? [];
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const exported: string[] = Object.values(json(folder, 'package.json').exports ?? {}).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    const programs = Object.values(manifest.bin ?? {});
    expect(paths).toEqual(
      expect.arrayContaining([...exported, ...programs].map((path) => path.replace('./', ''))),
    );
    // The programs of the store contract are part of the testing kit.
    const kit = (path: string) => path.startsWith('dist/testing/fixtures/store-');
    // What the generator writes has sources and tests of its own.
    const template = (path: string) => name === '@argusai/create-plugin' && path.startsWith('template/');
    const own = paths.filter((path) => !kit(path) && !template(path));
    expect(own.filter((path) => /^src|\.test\.|fixtures|tsbuildinfo|tsconfig|tsup/.test(path))).toEqual([]);
  });

  it('says where its types are before it says where its code is', () => {
    for (const [path, target] of Object.entries(json(folder, 'package.json').exports ?? {})) {
      if (typeof target === 'string') continue;
      expect(Object.keys(target as object)[0], path).toBe('types');
    }
  });

  it('is known to the compiler, with the packages that it needs', () => {
    expect(references(workspaceRoot)).toContain(basename(folder));
    const folders = packages.filter((each) => needs.includes(each.name)).map((each) => basename(each.folder));
    expect(references(folder), name).toEqual(folders.sort());
  });
});
