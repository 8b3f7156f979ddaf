import type { Operation } from '@argusai/core';
import { inputProperties } from './json-schema.js';
import { isHidden } from './tool-of.js';

/** What an operation is given of a tool's arguments: not what is meant for the server itself. */
export function operationInput(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
): { readonly input: Readonly<Record<string, unknown>>; readonly confirm: boolean } {
  const { projectPath: _, verbose, confirm, runId, ...rest } = args;
  const { properties } = inputProperties(operation);
  const takesRunId = operation.name === 'status' ? {} : runId === undefined ? {} : { runId };
  // What an operation of a plugin takes by the same name is its own.
  const given = Object.entries({ confirm, verbose });
  const own = Object.fromEntries(given.filter(([key, value]) => key in properties && value !== undefined));
  const brief = verbose === true ? {} : briefInput(operation.name, rest);
  return { input: { ...brief, ...rest, ...takesRunId, ...own }, confirm: confirm === true };
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
