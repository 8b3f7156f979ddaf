import type { Kernel, Operation } from '@argusai/core';
import type { Tool } from '@modelcontextprotocol/server';
import { findOperation } from './find-operation.js';
import { answerSchema, effectsOf, inputProperties, type ObjectSchema } from './json-schema.js';
import { toolName } from './tool-name.js';

/** How the tools of a server differ from the operations. */
export interface ToolSettings {
  readonly readOnly: boolean;
  /** All operations that there are, offered or not. */
  readonly operations: Kernel['operations'];
}

const projectPath = {
  type: 'string',
  description: 'Another project',
};
const verbose = { type: 'boolean', description: 'All' };
const confirm = {
  type: 'boolean',
  description: 'Only once a person has agreed to what was shown',
};
const hash = {
  type: 'string',
  description: 'Of what was shown',
};
const runId = {
  type: 'string',
  description: 'Of a call answered with pending: tell how far it is',
};

/** What makes no sense through a tool: it would never end, or it is for argus itself. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  logs: ['follow'],
  guard: ['background'],
  status: ['watch'],
  // An answer has no room for all of it, and what is cut out of a schema makes it another one.
  schema: ['outline'],
};

/** The tool of an operation, or nothing where a server that changes nothing cannot offer it. */
export function toolOf(operation: Operation, settings: ToolSettings): Tool | undefined {
  const { readOnly } = settings;
  if (readOnly && !effectsOf(operation, {}).readOnly) return undefined;
  const effects = readOnly ? effectsOf(operation, {}) : operation.effects;
  return {
    name: toolName(operation.name),
    title: titleOf(operation.name),
    description: descriptionOf(operation, settings),
    inputSchema: inputSchema(operation, readOnly),
    outputSchema: operation.name === 'status' ? withCall(answerSchema(operation)) : answerSchema(operation),
    annotations: {
      readOnlyHint: effects.readOnly,
      destructiveHint: effects.destructive,
      idempotentHint: effects.idempotent,
      openWorldHint: effects.openWorld ?? false,
    },
  };
}

/** What `status` also tells, about a call that goes on. */
function withCall(schema: ObjectSchema): ObjectSchema {
  const call = { type: 'object', description: '{runId, tool, state: running|stopping|done, step, result}' };
  const { data, ...rest } = schema.properties as { data: ObjectSchema };
  return {
    ...schema,
    properties: { ...rest, data: { ...data, properties: { ...data.properties, call } } },
  };
}

/** What people see in a list of tools; what it does is in the description. */
function titleOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** The inputs that a tool does not take although its operation does. */
export function isHidden(operation: Operation, key: string, readOnly: boolean): boolean {
  const changes = readOnly && !effectsOf(operation, { [key]: true }).readOnly;
  // What changes nothing anyway needs no dry run.
  const isIdle = readOnly && key === 'dryRun';
  return changes || isIdle || (hidden[operation.name]?.includes(key) ?? false);
}

function inputSchema(operation: Operation, readOnly: boolean): Tool['inputSchema'] {
  const { properties, required } = inputProperties(operation);
  const shown = Object.entries(properties).filter(([key]) => !isHidden(operation, key, readOnly));
  const own = {
    ...(operation.name === 'status' ? { runId } : {}),
    ...(operation.effects.destructive && !readOnly
      ? { confirm, ...('hash' in properties ? {} : { hash }) }
      : {}),
    verbose,
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
function descriptionOf(operation: Operation, settings: ToolSettings): string {
  const { summary, description = '' } = operation;
  const guidance = offeredGuidance(operation, settings);
  // What is written for people at a terminal is not said a second time to agents.
  const told = guidance?.replaceAll(nameIn, (_, name: string) => toolName(name)) ?? description;
  return told === '' ? `${summary}.` : `${summary}. ${told}`;
}

/** An operation that is named in a guidance. */
const nameIn = /\{([a-z-]+)\}/g;

/** The guidance without the sentences about what this server does not offer: a model would try it. */
function offeredGuidance(operation: Operation, { operations, readOnly }: ToolSettings): string | undefined {
  const inputs = Object.keys(inputProperties(operation).properties);
  const left = inputs.filter((key) => isHidden(operation, key, readOnly));
  const isOffered = (sentence: string) =>
    [...sentence.matchAll(nameIn)].every(([, name = '']) =>
      findOperation({ operations }, toolName(name), readOnly),
    ) && !left.some((key) => sentence.split(/\W+/).includes(key));
  return operation.guidance
    ?.split(/(?<=\.) /)
    .filter(isOffered)
    .join(' ');
}
