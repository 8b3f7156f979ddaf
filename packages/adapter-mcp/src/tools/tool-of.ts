import type { Operation } from '@argusai/core';
import type { Tool } from '@modelcontextprotocol/server';
import { answerSchema, effectsOf, inputProperties } from './json-schema.js';
import { toolName } from './tool-name.js';

/** How the tools of a server differ from the operations. */
export interface ToolSettings {
  readonly readOnly: boolean;
}

const projectPath = {
  type: 'string',
  description:
    'The folder of the project; only needed when it is not the one that the server was started for',
};
const confirm = {
  type: 'boolean',
  description:
    'You have looked at what would be removed or changed and want it; needed where nobody can be asked',
};
const runId = {
  type: 'string',
  description: 'Also tell how far the call is that was answered with this runId',
};

/** What makes no sense through a tool: it would never end, or it is for argus itself. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  logs: ['follow'],
  guard: ['background'],
  status: ['watch'],
};

/** The tool of an operation, or nothing where a server that changes nothing cannot offer it. */
export function toolOf(operation: Operation, { readOnly }: ToolSettings): Tool | undefined {
  if (readOnly && !effectsOf(operation, {}).readOnly) return undefined;
  const effects = readOnly ? effectsOf(operation, {}) : operation.effects;
  return {
    name: toolName(operation.name),
    title: operation.summary,
    description: descriptionOf(operation),
    inputSchema: inputSchema(operation, readOnly),
    outputSchema: answerSchema(operation),
    annotations: {
      title: operation.summary,
      readOnlyHint: effects.readOnly,
      destructiveHint: effects.destructive,
      idempotentHint: effects.idempotent,
      openWorldHint: effects.openWorld ?? false,
    },
  };
}

/** The inputs that a tool does not take although its operation does. */
export function isHidden(operation: Operation, key: string, readOnly: boolean): boolean {
  const changes = readOnly && !effectsOf(operation, { [key]: true }).readOnly;
  return changes || (hidden[operation.name]?.includes(key) ?? false);
}

function inputSchema(operation: Operation, readOnly: boolean): Tool['inputSchema'] {
  const { properties, required } = inputProperties(operation);
  const shown = Object.entries(properties).filter(([key]) => !isHidden(operation, key, readOnly));
  const own = {
    ...(operation.name === 'status' ? { runId } : {}),
    ...(operation.effects.destructive && !readOnly ? { confirm } : {}),
    projectPath,
  };
  return {
    type: 'object',
    properties: { ...Object.fromEntries(shown), ...own } as Tool['inputSchema']['properties'],
    ...(required.length === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
}

/** What it does, when to use it and what to do next, with the names that tools have. */
function descriptionOf({ summary, description = '', guidance = '' }: Operation): string {
  const named = guidance.replaceAll(/\{([a-z-]+)\}/g, (_, name: string) => toolName(name));
  return [`${summary}.`, named, description].filter((part) => part !== '').join(' ');
}
