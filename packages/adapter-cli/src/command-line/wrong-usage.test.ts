import { corePlugin, createKernel } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { demoProject, temporaryFolder } from '../fixtures/demo-project.js';
import { testIo } from '../fixtures/test-io.js';
import { main } from '../main.js';
import { commandsOf } from './command.js';
import { globalOptions } from './global-options.js';
import { isPositional } from './parse-input.js';

const kernel = createKernel({
  project: { name: 'demo', dir: '/' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});
const commands = commandsOf(kernel);

const run = (...argv: string[]) => runIn(demoProject(), ...argv);

const runIn = async ({ dir, env }: ReturnType<typeof demoProject>, ...argv: string[]) => {
  const io = testIo({ cwd: dir, env });
  const code = await main(argv, io);
  const [first, ...rest] = io.stderr.text.trimEnd().split('\n');
  return { code, out: io.stdout.text, first, rest };
};

/** A word as fast fingers type it. */
const mistyped = (word: string) => `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}x`;

describe.each(commands)('argus $name', ({ name, fields, view }) => {
  const options = [...fields, ...view.options].filter((field) => !isPositional(field));
  const flags = [...options.map(({ option }) => option), ...globalOptions.map((option) => option.name)];

  it('answers a mistyped name with the right one', async () => {
    const { code, first, rest } = await run(...mistyped(name).split(' '));
    expect({ code, first, rest }).toEqual({
      code: 2,
      first: `error: There is no command ${mistyped(name)}; did you mean ${name}?`,
      rest: ['code: USAGE_INVALID', `next: argus ${name}`],
    });
  });

  it.each(flags)('answers a mistyped --%s with one line, the right one and 2', async (flag) => {
    const wrong = mistyped(flag);
    expect(await run(...name.split(' '), `--${wrong}`)).toEqual({
      code: 2,
      out: '',
      first: `error: argus ${name} has no option --${wrong}; did you mean --${flag}?`,
      rest: ['code: USAGE_INVALID', `next: argus ${name} --help`],
    });
  });

  it('answers an option that is like no other with all there are', async () => {
    const { code, first } = await run(...name.split(' '), '--zzzzzzzzzz');
    expect(code).toBe(2);
    expect(first).toContain(`error: argus ${name} has no option --zzzzzzzzzz; there are --`);
  });
});

it.each([
  ['up', 'setup'],
  ['start', 'setup'],
  ['restart', 'setup'],
  ['down', 'clean'],
  ['stop', 'clean'],
  ['ps', 'status'],
  ['ls', 'status'],
  ['doctor', 'check'],
])('leads %s to argus %s', async (word, meant) => {
  expect(await run(word)).toMatchObject({
    code: 2,
    first: `error: There is no command ${word}; what you mean is argus ${meant}`,
    rest: ['code: USAGE_INVALID', `next: argus ${meant}`],
  });
});

it('answers a name that is like no other with each command once', async () => {
  // Where no plugin was left alone that could bring it.
  const bare = { dir: temporaryFolder(), env: { PATH: '' } };
  const { first = '', rest } = await runIn(bare, 'zzzzzzzzzz');
  expect(first).toContain('error: There is no command zzzzzzzzzz; there are help, ');
  expect(first).toContain('check, fix,');
  expect(first).not.toMatch(/preflight-check|fault-list/);
  expect(rest).toEqual(['code: USAGE_INVALID', 'next: argus --help']);
});

it('knows how an option is denied', async () => {
  expect((await run('setup', '--no-biuld')).first).toContain('did you mean --no-build?');
});

it('knows an option by its beginning', async () => {
  expect((await run('clean', '--all')).first).toBe(
    'error: argus clean has no option --all; did you mean --all-runs?',
  );
});

describe('argus fault', () => {
  it.each([
    ['fault', '--help'],
    ['help', 'fault'],
  ])('shows the help of all its commands: %s %s', async (...argv) => {
    const { code, out } = await run(...argv);
    expect(code).toBe(0);
    for (const part of [
      'argus fault list',
      'argus fault inject FAULT [options]',
      '--service',
      'kill-service',
    ])
      expect(out).toContain(part);
  });

  it('answers a mistyped second word with the right ones', async () => {
    expect(await run('fault', 'inect', 'kill-service')).toMatchObject({
      code: 2,
      out: '',
      first: 'error: There is no command fault inect; did you mean fault inject?',
    });
    expect((await run('help', 'fault', 'inect')).code).toBe(2);
  });

  it.each([['fault'], ['fault', '--service', 'api']])('needs a second word: %s', async (...argv) => {
    expect(await run(...argv)).toMatchObject({
      code: 2,
      out: '',
      first: 'error: argus fault is no whole command; there are fault list, fault inject',
      rest: ['code: USAGE_INVALID', 'next: argus fault --help'],
    });
  });

  it('stands in the overview in two words, and is understood in one', async () => {
    const { out } = await run('--help');
    expect(out).toMatch(/^ {2}fault list +List/m);
    expect(out).toMatch(/^ {2}fault inject FAULT +Break/m);
    expect((await run('fault-inject', '--help')).out).toContain('Usage: argus fault inject FAULT');
  });
});

describe('argus help', () => {
  it('is about one command', async () => {
    expect(await run('help', 'check', 'fix')).toEqual({
      code: 2,
      out: '',
      first: 'error: argus help does not know what to do with fix',
      rest: ['code: USAGE_INVALID', 'next: argus help --help'],
    });
    expect((await run('check', 'fix', '--help')).code).toBe(0);
  });
});

describe('argus mcp', () => {
  it('has its help where the other commands have it', async () => {
    for (const argv of [
      ['help', 'mcp'],
      ['--help', 'mcp'],
    ]) {
      const { code, out } = await run(...argv);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('argus mcp [options]') });
    }
  });

  it('after options of argus says where it has to stand', async () => {
    const { code, first } = await run('--project', '.', 'mcp');
    expect({ code, first }).toEqual({
      code: 2,
      first: 'error: mcp has to come first, and its options after it: argus mcp',
    });
  });
});
