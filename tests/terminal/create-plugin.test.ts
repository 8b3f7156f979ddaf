import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../support/folder-with.js';
import { repository } from '../support/run-command.js';
import { atTerminal } from './terminal.js';

const program = join(repository, 'packages/create-plugin/dist/create-plugin.js');
const start = (cwd: string) => atTerminal([process.execPath, program], { columns: 100, cwd });

describe('npm create @argusai/plugin at a terminal', () => {
  it('asks, and asks again for a name that cannot be', async () => {
    const cwd = await folderWith({});
    const session = start(cwd);
    await session.shows('What is the plugin called?');
    session.type('No Name\r');
    await session.shows('"No Name" cannot be the name of a plugin');
    session.type('lamp\r');
    await session.shows('What is it for, in one line? (Argus plugin lamp):');
    session.type('\r');
    await session.shows('Who writes it?');
    session.type('Ada\r');
    await session.shows('cd argusai-plugin-lamp');
    expect(await session.ended()).toBe(0);
    expect(readdirSync(cwd)).toEqual(['argusai-plugin-lamp']);
  });

  it.each([
    ['Ctrl-C', '\x03', 130],
    ['Ctrl-D', '\x04', 1],
  ])('writes nothing after %s', async (_, key, code) => {
    const cwd = await folderWith({});
    const session = start(cwd);
    await session.shows('What is the plugin called?');
    session.type(key);
    expect(await session.ended()).toBe(code);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
