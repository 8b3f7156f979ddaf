import type { Command } from './command.js';
import type { Input } from './parse-input.js';
import { unknownWord, usageError } from './usage-error.js';

/** The ways of writing results that every command has. */
export const commonFormats = ['pretty', 'json', 'ndjson'] as const;

/** The ways of writing results that only a check has: for CI, for monitoring, and for whoever asks a service how it is. */
export const checkFormats = ['junit', 'github', 'nagios', 'health'] as const;

/** How results are written. */
export type Format = (typeof commonFormats | typeof checkFormats)[number];

const formats: readonly Format[] = [...commonFormats, ...checkFormats];

/** The format that is asked for anywhere in the arguments, also when the rest of them makes no sense. */
export function findFormat(argv: readonly string[]): Format {
  let found: Format = 'pretty';
  for (const [index, argument] of argv.entries()) {
    if (argument === '--') break;
    if (argument !== '--format' && !argument.startsWith('--format=')) continue;
    const value = argument === '--format' ? argv[index + 1] : argument.slice('--format='.length);
    if (isFormat(value)) found = value;
  }
  return found;
}

/** Reads the value of `--format`. */
export function parseFormat(value: string): Format {
  if (isFormat(value)) return value;
  if (value === '') throw usageError(`--format needs one of ${formats.join(', ')}`);
  throw unknownWord(`There is no format ${value}`, { word: value, known: formats });
}

/** The ways of writing results that a command has. */
export function formatsOf({ view }: Pick<Command, 'view'>): readonly Format[] {
  return [...commonFormats, ...(view.formats ?? [])];
}

/** Refuses a format that a command does not have. */
export function requireFormat(command: Pick<Command, 'name' | 'view'>, format: Format): void {
  const known = formatsOf(command);
  if (known.includes(format)) return;
  const { name } = command;
  throw usageError(`argus ${name} has no format ${format}; it has ${known.join(', ')}`, {
    word: format,
    known: [...known],
    command: name,
  });
}

/** Refuses what a command cannot answer in a format. */
export function requireAnswer(
  {
    command: { name, view },
    input,
  }: { readonly command: Pick<Command, 'name' | 'view'>; readonly input: Input },
  format: Format,
): void {
  const reason = view.refuses?.(input, format);
  if (reason !== undefined) throw usageError(reason, { command: name, format });
}

function isFormat(value: string | undefined): value is Format {
  return (formats as readonly (string | undefined)[]).includes(value);
}
