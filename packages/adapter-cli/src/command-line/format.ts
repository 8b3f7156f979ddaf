import { unknownWord, usageError } from './usage-error.js';

/** How results are written. */
export type Format = 'pretty' | 'json' | 'ndjson';

/** All ways of writing results. */
export const formats: readonly Format[] = ['pretty', 'json', 'ndjson'];

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

function isFormat(value: string | undefined): value is Format {
  return (formats as readonly (string | undefined)[]).includes(value);
}
