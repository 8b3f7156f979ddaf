import { corePlugin, createKernel } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { demoProject } from '../fixtures/demo-project.js';
import { testIo } from '../fixtures/test-io.js';
import { main } from '../main.js';
import { toCommand } from './command.js';
import { globalOptions } from './global-options.js';
import { isPositional } from './parse-input.js';

const { operations } = createKernel({
  project: { name: 'demo', dir: '/' },
  plugins: [{ plugin: corePlugin, options: {}, source: 'core' }],
});
const commands = operations.values().map(toCommand);

const run = async (...argv: string[]) => {
  const { dir, env } = demoProject();
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
    const { code, first } = await run(mistyped(name));
    expect({ code, first }).toEqual({
      ...{ code: 2, first: `error: There is no command ${mistyped(name)}; did you mean ${name}?` },
    });
  });

  it.each(flags)('answers a mistyped --%s with one line, the right one and 2', async (flag) => {
    const wrong = mistyped(flag);
    expect(await run(name, `--${wrong}`)).toEqual({
      ...{
        code: 2,
        out: '',
        first: `error: argus ${name} has no option --${wrong}; did you mean --${flag}?`,
      },
      rest: ['code: USAGE_INVALID', `next: argus ${name} --help`],
    });
  });

  it('answers an option that is like no other with all there are', async () => {
    const { code, first } = await run(name, '--zzzzzzzzzz');
    expect(code).toBe(2);
    expect(first).toContain(`error: argus ${name} has no option --zzzzzzzzzz; there are --`);
  });
});

it('knows how an option is denied', async () => {
  expect((await run('setup', '--no-biuld')).first).toContain('did you mean --no-build?');
});

describe('argus mcp', () => {
  it('has its help where the other commands have it', async () => {
    for (const argv of [
      ['help', 'mcp'],
      ['--help', 'mcp'],
    ]) {
      const { code, out } = await run(...argv);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('argus-mcp [options]') });
    }
  });

  it('after options of argus says where it has to stand', async () => {
    const { code, first } = await run('--project', '.', 'mcp');
    expect({ code, first }).toEqual({
      ...{ code: 2, first: 'error: mcp has to come first, and its options after it: argus mcp' },
    });
  });
});
