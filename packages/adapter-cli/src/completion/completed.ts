import type { Kernel } from '@argusai/core';
import { type Command, commandsOf } from '../command-line/command.js';
import { commandGroups } from '../command-line/command-groups.js';
import { formatsOf } from '../command-line/format.js';
import { globalOptions } from '../command-line/global-options.js';
import type { InputField } from '../command-line/input-fields.js';
import { isPositional } from '../command-line/parse-input.js';
import type { View } from '../rendering/view.js';
import { trustFields, trustSummary } from '../trust/trust-help.js';
import { type NameKind, nameKinds } from './name-kind.js';
import { shells } from './shell.js';

/** What may stand somewhere on the command line. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'files' | 'folders' | 'anything' };

/** An option, as it is completed. */
export interface CompletedOption {
  /** With its dashes. */
  readonly flag: string;
  readonly description: string;
  /** What may follow it; nothing where it takes no value. */
  readonly values?: Values;
  /** Whether its value is a list with commas. */
  readonly many: boolean;
}

/** A command, as it is completed. */
export interface CompletedCommand {
  /** What is offered, then what is understood as well. */
  readonly names: readonly [string, ...string[]];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What may stand without a name, once or again and again. */
  readonly argument?: { readonly values: Values; readonly many: boolean };
  /** The ways of writing results that it has, where they are more than those of every command. */
  readonly formats?: readonly string[];
  /** It is understood, and not offered: there is a shorter way to say it. */
  readonly isSilent?: boolean;
}

/** Everything that can be completed. */
export interface Completed {
  readonly commands: readonly CompletedCommand[];
  /** The options of every command. */
  readonly options: readonly CompletedOption[];
  /** Two words that are one command, each with a space between: `fault list`. */
  readonly pairs: readonly string[];
}

/** The hosts of `argus mcp install`. The server that knows them is too much to load for their names. */
export const mcpHosts = ['claude-code', 'cursor', 'vscode', 'claude-desktop'];

/** What can be completed with the operations that are loaded. */
export function completedOf(kernel: Pick<Kernel, 'operations'>): Completed {
  const commands = commandsOf(kernel).map(commandOf);
  const names = [...commands.map((command) => command.names[0]), 'completion'];
  const own = (name: string, summary: string, words: readonly string[]): CompletedCommand => ({
    names: [name],
    summary,
    options: [],
    argument: { values: { kind: 'words', words }, many: false },
  });
  const groups = commandGroups(kernel);
  return {
    pairs: [
      ...groups.flatMap(({ first, members }) => members.map((member) => `${first} ${member}`)),
      'mcp install',
    ],
    commands: [
      ...commands,
      ...groups.map(({ first, members }) => ({
        ...own(first, `Also: ${members.map((member) => `${first} ${member}`).join(', ')}`, members),
        isSilent: members.length < 2,
      })),
      own('help', 'Show help', names),
      own('completion', 'Print a script that completes argus', shells),
      {
        ...own('trust', trustSummary, []),
        argument: { values: { kind: 'folders' }, many: false },
        options: trustFields
          .filter((field) => !isPositional(field))
          .map((field) => optionOf(field, { names: {} })),
      },
      own('mcp', 'Serve these commands to agents as tools', ['install', '--help']),
      { ...own('mcp-install', 'Show or write what a host has to be told', mcpHosts), isSilent: true },
    ],
    options: globalOptions.map(({ name, value, description }) => ({
      flag: `--${name}`,
      description,
      many: false,
      ...(value === undefined ? {} : { values: globalValues(value) }),
    })),
  };
}

function globalValues(value: string): Values {
  if (value.includes('|')) return { kind: 'words', words: value.split('|') };
  return { kind: value === 'DIR' ? 'folders' : value === 'FILE' ? 'files' : 'anything' };
}

function commandOf({ operation, fields, view }: Command): CompletedCommand {
  const positional = fields.find((field) => isPositional(field) && field.placement?.at !== 'after-dashes');
  return {
    // Shells complete one word; a name of two has an entry for its first one besides.
    names: operation.alias === undefined ? [operation.name] : [operation.alias, operation.name],
    summary: operation.summary,
    options: [...fields, ...view.options]
      .filter((field) => !isPositional(field))
      .map((field) => optionOf(field, view)),
    ...(positional ? { argument: { values: valuesOf(positional, view), many: isRepeated(positional) } } : {}),
    ...(view.formats ? { formats: formatsOf({ view }) } : {}),
  };
}

function isRepeated({ placement, many }: InputField): boolean {
  return placement !== undefined && many;
}

function optionOf(field: InputField, view: Pick<View, 'names'>): CompletedOption {
  const { option, kind, many, description = '', fallback } = field;
  if (kind !== 'boolean') return { flag: `--${option}`, description, many, values: valuesOf(field, view) };
  // What is so anyway needs no option; what can be said is that it should not be so.
  return fallback === true
    ? { flag: `--no-${option}`, description: `Do not: ${description}`, many: false }
    : { flag: `--${option}`, description, many: false };
}

function valuesOf({ key, choices }: InputField, { names = {} }: Pick<View, 'names'>): Values {
  if (choices) return { kind: 'words', words: choices };
  const of = names[key] ?? nameKinds[key];
  return of === undefined ? { kind: 'anything' } : { kind: 'names', of };
}
