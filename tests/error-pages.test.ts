import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from './support/folder-with.js';
import { repository, runArgus, runCommand } from './support/run-command.js';

const pages = join(repository, 'docs', 'errors');

async function explained(name?: string) {
  const cwd = await folderWith({});
  const args = ['explain', ...(name === undefined ? [] : [name]), '--format', 'json'];
  const { stdout } = await runArgus(args, { cwd, state: join(cwd, 'state') });
  return JSON.parse(stdout).data;
}

/** The names and texts of all files in a folder. */
function textsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

describe('the pages about error codes', () => {
  it('are one for each code that the program knows, and an index', async () => {
    const { codes }: { codes: { code: string }[] } = await explained();
    const expected = ['README.md', ...codes.map(({ code }) => `${code}.md`)];
    expect(readdirSync(pages).sort()).toEqual(expected.sort());
  });

  it('say what the declarations say (if not: npm run docs)', async () => {
    const folder = await folderWith({});
    await runCommand(process.execPath, [join(repository, 'scripts', 'generate-docs.mjs'), folder], {
      cwd: repository,
    });
    expect(textsIn(pages)).toEqual(textsIn(folder));
  });

  it('are where the program says that they are', async () => {
    const { page }: { page: string } = await explained('DISK_INODES_LOW');
    expect(readFileSync(join(repository, 'docs', page), 'utf8')).toContain('# DISK_INODES_LOW\n');
  });

  it.each(readdirSync(pages).filter((name) => name !== 'README.md'))(
    '%s says what causes it and what to do',
    (name) => {
      const text = readFileSync(join(pages, name), 'utf8');
      expect(text).toMatch(
        /\n## What causes it\n\n- [\s\S]*\n## What argus does\n\n[\s\S]*\n## What you can do\n\n[A-Z]/,
      );
    },
  );
});
