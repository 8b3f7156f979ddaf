import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWith } from './support/folder-with.js';
import { repository, runArgus } from './support/run-command.js';

/** The code blocks of a language in the README, each with the file name that its first line names. */
async function snippets(language: string): Promise<Record<string, string>> {
  const readme = await readFile(join(repository, 'README.md'), 'utf8');
  const blocks = readme.matchAll(new RegExp(`\`\`\`${language}\\n(?:#|//) (\\S+)\\n([^]*?)\`\`\``, 'g'));
  return Object.fromEntries([...blocks].map(([, name, code]) => [name ?? '', code ?? '']));
}

/** A project made of the README's own snippets, with core where npm would put it. */
async function readmeProject(): Promise<string> {
  const folder = await folderWith({ ...(await snippets('yaml')), ...(await snippets('ts')) });
  await mkdir(join(folder, 'node_modules', '@argusai'), { recursive: true });
  await symlink(join(repository, 'packages/core'), join(folder, 'node_modules/@argusai/core'));
  return folder;
}

describe('the README', () => {
  it('shows a configuration and a plugin that work together', async () => {
    const cwd = await readmeProject();
    const server = createServer((socket) => socket.end());
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const env = { LICENCE_PORT: String(port) };
    const { code, stdout } = await runArgus(['check', '--format', 'json', '--only', 'licence'], {
      ...{ cwd, state: join(cwd, 'state'), env },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: { project: 'shop', checks: [{ name: 'licence.server', status: 'pass' }] },
    });
    expect(code).toBe(0);
  });

  it('shows a plugin that notices when the server is gone', async () => {
    const cwd = await readmeProject();
    // Port 1 is reserved and nothing listens there.
    const env = { LICENCE_PORT: '1' };
    const { code, stdout } = await runArgus(['check', '--format', 'json', '--only', 'licence'], {
      ...{ cwd, state: join(cwd, 'state'), env },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      data: { checks: [{ status: 'fail', error: { code: 'LICENCE_SERVER_GONE' } }] },
    });
    expect(code).toBe(1);
  });

  it('shows suites that run with the services up', async () => {
    const cwd = await folderWith({
      'e2e.yaml': (await snippets('yaml'))['e2e.yaml'] ?? '',
      'server.mjs': `import { createServer } from 'node:http';
        createServer((_, response) => response.end('well')).listen(Number(process.env.PORT));`,
      'smoke.mjs': `console.log(await (await fetch(process.env.ARGUS_URL_API)).text());`,
      'load.mjs': `const url = process.argv[3];
        console.log(url === process.env.ARGUS_URL_API, process.env.USERS);`,
    });
    const { code, stdout, stderr } = await runArgus(['run'], { cwd, state: join(cwd, 'state') });
    expect(stdout).toBe('well\ntrue 10\n');
    expect(stderr).toContain('passed: 2 suites\n');
    expect(code).toBe(0);
  });

  it('names every command that there is, and no other', async () => {
    const cwd = await folderWith({});
    const { stdout } = await runArgus(['--help'], { cwd, state: join(cwd, 'state') });
    const listed = /^Commands:?\n([\s\S]*?)\n\n/im.exec(stdout)?.[1] ?? '';
    const commands = [...listed.matchAll(/^ +([a-z-]+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    const readme = await readFile(join(repository, 'README.md'), 'utf8');
    const documented = [...readme.matchAll(/^\| `argus ([a-z-]+)/gm)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual(commands.toSorted());
  });
});
