import type { Kernel, Operation } from '@argusai/core';
import type { View } from '../rendering/view.js';
import { viewOf } from '../rendering/views.js';
import { otherCommands, shownGroups } from './command-groups.js';
import { type InputField, inputFields } from './input-fields.js';
import { unknownWord, usageError } from './usage-error.js';

/** An operation as a command. */
export interface Command {
  /** What people type; two words where others begin with the same one. */
  readonly name: string;
  readonly operation: Operation;
  readonly fields: readonly InputField[];
  readonly view: View;
}

/** Every operation as a command. */
export function commandsOf(kernel: Pick<Kernel, 'operations'>): Command[] {
  const names = namesIn(kernel);
  return kernel.operations.values().map((operation) => toCommand(operation, names(operation)));
}

/** How each operation is typed. */
function namesIn(kernel: Pick<Kernel, 'operations'>): (operation: Operation) => string {
  const pairs = shownGroups(kernel).flatMap(({ first, members }) =>
    members.map((member) => [`${first}-${member}`, `${first} ${member}`] as const),
  );
  const inTwoWords = new Map<string, string>(pairs);
  return ({ name, alias }) => alias ?? inTwoWords.get(name) ?? name;
}

function toCommand(operation: Operation, name: string): Command {
  const view = viewOf(operation.name);
  const fields = inputFields(operation).map((field): InputField => {
    const placement = view.placements?.[field.key];
    return placement ? { ...field, placement } : field;
  });
  return { name, operation, fields, view };
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
    : { command: findCommand(kernel, wordsOf(kernel, first, rest)), rest };
}

/** The name that was meant: where several begin with the first word, the second one belongs to it. */
function wordsOf(
  kernel: Pick<Kernel, 'operations'>,
  first: string,
  [second = '']: readonly string[],
): string {
  const group = shownGroups(kernel).find((one) => one.first === first);
  if (!group) return first;
  if (second !== '' && !second.startsWith('-')) return `${first} ${second}`;
  const known = group.members.map((member) => `${first} ${member}`);
  throw usageError(`argus ${first} is no whole command; there are ${known.join(', ')}`, {
    known,
    command: first,
  });
}

/** What other tools call what argus does, by the name of the operation. */
const otherWords: Readonly<Record<string, string>> = {
  up: 'setup',
  start: 'setup',
  restart: 'setup',
  down: 'clean',
  stop: 'clean',
  ps: 'status',
  ls: 'status',
  doctor: 'preflight-check',
};

/** Finds a command by the name or the alias of its operation. */
export function findCommand(kernel: Pick<Kernel, 'operations'>, name: string): Command {
  const { operations } = kernel;
  const all = operations.values();
  const nameOf = namesIn(kernel);
  const operation = operations.get(name) ?? all.find(({ alias }) => alias === name);
  if (operation) return toCommand(operation, nameOf(operation));
  const meant = all.find((one) => one.name === otherWords[name]);
  if (meant) {
    const suggestion = nameOf(meant);
    throw usageError(`There is no command ${name}; what you mean is argus ${suggestion}`, {
      word: name,
      suggestion,
      reason: 'no-command',
    });
  }
  throw unknownWord(`There is no command ${name}`, {
    word: name,
    known: [...otherCommands, ...all.flatMap((one) => [...new Set([nameOf(one), one.name])])],
    listed: [...otherCommands, ...all.map(nameOf)],
    reason: 'no-command',
  });
}
