import type { Command } from './command.js';
import { type Format, formatsOf } from './format.js';
import { globalOptions } from './global-options.js';
import type { InputField } from './input-fields.js';
import { isPositional, placeholder } from './parse-input.js';

/** An argument or an option, as it is written and in words. */
export interface DescribedOption {
  /** `--only NAME,…`, `HASH` */
  readonly shown: string;
  readonly description: string;
}

/** All there is to know about using a command. Help for people and for programs is made from it. */
export interface DescribedCommand {
  readonly name: string;
  /** The operation behind it; another name for the command. */
  readonly operation: string;
  readonly usage: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments: readonly DescribedOption[];
  readonly options: readonly DescribedOption[];
  readonly formats: readonly Format[];
  /** What its exit codes mean beyond those that every command has. */
  readonly exitCodes?: string;
  readonly examples: readonly string[];
}

/** Describes a command. */
export function describeCommand(command: Command): DescribedCommand {
  const { name, operation, fields, view } = command;
  const options = [...fields, ...view.options].filter((field) => !isPositional(field));
  return {
    name,
    operation: operation.name,
    usage: `argus ${headingOf(command)}${options.length === 0 ? '' : ' [options]'}`,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    arguments: fields
      .filter(isPositional)
      .map((field) => ({ shown: placeholder(field), description: describe(field) })),
    options: options.map((field) => ({ shown: optionHeading(field), description: describe(field) })),
    formats: formatsOf(command),
    ...(view.exitCodes === undefined ? {} : { exitCodes: view.exitCodes }),
    examples: examplesOf(command),
  };
}

/** The options that every command has, with the formats that are possible here. */
export function describeGlobalOptions(formats: readonly Format[]): DescribedOption[] {
  return globalOptions.map(({ name, short, value, description }) => {
    const shown = name === 'format' ? formats.join('|') : value;
    const heading = `${short === undefined ? '' : `-${short}, `}--${name}`;
    return { shown: shown === undefined ? heading : `${heading} ${shown}`, description };
  });
}

/** The examples in the help about a command. One that nobody wrote any for gets one that shows its arguments. */
export function examplesOf(command: Command): readonly string[] {
  return command.view.examples ?? [`argus ${headingOf(command)}`];
}

/** A command with its arguments: `apply-recovery HASH`. */
export function headingOf({ name, fields }: Command): string {
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
