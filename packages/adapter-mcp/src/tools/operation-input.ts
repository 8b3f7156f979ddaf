import type { Operation } from '@argusai/core';
import { inputProperties } from './json-schema.js';
import { isHidden } from './tool-of.js';

/** What an operation is given of a tool's arguments: not what is meant for the server itself. */
export function operationInput(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
): {
  readonly input: Readonly<Record<string, unknown>>;
  readonly confirm: boolean;
  /** What names what a person was shown, where the operation itself takes no such thing. */
  readonly hash: string | undefined;
} {
  const { projectPath: _, verbose, confirm, runId, hash, ...rest } = args;
  const { properties } = inputProperties(operation);
  const takesRunId = operation.name === 'status' ? {} : runId === undefined ? {} : { runId };
  const isTaken = 'hash' in properties || !operation.effects.destructive;
  // What an operation of a plugin takes by the same name is its own.
  const given = Object.entries({ confirm, verbose }).filter(([key]) => key in properties);
  const own = Object.fromEntries(
    [...given, ...(isTaken ? [['hash', hash]] : [])].filter(([, value]) => value !== undefined),
  );
  const brief = verbose === true ? {} : briefInput(operation.name, rest);
  return {
    input: { ...brief, ...rest, ...takesRunId, ...own },
    confirm: confirm === true,
    hash: typeof hash === 'string' && !isTaken ? hash : undefined,
  };
}

/** What makes an operation answer in short that would say more than an agent needs. */
function briefInput(operation: string, { section }: Readonly<Record<string, unknown>>): object {
  if (operation === 'config') return { changedOnly: true };
  return operation === 'schema' && section === undefined ? { outline: true } : {};
}

/** The first argument that this tool does not take although its operation does. */
export function hiddenArgument(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  readOnly: boolean,
): string | undefined {
  return Object.keys(args).find((key) => isHidden(operation, key, readOnly));
}
