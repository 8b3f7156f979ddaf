import type { Command } from './command.js';
import type { InputField } from './input-fields.js';
import { type Input, parseInput } from './parse-input.js';
import { unknownWord } from './usage-error.js';

/** Reads the arguments of a command: the input of its operation, and what matters only to the command line. */
export function parseCall(
  { name, fields, view }: Pick<Command, 'name' | 'fields' | 'view'>,
  rest: readonly string[],
): { input: Input; own: Input } {
  const given = Object.entries(parseInput(name, [...fields, ...view.options], rest));
  const isOwn = ([key]: [string, unknown]) => view.options.some((option) => option.key === key);
  const own = Object.fromEntries(given.filter(isOwn));
  for (const option of view.options) requireChoice(name, option, own[option.key]);
  return { input: Object.fromEntries(given.filter((entry) => !isOwn(entry))), own };
}

function requireChoice(command: string, { option, choices = [] }: InputField, value: unknown): void {
  if (value === undefined || choices.includes(String(value))) return;
  throw unknownWord(`--${option} cannot be ${value}`, { word: String(value), known: choices, command });
}
