import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { piped, typed } from './recorded.js';

/** An empty folder: help needs no project. */
function place() {
  const dir = mkdtempSync(join(tmpdir(), 'argus-help-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return { dir, state: join(dir, 'state') };
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const asked = [
  '--help',
  'check --help',
  'fault --help',
  'help completion',
  'mcp --help',
  'mcp install --help',
];

describe.each([80, 120])('help at a terminal of %i columns', (columns) => {
  it.each(asked)('is broken at words only: argus %s', async (line) => {
    const here = place();
    const args = line.split(' ');
    const session = typed(here, columns, args);
    expect(await session.ended()).toBe(0);
    expect(await session.broken()).toEqual([]);
    const { stdout } = await piped(here, ...args);
    expect(wordsOf(await session.screen())).toEqual(wordsOf(stdout));
  });
});

it('goes on below the second column of a table', async () => {
  const session = typed(place(), 80, ['--help']);
  expect(await session.ended()).toBe(0);
  expect(await session.screen()).toContain(
    [
      '  fault list                      List the faults that can be injected into',
      '                                  this project’s environment',
      '  fault inject FAULT              Break something of this project’s own',
      '                                  environment on purpose',
    ].join('\n'),
  );
});

it('is not broken for whoever does not read it at a terminal', async () => {
  const { stdout } = await piped(place(), '--help');
  expect(stdout).toContain(
    '  fault list                      List the faults that can be injected into this project’s environment\n',
  );
});
