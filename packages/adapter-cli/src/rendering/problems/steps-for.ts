import {
  type AdvisedCall,
  advise,
  describePlace,
  type Kernel,
  type PersonStep,
  remedyOf,
  type StructuredError,
} from '@argusai/core';
import type { Input } from '../../command-line/parse-input.js';
import { commandFor, suggestedCommands } from './suggested-commands.js';

/** Where a problem is told. */
export interface Place {
  /** The check that found it. */
  readonly check?: string | undefined;
  /** The command that it ended, as people type it, and what it was asked. */
  readonly command?: string | undefined;
  readonly input?: Input | undefined;
  /** The command that found it and did not fail, as people type it: given again it would find the same. */
  readonly foundBy?: string | undefined;
  /** Where the reader is. */
  readonly cwd?: string | undefined;
}

/** What to do about a problem, best first. What helps only after the reader has done something is one step with that. */
export function stepsFor(
  kernel: Kernel,
  error: Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>,
  { check, command, input = {}, foundBy, cwd = kernel.project.dir }: Place = {},
): string[] {
  const operation = kernel.operations
    .values()
    .find(({ name, alias }) => command !== undefined && (alias ?? name) === command);
  const ended = operation && { operation: operation.name, input: input as AdvisedCall['input'] };
  const advice = advise(kernel, error, { ended, check });
  // Of a code that has no remedy only its suggestions can be told.
  const isKnown = remedyOf(kernel.errorCodes.get(error.code), error.details) !== undefined;
  const isTold = isKnown || advice.person?.where !== undefined || advice.person === undefined;
  const { person, calls } = isTold ? advice : { calls: [] };
  const others = isTold ? [] : suggestedCommands(kernel, error, check);
  // Whoever has just given a command knows it.
  const known = [`argus ${command}`, `argus ${foundBy}`];
  const all = [...calls.flatMap((call) => commandFor(kernel, call) ?? []), ...others];
  const commands = [...new Set(all)].filter((one) => !known.includes(one));
  if (person) return [[personLine(person, cwd, commands.length > 0), ...commands].join('; then ')];
  return commands.length > 0 ? commands : [`argus explain ${error.code}`];
}

/** What the reader has to do, and where, unless the message has told that. */
function personLine({ what, where }: PersonStep, cwd: string, isFollowed: boolean): string {
  const isPlaced = where !== undefined && where.effect === undefined;
  const open = isPlaced || isFollowed ? what.replace(/\.$/, '') : what;
  return isPlaced ? `${open} (${describePlace(where, cwd)})` : open;
}
