import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program, serverEnv } from '../fixtures/clients.js';
import { folderWith } from '../fixtures/projects.js';
import { hosts } from './hosts.js';
import { install } from './install.js';

describe('argus mcp install', () => {
  it('shows what each host has to be told, and writes nothing', () => {
    const { error, text } = install([], folderWith());
    expect(error).toBeUndefined();
    for (const { title } of hosts) expect(text).toContain(title);
    expect(install(['vscode'], folderWith()).text).toMatch(
      /^VS Code .*:\n\{\n {2}"servers": \{\n {4}"argus"/,
    );
  });

  it('names the folder to a host that does not know it', () => {
    const cwd = folderWith({ 'sub/x': '' });
    const { text } = install(['claude-desktop'], cwd);
    expect(JSON.parse(text.slice(text.indexOf('{'))).mcpServers.argus.args.slice(-2)).toEqual([
      '--project',
      cwd,
    ]);
    const sub = join(cwd, 'sub');
    expect(install(['claude-desktop', '--project', 'sub'], cwd).text).toContain(JSON.stringify(sub));
    expect(install(['claude-desktop', '--write', '--project', 'sub'], cwd).text).toContain(
      JSON.stringify(sub),
    );
  });

  it('adds itself to what is there, as often as one likes', () => {
    const cwd = folderWith({ '.mcp.json': '{ "mcpServers": { "other": { "command": "x" } }, "more": 1 }' });
    for (const _ of [1, 2]) expect(install(['claude-code', '--write'], cwd).error).toBeUndefined();
    expect(JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: {
        other: { command: 'x' },
        argus: { command: 'npx', args: ['-y', '@argusai/adapter-mcp'] },
      },
      more: 1,
    });
    expect(install(['cursor', '--write'], cwd).error).toBeUndefined();
    expect(readFileSync(join(cwd, '.cursor/mcp.json'), 'utf8')).toContain('argus');
  });

  it('touches no file in which something would be lost, and gives what is to be pasted', () => {
    const cwd = folderWith();
    const file = join(cwd, '.mcp.json');
    const cases: [string, string][] = [
      ['// mine\n{}', 'not-json'],
      ['{ "mcpServers": {}, }', 'not-json'],
      ['[]', 'other-shape'],
      ['{ "mcpServers": [] }', 'other-shape'],
      ['{ "a": 1, "a": 2 }', 'would-lose'],
      ['{ "id": 12345678901234567890 }', 'would-lose'],
      ['{ "mcpServers": { "argus": { "command": "mine" } } }', 'other-entry'],
    ];
    for (const [text, reason] of cases) {
      writeFileSync(file, text);
      const installed = install(['claude-code', '--write'], cwd);
      expect(installed.error, text).toMatchObject({ code: 'HOST_FILE_KEPT', details: { file, reason } });
      expect(installed.text).toContain('"argus"');
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    expect(readdirSync(cwd)).toEqual(['.mcp.json']);
  });

  it('writes a file as it was written before: indent, ends of lines, rights, links', () => {
    const cwd = folderWith({ 'real.json': '{\r\n\t"more": "a  b"\r\n}\r\n' });
    chmodSync(join(cwd, 'real.json'), 0o600);
    symlinkSync('real.json', join(cwd, '.mcp.json'));
    expect(install(['claude-code', '--write'], cwd).error).toBeUndefined();
    const text = readFileSync(join(cwd, 'real.json'), 'utf8');
    expect(text).toMatch(/^\{\r\n\t"more": "a {2}b",\r\n\t"mcpServers"/);
    expect(statSync(join(cwd, 'real.json')).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(cwd, '.mcp.json')).isSymbolicLink()).toBe(true);
    expect(readdirSync(cwd).toSorted()).toEqual(['.mcp.json', 'real.json']);
  });

  it('names the file that a link inside of the project leads to', () => {
    const cwd = folderWith({ 'settings/a': '', 'real.json': '{}' });
    symlinkSync('real.json', join(cwd, '.mcp.json'));
    symlinkSync('settings', join(cwd, '.vscode'));
    const [file, real] = [join(cwd, '.mcp.json'), join(cwd, 'real.json')];
    for (const how of ['now starts argus for Claude Code', 'starts argus already'])
      expect(install(['claude-code', '--write'], cwd).text).toBe(`${file}, which is ${real}, ${how}\n`);
    const { text } = install(['vscode', '--write', '--format', 'json'], cwd);
    expect(JSON.parse(text).data.hosts[0].written).toEqual({
      file: join(cwd, '.vscode/mcp.json'),
      real: join(cwd, 'settings/mcp.json'),
      changed: true,
    });
    expect(readFileSync(join(cwd, 'settings/mcp.json'), 'utf8')).toContain('argus');
    // That the folder itself is reached through a link leads nowhere else.
    const around = folderWith();
    symlinkSync(cwd, join(around, 'shop'));
    const through = install(['cursor', '--write', '--project', 'shop'], around);
    expect(through.text).toBe(`${join(around, 'shop/.cursor/mcp.json')} now starts argus for Cursor\n`);
  });

  it('writes nothing outside of the project, wherever a link leads', () => {
    const other = folderWith({ 'real.json': '{}' });
    const cwd = folderWith();
    symlinkSync(join(other, 'real.json'), join(cwd, '.mcp.json'));
    symlinkSync(other, join(cwd, '.vscode'));
    const cases = { 'claude-code': ['.mcp.json', 'real.json'], vscode: ['.vscode/mcp.json', 'mcp.json'] };
    for (const [host, [inside = '', outside = '']] of Object.entries(cases)) {
      const { error, text } = install([host, '--write'], cwd);
      const [file, real] = [join(cwd, inside), join(other, outside)];
      expect(error).toMatchObject({ code: 'HOST_FILE_KEPT', details: { file, real, reason: 'outside' } });
      expect(error?.message).toContain(real);
      expect(text).toContain('"argus"');
    }
    expect(readdirSync(other)).toEqual(['real.json']);
    expect(readFileSync(join(other, 'real.json'), 'utf8')).toBe('{}');
  });

  it('writes nothing where no server would work: in the root or a home folder', () => {
    const home = folderWith();
    const run = (...args: string[]) => {
      const options = { cwd: home, env: serverEnv({ HOME: home }), encoding: 'utf8' } as const;
      return spawnSync(process.execPath, [program, 'install', ...args], options);
    };
    const refused = (folder: string) => ({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^error: ${folder} is .*, which is never a project\ncode: PROJECT_REFUSED\nnext: .*--project DIR\n$`,
        ),
      ),
    });
    expect(run('claude-code', '--write')).toMatchObject(refused(home));
    expect(run('cursor', '--write', '--project', '/')).toMatchObject(refused('/'));
    expect(run('claude-desktop', '--project', '/')).toMatchObject(refused('/'));
    expect(readdirSync(home)).toEqual([]);
    // What there is to be told can be looked at from anywhere.
    const shown = run('claude-desktop');
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('/path/to/project') });
    expect(shown.stdout).not.toContain(home);
  });

  it('leaves a link that leads nowhere as it is', () => {
    const cwd = folderWith();
    symlinkSync('nowhere/mcp.json', join(cwd, '.mcp.json'));
    expect(install(['claude-code', '--write'], cwd).error).toMatchObject({
      code: 'HOST_FILE_UNWRITABLE',
      details: { reason: 'it is a link that leads nowhere' },
    });
    expect(lstatSync(join(cwd, '.mcp.json')).isSymbolicLink()).toBe(true);
  });

  it('says with a code and a next step what it cannot do', () => {
    const cwd = folderWith({ '.cursor': 'a file where a folder has to be' });
    mkdirSync(join(cwd, '.mcp.json'));
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [program, 'install', ...args], { cwd, env: serverEnv(), encoding: 'utf8' });
    const cases: [string[], string, number][] = [
      [['emacs'], 'USAGE_INVALID', 2],
      [['--write'], 'USAGE_INVALID', 2],
      [['--colour'], 'USAGE_INVALID', 2],
      [['cursor', 'vscode'], 'USAGE_INVALID', 2],
      [['claude-desktop', '--write'], 'USAGE_INVALID', 2],
      [['vscode', '--write', '--project', 'nowhere'], 'USAGE_INVALID', 2],
      [['claude-code', '--write'], 'HOST_FILE_UNWRITABLE', 1],
      [['cursor', '--write'], 'HOST_FILE_UNWRITABLE', 1],
    ];
    for (const [args, code, exit] of cases) {
      const { status, stdout, stderr } = run(...args);
      expect(stderr, args.join(' ')).toMatch(new RegExp(`^error: .*\\ncode: ${code}\\nnext: .+\\n$`));
      expect(status, args.join(' ')).toBe(exit);
      expect(stdout.includes('"argus"'), args.join(' ')).toBe(hosts.some(({ name }) => args.includes(name)));
    }
    expect(readdirSync(cwd).toSorted()).toEqual(['.cursor', '.mcp.json']);
    const wrong = spawnSync(process.execPath, [program, '--patience', 'long'], { encoding: 'utf8' });
    expect(wrong).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('code: USAGE_INVALID\nnext: '),
    });
  });

  it('names only hosts that can be written for where it is to write', () => {
    expect(install(['--write'], folderWith()).error?.message).toBe(
      'Name the host to write for: claude-code, cursor, vscode',
    );
  });

  it('takes an option that there is not for wrong usage and nothing else, with the nearest one', () => {
    const cwd = folderWith();
    const wrong = install(['claude-code', '--writ'], cwd);
    expect(wrong).toMatchObject({
      text: '',
      error: { code: 'USAGE_INVALID', message: 'There is no option --writ; did you mean --write?' },
    });
    expect(readdirSync(cwd)).toEqual([]);
    const options = { cwd, env: serverEnv(), encoding: 'utf8' } as const;
    const args = [program, 'install', 'claude-code', '--writ'];
    expect(spawnSync(process.execPath, args, options)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/did you mean --write\?\ncode: USAGE_INVALID\nnext: argus-mcp --help\n$/),
    });
  });

  it('answers in one envelope where a program asks, also when it cannot be done', () => {
    const cwd = folderWith();
    const run = (...args: string[]) => {
      const options = { cwd, env: serverEnv(), encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'install', ...args], options);
      expect(stderr).toBe('');
      return { status, ...JSON.parse(stdout) };
    };
    const all = run('--format', 'json');
    expect(all).toMatchObject({ status: 0, ok: true });
    expect(all.data.hosts.map(({ name }: { name: string }) => name)).toEqual(hosts.map(({ name }) => name));
    const file = join(cwd, '.mcp.json');
    for (const changed of [true, false])
      expect(run('claude-code', '--write', '--format=json')).toMatchObject({
        status: 0,
        ok: true,
        data: { hosts: [{ name: 'claude-code', written: { file, changed } }] },
      });
    expect(run('emacs', '--format', 'json')).toMatchObject({
      status: 2,
      ok: false,
      error: { code: 'USAGE_INVALID' },
    });
    expect(install(['--format', 'xml'], cwd).error).toMatchObject({ code: 'USAGE_INVALID' });
  });

  it('says in the README what it says itself', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    for (const { key, entry } of hosts) {
      const text = JSON.stringify({ [key]: { argus: entry } }, null, 2);
      expect(readme).toContain(text.replaceAll(/^/gm, '    '));
    }
  });

  it('is known to the registry under the same name and version as to npm', () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
    const [server, { name, version, mcpName }] = [read('server.json'), read('package.json')];
    expect(server).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
    expect(server.description.length).toBeLessThanOrEqual(100);
  });
});
