import type { Kernel, Operation } from '@argusai/core';
import { effectsOf } from './json-schema.js';
import { toolName } from './tool-name.js';

/** The operation of a tool, if this server offers it. */
export function findOperation(
  { operations }: Pick<Kernel, 'operations'>,
  tool: string,
  readOnly: boolean,
): Operation | undefined {
  const operation = operations.values().find(({ name }) => toolName(name) === tool);
  return operation && readOnly && !effectsOf(operation, {}).readOnly ? undefined : operation;
}
