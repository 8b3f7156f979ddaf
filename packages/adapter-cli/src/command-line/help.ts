import { corePlugin, createKernel, type Kernel, type OpenProject, toStructuredError } from '@argusai/core';
import { completionHelp } from '../completion/completion-help.js';
import { type Command, takeCommand, toCommand } from './command.js';
import { commonFormats, type Format, formatsOf } from './format.js';
import { globalOptions } from './global-options.js';
import type { InputField } from './input-fields.js';
import { isPositional, placeholder } from './parse-input.js';

/** The examples in the help about argus itself. */
export const overviewExamples = ['argus check --format json'];

/** The help about argus or about one command. A project that cannot be opened only costs the commands of its plugins. */
export async function help(words: readonly string[], open: () => Promise<OpenProject>): Promise<string> {
  if (words[0] === 'completion') return completionHelp;
  // It brings a whole server along, so it is loaded only for this.
  if (words[0] === 'mcp') return (await import('@argusai/adapter-mcp')).help;
  const { kernel, note } = await kernelFor(open);
  const text = words.length === 0 ? overview(kernel) : commandHelp(takeCommand(kernel, words).command);
  return note === undefined ? text : `${text}\n${note}\n`;
}

async function kernelFor(open: () => Promise<OpenProject>): Promise<{ kernel: Kernel; note?: string }> {
  try {
    const { kernel, close } = await open();
    await close();
    return { kernel };
  } catch (thrown) {
    // Whoever asks for help is best served with what is known, and told why it is not more.
    const core = { plugin: corePlugin, options: {}, source: 'core' };
    const kernel = createKernel({ project: { name: 'help', dir: '/' }, plugins: [core] });
    return { kernel, note: `Commands of plugins are left out: ${toStructuredError(thrown).message}` };
  }
}

function overview({ operations }: Kernel): string {
  const commands = operations.values().map(toCommand);
  return [
    'Usage: argus COMMAND [options]',
    '',
    'Keeps a development or test environment healthy: checks it, says what is wrong, repairs what it may.',
    '',
    'Commands:',
    ...table(commands.map((command) => [heading(command), command.operation.summary])),
    ...table([
      ['mcp', 'Serve these commands to agents as tools; argus mcp --help tells more'],
      ['completion SHELL', 'Print a script that completes argus in bash, zsh or fish'],
      ['help [COMMAND]', 'Show help'],
    ]),
    '',
    'Options of every command:',
    ...globalTable(commonFormats),
    '',
    'Exit codes: 0 fine, 1 unhealthy or failed, 2 wrong usage or configuration, 3 could not be determined,',
    '128 and the number of the signal when a signal ended it.',
    '',
    ...exampleLines(overviewExamples),
    '',
  ].join('\n');
}

function commandHelp(command: Command): string {
  const { operation, fields, view } = command;
  const options = [...fields, ...view.options].filter((field) => !isPositional(field));
  const positionals = fields.filter(isPositional);
  const alias = operation.alias === undefined ? [] : [`Also called ${operation.name}.`, ''];
  return [
    `Usage: argus ${heading(command)}${options.length === 0 ? '' : ' [options]'}`,
    '',
    operation.summary,
    ...(operation.description === undefined ? [] : ['', ...wrap(operation.description)]),
    '',
    ...alias,
    ...section(
      'Arguments:',
      positionals.map((field) => [placeholder(field), describe(field)]),
    ),
    ...section(
      'Options:',
      options.map((field) => [optionHeading(field), describe(field)]),
    ),
    'Options of every command:',
    ...globalTable(formatsOf(command)),
    '',
    ...exampleLines(examplesOf(command)),
    '',
  ].join('\n');
}

/** The examples in the help about a command. One that nobody wrote any for gets one that shows its arguments. */
export function examplesOf(command: Command): readonly string[] {
  return command.view.examples ?? [`argus ${heading(command)}`];
}

function exampleLines(examples: readonly string[]): string[] {
  return [examples.length === 1 ? 'Example:' : 'Examples:', ...examples.map((line) => `  ${line}`)];
}

function heading({ name, fields }: Command): string {
  return [name, ...fields.filter(isPositional).map(placeholder)].join(' ');
}

function optionHeading({ option, kind, many, choices, fallback }: InputField): string {
  // What is so anyway is there to be denied.
  if (kind === 'boolean') return fallback === true ? `--${option}, --no-${option}` : `--${option}`;
  const value =
    choices?.join('|') ?? { number: 'NUMBER', text: many ? 'NAME,…' : 'VALUE', json: 'JSON' }[kind];
  return `--${option} ${value}`;
}

function describe({ description = '', fallback, required, kind }: InputField): string {
  const isTold = fallback !== undefined && !(kind === 'boolean' && fallback === false);
  const remark = isTold
    ? ` (default ${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)})`
    : '';
  return `${description}${required ? ' (required)' : ''}${remark}`.trim();
}

function globalTable(formats: readonly Format[]): string[] {
  return table(
    globalOptions.map(({ name, short, value, description }) => {
      const shown = name === 'format' ? formats.join('|') : value;
      const heading = `${short === undefined ? '' : `-${short}, `}--${name}`;
      return [shown === undefined ? heading : `${heading} ${shown}`, description];
    }),
  );
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  return rows.length === 0 ? [] : [title, ...table(rows), ''];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(30)}  ${right}`.trimEnd());
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= 100) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
