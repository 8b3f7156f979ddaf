import type { Kernel, Operation } from '@argusai/core';
import { type View, viewOf } from '../rendering/views.js';
import { type InputField, inputFields } from './input-fields.js';
import { unknownWord } from './usage-error.js';

/** An operation as a command. */
export interface Command {
  /** What people type. */
  readonly name: string;
  readonly operation: Operation;
  readonly fields: readonly InputField[];
  readonly view: View;
}

/** Turns an operation into a command. */
export function toCommand(operation: Operation): Command {
  const view = viewOf(operation.name);
  const fields = inputFields(operation).map((field): InputField => {
    const placement = view.placements?.[field.key];
    return placement ? { ...field, placement } : field;
  });
  return { name: operation.alias ?? operation.name, operation, fields, view };
}

/** The command that the first words name, and the words that are left. Two words can be one name: `fault list` is `fault-list`. */
export function takeCommand(
  kernel: Pick<Kernel, 'operations'>,
  [first = '', ...rest]: readonly string[],
): { command: Command; rest: readonly string[] } {
  const both = `${first}-${rest[0]}`;
  const isBoth = !kernel.operations.has(first) && kernel.operations.has(both);
  return isBoth
    ? { command: findCommand(kernel, both), rest: rest.slice(1) }
    : { command: findCommand(kernel, first), rest };
}

/** Finds a command by the name or the alias of its operation. */
export function findCommand({ operations }: Pick<Kernel, 'operations'>, name: string): Command {
  const all = operations.values();
  const operation = operations.get(name) ?? all.find(({ alias }) => alias === name);
  if (operation) return toCommand(operation);
  const known = all.flatMap((one) => (one.alias === undefined ? [one.name] : [one.alias, one.name]));
  throw unknownWord(`There is no command ${name}`, {
    word: name,
    known: ['help', 'completion', 'mcp', ...known],
  });
}
