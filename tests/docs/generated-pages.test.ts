import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../support/folder-with.js';
import { repository, runArgus, runCommand } from '../support/run-command.js';

const docs = join(repository, 'docs');

async function argus(...args: string[]) {
  const cwd = await folderWith({});
  const { stdout } = await runArgus([...args, '--format', 'json'], { cwd, state: join(cwd, 'state') });
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

describe('the pages that are generated', () => {
  it('say what the program says (if not: npm run docs)', async () => {
    const folder = await folderWith({});
    const script = join(repository, 'scripts', 'generate-docs.mjs');
    const { code, stderr } = await runCommand(process.execPath, [script, folder], { cwd: repository });
    expect(stderr).toContain('pages are in');
    expect(code).toBe(0);
    for (const part of ['errors', 'reference'])
      expect(textsIn(join(docs, part))).toEqual(textsIn(join(folder, part)));
  });

  it('have nothing of this machine or this day in them', () => {
    const texts = Object.values(textsIn(join(docs, 'reference'))).join('\n');
    expect(texts).not.toMatch(/\/(?:tmp|root|home|Users|var\/folders)\//);
    expect(texts).not.toMatch(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/);
  });
});

describe('the page about the command line', () => {
  it('has every command that the program shows', async () => {
    const { commands }: { commands: { name: string }[] } = await argus('help');
    const text = readFileSync(join(docs, 'reference', 'cli.md'), 'utf8');
    const headings = [...text.matchAll(/^## argus ([a-z -]+)$/gm)].map(([, name]) => name);
    const expected = [...commands.map(({ name }) => name), 'mcp', 'completion', 'trust'];
    expect(headings.toSorted()).toEqual(expected.toSorted());
  });
});

describe('the pages about error codes', () => {
  const pages = join(docs, 'errors');

  it('are one for each code that the program knows, and an index', async () => {
    const { codes }: { codes: { code: string }[] } = await argus('explain');
    const expected = ['README.md', ...codes.map(({ code }) => `${code}.md`)];
    expect(readdirSync(pages).sort()).toEqual(expected.sort());
  });

  it('are where the program says that they are', async () => {
    const { page }: { page: string } = await argus('explain', 'DISK_INODES_LOW');
    expect(readFileSync(join(docs, page), 'utf8')).toContain('# DISK_INODES_LOW\n');
  });

  it('say what to do by the reason in the details, as the program does', async () => {
    const { remedies }: { remedies: { reason: string; remedy: string }[] } = await argus(
      'explain',
      'CHECK_BROKEN',
    );
    expect(remedies.map(({ reason }) => reason)).toContain('deadline');
    const list = remedies.map(({ reason, remedy }) => `- \`${reason}\`: ${remedy}`).join('\n');
    expect(readFileSync(join(pages, 'CHECK_BROKEN.md'), 'utf8')).toContain(
      `\n\nBy the \`reason\` in the details:\n\n${list}\n\n## `,
    );
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
