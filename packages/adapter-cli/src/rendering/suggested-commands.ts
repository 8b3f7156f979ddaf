import type { Kernel, StructuredError } from '@argusai/core';
import { inputFields } from '../command-line/input-fields.js';
import { isPositional, placeholder } from '../command-line/parse-input.js';

/** The commands that help with a problem, best first. What a recoverer would do is shown and asked about before it is done. */
export function suggestedCommands(
  { operations }: Pick<Kernel, 'operations'>,
  { suggestedActions, details }: Pick<StructuredError, 'suggestedActions' | 'details'>,
  check?: string,
): string[] {
  const commands = suggestedActions.map((action) => {
    const operation = operations.get(action);
    if (!operation) return `argus fix${check === undefined ? '' : ` --only ${check}`}`;
    const needed = inputFields(operation).filter(isPositional);
    const words = needed.map((field) => {
      const value = details[field.key];
      return typeof value === 'string' || typeof value === 'number'
        ? quoted(String(value))
        : placeholder(field);
    });
    return ['argus', operation.alias ?? operation.name, ...words].join(' ');
  });
  return [...new Set(commands)];
}

/** An argument as it can be pasted into a shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
