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
  const { projectPath: _, confirm, runId, hash, ...rest } = args;
  const { properties } = inputProperties(operation);
  const takesRunId = operation.name === 'status' ? {} : runId === undefined ? {} : { runId };
  const own = 'confirm' in properties && confirm !== undefined ? { confirm } : {};
  const brief = operation.name === 'schema' && rest.section === undefined ? { outline: true } : {};
  const isTaken = 'hash' in properties || !operation.effects.destructive;
  return {
    input: { ...rest, ...takesRunId, ...own, ...brief, ...(isTaken && hash !== undefined ? { hash } : {}) },
    confirm: confirm === true,
    hash: typeof hash === 'string' && !isTaken ? hash : undefined,
  };
}

/** The first argument that this tool does not take although its operation does. */
export function hiddenArgument(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  readOnly: boolean,
): string | undefined {
  return Object.keys(args).find((key) => isHidden(operation, key, readOnly));
}
