import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { helpExamples as mcpExamples } from '@argusai/adapter-mcp';
import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import { buildKernel } from '@argusai/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argusProgram } from '../../../../tests/support/run-command.js';
import { completionExamples } from '../completion/completion-help.js';
import { commandsOf } from './command.js';
import { examplesOf } from './describe-command.js';
import { overviewExamples } from './help.js';

const plugins = await Promise.all(Object.values(builtinPlugins).map((load) => load()));
const commands = commandsOf(buildKernel({ plugins }));

// Those that need what is left of an earlier run come first, and those that need an environment follow `setup`.
const order =
  'check fix plan-recovery apply-recovery * run setup status logs fault-inject guard incidents clean';
const placeOf = (name: string) => order.split(' ').indexOf(order.split(' ').includes(name) ? name : '*');
const ordered = commands.toSorted(
  (one, other) =>
    placeOf(one.operation.alias ?? one.operation.name) -
    placeOf(other.operation.alias ?? other.operation.name),
);
const examples = ordered.flatMap((command) =>
  examplesOf(command).map((line) => [line, command.name] as const),
);

/** Go on until they are stopped, which can be done when they have said this. */
const endless: Readonly<Record<string, RegExp>> = {
  'argus guard': /api restarted/,
  'argus logs --follow --service api': /api \| up/,
};
/** Ends otherwise than with 0, and says why. */
const refused: Readonly<Record<string, RegExp>> = {
  'argus clean-foreign --names container:argus-shop-mhz4x-api --dry-run': /made nothing of this project/,
};

const folder = mkdtempSync(join(tmpdir(), 'argus-help-'));
const env = {
  ...process.env,
  PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
  ARGUS_STATE_DIR: join(folder, 'state'),
};

/** A project of one process. With a lease that is over at once, what it starts counts as left behind. */
const configuration = (lease: string) => `project: { name: shop }
plugins:
  - "@argusai/plugin-docker"
  - "@argusai/plugin-process"
  - ["@argusai/plugin-disk", { threshold: 1MB }]
  - "@argusai/plugin-orphans"
environment: { lease: ${lease} }
services:
  api: { command: [node, -e, "console.log('up'); setInterval(() => {}, 1000)"] }
resilience: { container: { restartDelay: 10ms } }
tests: { suites: [{ id: smoke, command: "true" }] }
`;

beforeAll(async () => {
  write('bin/argus', `#!/bin/sh\nexec ${process.execPath} ${argusProgram} "$@"\n`);
  chmodSync(join(folder, 'bin/argus'), 0o755);
  write('left/argus.config.yaml', configuration('1ms'));
  write('shop/argus.config.yaml', configuration('1d'));
  for (const place of ['shop', 'empty'])
    write(`${place}/package.json`, '{ "name": "shop", "scripts": { "test": "true" } }');
  expect(await run('argus setup', 'left')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await run('argus clean', 'shop');
  await run('argus clean', 'left');
  rmSync(folder, { recursive: true });
});

describe('the help about a command', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'has an example: %s',
    (name, command) => {
      // Those that come along have examples that somebody wrote.
      expect(command.view.examples ?? []).not.toEqual([]);
      for (const line of examplesOf(command)) expect(line).toMatch(new RegExp(`^argus ${name}\\b`));
    },
  );
});

describe('an example in help can be executed', () => {
  it.each([...overviewExamples.map((line) => [line, 'help'] as const), ...examples])(
    '%s',
    async (line, name) => {
      const ended = await run(await filledIn(line), name === 'init' ? 'empty' : 'shop', endless[line]);
      if (line in endless) expect(ended).toMatchObject({ code: 130 });
      else if (line in refused)
        expect(ended).toMatchObject({ code: 1, said: expect.stringMatching(refused[line] ?? '') });
      else expect(ended).toMatchObject({ code: 0 });
    },
  );

  // A client that has gone ends the server.
  it.each(mcpExamples)('%s', async (line) => {
    expect(await run(`${line} </dev/null`, 'shop')).toMatchObject({ code: 0 });
  });

  it.each([
    ['mcp', 'argus mcp --help', mcpExamples],
    ['mcp install', 'argus mcp install --help', mcpExamples],
    ['completion', 'argus help completion', completionExamples],
  ])('and stands there: %s', async (_, line, its) => {
    const { code, said } = await run(line, 'shop');
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining(`\nExamples:\n  ${its.join('\n  ')}\n`),
    });
  });

  it.each(completionExamples)('%s', async (line) => {
    const shell = /completion (\w+)/.exec(line)?.[1] ?? '';
    const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
    // What a .zshrc has anyway. Without the shell, only what it would read can be had.
    const before = shell === 'zsh' ? 'autoload -Uz compinit; compinit -D; ' : '';
    const ended = isThere
      ? await run(`${before}${line}`, 'shop', undefined, shell)
      : await run(`argus completion ${shell}`, 'shop');
    expect(ended).toMatchObject({ code: 0 });
  });
});

/** The plan is that of this moment, so its hash cannot stand in help. */
async function filledIn(line: string): Promise<string> {
  if (!line.includes('HASH')) return line;
  const { said } = await run('argus plan-recovery --format json', 'shop');
  return line.replace('HASH', JSON.parse(said).data.hash);
}

/** Executes a line in a shell; one that would go on for ever gets what Ctrl-C sends when it has said enough. */
function run(
  line: string,
  place: string,
  enough?: RegExp,
  shell = 'sh',
): Promise<{ code: number | null; said: string }> {
  // The shell itself would not wait for what it has started.
  const child = spawn(shell, ['-c', enough ? `exec ${line}` : line], { cwd: join(folder, place), env });
  let said = '';
  const hear = (text: string) => {
    const before = enough?.test(said) ?? true;
    said += text;
    if (!before && enough?.test(said)) child.kill('SIGINT');
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}
