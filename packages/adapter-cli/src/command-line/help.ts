import { type Kernel, printable, toStructuredError } from '@argusai/core';
import { completionExamples, completionHelp } from '../completion/completion-help.js';
import { exitCodes } from '../exit-code.js';
import { type Known, notAsked } from '../known-without-code.js';
import { trustExamples, trustHelp, trustSummary } from '../trust/trust-help.js';
import { type Command, commandsOf, takeCommand } from './command.js';
import { type CommandGroup, groupAlone } from './command-groups.js';
import {
  type DescribedCommand,
  type DescribedOption,
  describeCommand,
  describeGlobalOptions,
  headingOf,
} from './describe-command.js';
import { commonFormats } from './format.js';
import { helpTable, laidOut } from './help-layout.js';
import { usageError } from './usage-error.js';

/** The examples in the help about argus itself. */
export const overviewExamples = ['argus check --format json'];

/** Help in words, and what programs get beside it. */
export interface Help {
  readonly text: string;
  /** The same for a screen of this width. */
  textAt(columns: number): string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is no operation and a command all the same. */
const others: readonly (readonly [string, string])[] = [
  ['mcp', 'Serve these commands to agents as tools; argus mcp --help tells more'],
  ['trust [DIR]', trustSummary],
  ['completion SHELL', 'Print a script that completes argus in bash, zsh or fish'],
  ['help [COMMAND]', 'Show help'],
];

/**
 * The help about argus or about one command; `isWhole` when the words should name nothing else. Nothing of the project is run for it,
 * so the commands of its own plugins are not shown, which is said.
 */
export async function help(
  words: readonly string[],
  open: () => Promise<Known>,
  isWhole = false,
): Promise<Help> {
  if (words[0] === 'completion') return toHelp(completionHelp, { examples: completionExamples });
  if (words[0] === 'mcp') {
    // It brings a whole server along, so it is loaded only for this.
    const mcp = await import('@argusai/adapter-mcp');
    return toHelp(mcp.helpOf('argus mcp'), { examples: mcp.helpExamples });
  }
  if (words[0] === 'trust') return toHelp(trustHelp, { examples: trustExamples });
  const known = await open();
  const { kernel, notRun, broken } = known;
  const note = broken
    ? `Commands of plugins are left out: ${toStructuredError(broken.thrown).message}`
    : notRunNote(notRun);
  const group = groupAlone(kernel, words);
  if (group) return aboutGroup(kernel, group, note);
  if (words.length === 0 || words[0] === 'help') return aboutArgus(kernel, note);
  const { command, rest } = commandIn(known, words);
  if (isWhole) refuseMore(rest);
  return aboutCommand(command, note);
}

/** The command that the words name. It may well be one of a plugin, which only the project would know. */
function commandIn(known: Known, words: readonly string[]): ReturnType<typeof takeCommand> {
  try {
    return takeCommand(known.kernel, words);
  } catch (thrown) {
    throw notAsked(known, thrown);
  }
}

function toHelp(text: string, data: Help['data'], note?: string): Help {
  const remark = note === undefined ? '' : `\n${note}\n`;
  return {
    text: `${laidOut(text)}${remark}`,
    textAt: (columns) => laidOut(`${text}${remark}`, columns),
    data,
  };
}

/** What is not shown, because help runs nothing of a project. */
function notRunNote(notRun: readonly string[]): string | undefined {
  if (notRun.length === 0) return undefined;
  return `Not run for help: ${notRun.map(printable).join(', ')}. argus plugins lists what is added there, argus explain NAME tells how a command is typed.`;
}

function aboutArgus(kernel: Kernel, note?: string): Help {
  const commands = commandsOf(kernel);
  const options = describeGlobalOptions(commonFormats);
  const text = [
    'Usage: argus COMMAND [options]',
    '',
    'Keeps a development or test environment healthy: checks it, says what is wrong, repairs what it may.',
    '',
    'Commands:',
    ...helpTable(commands.map((command) => [headingOf(command), command.operation.summary])),
    ...helpTable(others),
    '',
    ...section('Options of every command:', options),
    'Exit codes: 0 fine, 1 unhealthy or failed, 2 wrong usage or configuration, 3 could not be determined, 128 and the number of the signal when a signal ended it.',
    '',
    ...exampleLines(overviewExamples),
    '',
  ].join('\n');
  const described = commands.map(describeCommand);
  return toHelp(text, { commands: described, options, exitCodes, examples: overviewExamples }, note);
}

/** The help about all commands that begin with the same word. */
function aboutGroup(kernel: Kernel, { first, members }: CommandGroup, note?: string): Help {
  const commands = members.map((member) => takeCommand(kernel, [first, member]).command);
  const described = commands.map(describeCommand);
  const text = [
    `Usage: argus ${first} COMMAND [options]`,
    '',
    'Commands:',
    ...helpTable(commands.map((command) => [headingOf(command), command.operation.summary])),
    '',
    ...described.flatMap((command) => [...headOf(command), ...tailOf(command), '']),
    ...section('Options of every command:', describeGlobalOptions(commonFormats)),
  ].join('\n');
  return toHelp(text, { commands: described }, note);
}

/** One command at a time; to pass over a second one would answer another question. */
function refuseMore([more]: readonly string[]): void {
  if (more === undefined || more.startsWith('-')) return;
  throw usageError(`argus help does not know what to do with ${more}`, { command: 'help', argument: more });
}

function aboutCommand(asked: Command, note?: string): Help {
  const command = describeCommand(asked);
  const options = section('Options of every command:', describeGlobalOptions(command.formats));
  const text = [...headOf(command), ...options, ...tailOf(command), ''].join('\n');
  return toHelp(text, { command }, note);
}

function headOf({ name, operation, description, ...command }: DescribedCommand): string[] {
  return [
    `Usage: ${command.usage}`,
    '',
    command.summary,
    ...(description === undefined ? [] : ['', description.replaceAll(/\s+/g, ' ')]),
    '',
    ...(operation === name ? [] : [`Also called ${operation}.`, '']),
    ...section('Arguments:', command.arguments),
    ...section('Options:', command.options),
  ];
}

function tailOf({ exitCodes: own, examples }: DescribedCommand): string[] {
  return [...(own === undefined ? [] : [`Exit codes: ${own}`, '']), ...exampleLines(examples)];
}

function exampleLines(examples: readonly string[]): string[] {
  return [examples.length === 1 ? 'Example:' : 'Examples:', ...examples.map((line) => `  ${line}`)];
}

function section(title: string, options: readonly DescribedOption[]): string[] {
  if (options.length === 0) return [];
  return [title, ...helpTable(options.map(({ shown, description }) => [shown, description])), ''];
}
