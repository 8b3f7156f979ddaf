import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../fixtures/projects.js';
import { hosts } from './hosts.js';
import { install } from './install.js';

describe('argus mcp install', () => {
  it('shows what each host has to be told, and writes nothing', () => {
    const { ok, text } = install([], folderWith());
    expect(ok).toBe(true);
    for (const { title } of hosts) expect(text).toContain(title);
    expect(install(['vscode'], folderWith()).text).toMatch(
      /^VS Code .*:\n\{\n {2}"servers": \{\n {4}"argus"/,
    );
  });

  it('adds itself to what is there, as often as one likes', () => {
    const cwd = folderWith({ '.mcp.json': '{ "mcpServers": { "other": { "command": "x" } }, "more": 1 }' });
    for (const _ of [1, 2]) expect(install(['claude-code', '--write'], cwd).ok).toBe(true);
    expect(JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: {
        other: { command: 'x' },
        argus: { command: 'npx', args: ['-y', '@argusai/adapter-mcp'] },
      },
      more: 1,
    });
    expect(install(['cursor', '--write'], cwd).ok).toBe(true);
    expect(readFileSync(join(cwd, '.cursor/mcp.json'), 'utf8')).toContain('argus');
  });

  it('touches no file that it does not understand, and none of other places', () => {
    const cwd = folderWith();
    for (const text of ['// mine\n{}', '[]', '{ "mcpServers": [] }']) {
      writeFileSync(join(cwd, '.mcp.json'), text);
      expect(install(['claude-code', '--write'], cwd)).toMatchObject({ ok: false });
      expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe(text);
    }
    expect(install(['claude-desktop', '--write'], cwd)).toMatchObject({ ok: false });
    expect(install(['--write'], cwd)).toMatchObject({ ok: false });
    expect(install(['emacs'], cwd)).toMatchObject({ ok: false });
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
