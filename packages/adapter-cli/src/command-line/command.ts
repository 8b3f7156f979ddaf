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
  return {
    name: operation.alias ?? operation.name,
    operation,
    fields: inputFields(operation),
    view: viewOf(operation.name),
  };
}

/** Finds a command by the name or the alias of its operation. */
export function findCommand({ operations }: Pick<Kernel, 'operations'>, name: string): Command {
  const all = operations.values();
  const operation = operations.get(name) ?? all.find(({ alias }) => alias === name);
  if (operation) return toCommand(operation);
  const known = all.flatMap((one) => (one.alias === undefined ? [one.name] : [one.alias, one.name]));
  throw unknownWord(`There is no command ${name}`, { word: name, known: ['help', ...known] });
}
