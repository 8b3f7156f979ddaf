import type { Kernel } from '@argusai/core';
import { type Command, toCommand } from '../command-line/command.js';
import { globalOptions } from '../command-line/global-options.js';
import type { InputField } from '../command-line/input-fields.js';
import { isPositional } from '../command-line/parse-input.js';
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
}

/** Everything that can be completed. */
export interface Completed {
  readonly commands: readonly CompletedCommand[];
  /** The options of every command. */
  readonly options: readonly CompletedOption[];
}

/** What can be completed with the operations that are loaded. */
export function completedOf({ operations }: Pick<Kernel, 'operations'>): Completed {
  const commands = operations.values().map((operation) => commandOf(toCommand(operation)));
  const names = [...commands.map((command) => command.names[0]), 'completion'];
  const own = (name: string, summary: string, words: readonly string[]): CompletedCommand => ({
    ...{ names: [name], summary, options: [], argument: { values: { kind: 'words', words }, many: false } },
  });
  return {
    commands: [
      ...commands,
      own('help', 'Show help', names),
      own('completion', 'Print a script that completes argus', shells),
      own('mcp', 'Serve these commands to agents as tools', ['--help']),
    ],
    options: globalOptions.map(({ name, value, description }) => ({
      ...{ flag: `--${name}`, description, many: false },
      ...(value === undefined ? {} : { values: globalValues(value) }),
    })),
  };
}

function globalValues(value: string): Values {
  if (value.includes('|')) return { kind: 'words', words: value.split('|') };
  return { kind: value === 'DIR' ? 'folders' : value === 'FILE' ? 'files' : 'anything' };
}

function commandOf({ name, operation, fields, view }: Command): CompletedCommand {
  const positional = fields.find((field) => isPositional(field) && field.placement?.at !== 'after-dashes');
  return {
    names: operation.alias === undefined ? [name] : [name, operation.name],
    summary: operation.summary,
    options: [...fields, ...view.options].filter((field) => !isPositional(field)).map(optionOf),
    ...(positional
      ? { argument: { values: valuesOf(positional), many: positional.placement !== undefined } }
      : {}),
  };
}

function optionOf(field: InputField): CompletedOption {
  const { option, kind, many, description = '', fallback } = field;
  if (kind !== 'boolean') return { flag: `--${option}`, description, many, values: valuesOf(field) };
  // What is so anyway needs no option; what can be said is that it should not be so.
  return fallback === true
    ? { flag: `--no-${option}`, description: `Do not: ${description}`, many: false }
    : { flag: `--${option}`, description, many: false };
}

function valuesOf({ key, choices }: InputField): Values {
  if (choices) return { kind: 'words', words: choices };
  const of = nameKinds[key];
  return of === undefined ? { kind: 'anything' } : { kind: 'names', of };
}
