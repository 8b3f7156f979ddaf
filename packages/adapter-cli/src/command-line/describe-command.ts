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
    usage: `${neededIn(command)}${options.some(({ required }) => !required) ? ' [options]' : ''}`,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    arguments: fields
      .filter(isPositional)
      .map((field) => ({ shown: placeholder(field), description: describeArgument(field) })),
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

/** The examples in the help about a command. One that nobody wrote any for gets one that shows all it needs. */
export function examplesOf(command: Command): readonly string[] {
  return command.view.examples ?? [neededIn(command)];
}

/** A command line with the arguments, and the options without which it does not work. */
function neededIn(command: Command): string {
  const needed = command.fields.filter((field) => field.required && !isPositional(field));
  return ['argus', headingOf(command), ...needed.map(optionHeading)].join(' ');
}

/** A command with its arguments: `apply-recovery HASH`. */
export function headingOf({ name, fields }: Command): string {
  return [name, ...fields.filter(isPositional).map(placeholder)].join(' ');
}

function optionHeading({ option, kind, many, choices, fallback }: InputField): string {
  // What is so anyway is there to be denied.
  if (kind === 'boolean') return fallback === true ? `--${option}, --no-${option}` : `--${option}`;
  const value = choices?.join('|') ?? { number: 'NUMBER', text: many ? 'NAME' : 'VALUE', json: 'JSON' }[kind];
  // What may have commas of its own is given again and again.
  const more = kind === 'json' ? '…' : ',…';
  return `--${option} ${value}${many ? more : ''}`;
}

function describe({ description = '', fallback, required, kind }: InputField): string {
  const isTold = fallback !== undefined && !(kind === 'boolean' && fallback === false) && !isEmpty(fallback);
  const remark = isTold ? ` (default ${written(fallback)})` : '';
  return `${description}${required ? ' (required)' : ''}${remark}`.trim();
}

/** What is given without a name has its choices beside it, for want of another place. */
function describeArgument({ description = '', choices, ...field }: InputField): string {
  const possible = choices === undefined ? '' : `: ${choices.join(', ')}`;
  return describe({ ...field, description: `${description}${possible}`.replace(/^: /, '') });
}

/** A value as it would be typed. */
function written(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
