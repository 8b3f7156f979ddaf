import { globalOptions } from './global-options.js';
import type { InputField } from './input-fields.js';
import { type OptionToken, tokensOf } from './tokens.js';
import { unknownWord, usageError } from './usage-error.js';

/** What a command line says to a command, in the shape that its operation expects. */
export type Input = Record<string, unknown>;

/** Turns the arguments of a command into the input of its operation, which is then for its schema to judge. */
export function parseInput(command: string, fields: readonly InputField[], rest: readonly string[]): Input {
  const input: Input = {};
  const positionals: string[] = [];
  const tail = fields.find(({ placement }) => placement?.at === 'after-dashes');
  const dashes = tail ? rest.indexOf('--') : -1;
  const takesValue = (name: string) =>
    fields.some((field) => field.option === name && hasOption(field) && field.kind !== 'boolean');
  for (const token of tokensOf(dashes < 0 ? rest : rest.slice(0, dashes), takesValue)) {
    if (token.kind === 'positional') positionals.push(token.value);
    else take(command, fields, input, token);
  }
  takePositionals(command, fields, input, positionals);
  if (tail && dashes >= 0) input[tail.key] = rest.slice(dashes + 1);
  const missing = fields.filter(({ key, required }) => required && !(key in input));
  if (missing.length > 0) {
    const names = missing.map((field) => (isPositional(field) ? placeholder(field) : `--${field.option}`));
    throw usageError(`argus ${command} needs ${names.join(' and ')}`, { command, missing: names });
  }
  return input;
}

/** Whether an input may be given without its name. */
export function isPositional({ required, kind, many, placement }: InputField): boolean {
  return placement !== undefined || (required && kind === 'text' && !many);
}

/** What stands for an input that is given without its name. */
export function placeholder({
  option,
  many,
  placement,
}: Pick<InputField, 'option' | 'many' | 'placement'>): string {
  if (!placement) return option.toUpperCase();
  const shown = `${placement.shown}${many ? '…' : ''}`;
  return placement.at === 'arguments' ? `[${shown}]` : `[-- ${shown}]`;
}

/** What has a place needs no name besides, and words with commas could not be given by it. */
function hasOption({ placement }: InputField): boolean {
  return placement === undefined;
}

function take(command: string, all: readonly InputField[], input: Input, token: OptionToken): void {
  const fields = all.filter(hasOption);
  const field = fields.find(({ option }) => option === token.name && token.rawName.startsWith('--'));
  if (!field) {
    const denied = fields.find(
      ({ option, kind }) => kind === 'boolean' && token.rawName === `--no-${option}`,
    );
    if (!denied || token.value !== undefined) throw unknownOption(command, fields, token);
    input[denied.key] = false;
    return;
  }
  const { key, kind, many } = field;
  if (kind === 'boolean') {
    input[key] = booleanOf(command, token);
  } else if (many) {
    input[key] = [...((input[key] as unknown[]) ?? []), ...listOf(field, textOf(command, token))];
  } else {
    if (key in input) throw usageError(`${token.rawName} is given twice`, { command, option: token.rawName });
    input[key] = convert(field, textOf(command, token));
  }
}

function unknownOption(command: string, fields: readonly InputField[], { rawName }: OptionToken) {
  return unknownWord(`argus ${command} has no option ${rawName}`, {
    word: rawName.replace(/^-+/, ''),
    known: [...fields.flatMap(namesOf), ...globalOptions.map(({ name }) => name)],
    shown: (name) => `--${name}`,
    command,
  });
}

/** What is so unless it is denied can be given both ways. */
function namesOf({ option, kind, fallback }: InputField): string[] {
  return kind === 'boolean' && fallback === true ? [option, `no-${option}`] : [option];
}

function booleanOf(command: string, { rawName, value }: OptionToken): boolean {
  if (value === undefined || value === 'true') return true;
  if (value === 'false') return false;
  throw usageError(`${rawName} is true or false, not ${value}`, { command, option: rawName, value });
}

/** The text after an option. One that looks like the next option is most likely that, and the value is missing. */
function textOf(command: string, { rawName, value, inlineValue }: OptionToken): string {
  if (value === undefined || (!inlineValue && /^-(?!\d|$)/.test(value))) {
    throw usageError(`${rawName} needs a value`, { command, option: rawName });
  }
  return value;
}

/** Several at once are parted by commas. What has commas itself can be given as a list in JSON. */
function listOf(field: InputField, text: string): unknown[] {
  const list = field.holdsLists ? undefined : convert({ ...field, kind: 'json' }, text);
  if (Array.isArray(list)) return list;
  if (field.kind === 'json') return [convert(field, text)];
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '').map((item) => convert(field, item));
}

/** What cannot be converted stays a text, so that the schema tells what it expects. */
function convert({ kind }: InputField, text: string): unknown {
  if (kind === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    // No JSON, so it is meant as the text that it is.
    return text;
  }
}

function takePositionals(
  command: string,
  fields: readonly InputField[],
  input: Input,
  positionals: readonly string[],
): void {
  const list = fields.find(({ placement, many }) => placement?.at === 'arguments' && many);
  if (list && positionals.length > 0) {
    input[list.key] = [...positionals];
    return;
  }
  const open = fields.filter(
    (field) => field.placement?.at !== 'after-dashes' && isPositional(field) && !(field.key in input),
  );
  for (const [index, value] of positionals.entries()) {
    const field = open[index];
    if (!field) throw strayWord(command, fields, value);
    input[field.key] = value;
  }
}

/** A word that stands alone is most likely one of the names that the command takes several of. */
function strayWord(command: string, fields: readonly InputField[], word: string) {
  const names = fields.find((field) => field.many && field.kind === 'text' && hasOption(field));
  const hint = names === undefined ? '' : `; did you mean --${names.option} ${word}?`;
  return usageError(`argus ${command} does not know what to do with ${word}${hint}`, {
    command,
    argument: word,
  });
}
