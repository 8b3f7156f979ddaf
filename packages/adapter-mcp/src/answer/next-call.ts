import type { Kernel, StructuredError } from '@argusai/core';
import { inputProperties } from '../tools/json-schema.js';
import { toolName } from '../tools/tool-name.js';
import type { NextCall } from './answer.js';

/** The tool that helps with an error: the best suggested action, or else its explanation. */
export function nextAfterError(
  { operations }: Pick<Kernel, 'operations'>,
  { code, suggestedActions, details }: StructuredError,
): NextCall {
  const [best] = suggestedActions;
  if (best === undefined) return { tool: toolName('explain'), arguments: { name: code } };
  const operation = operations.get(best);
  // What is no operation is a recoverer: it is planned first, which changes nothing.
  if (!operation) return { tool: toolName('plan-recovery'), arguments: {} };
  const { required } = inputProperties(operation);
  const known = required.filter((key) => ['string', 'number'].includes(typeof details[key]));
  return {
    tool: toolName(operation.name),
    arguments: Object.fromEntries(known.map((key) => [key, details[key]])),
  };
}

type Data = Readonly<Record<string, unknown>>;

/** What usually follows a call that went well, where something has to. */
export function nextAfter(operation: string, data: unknown): NextCall | undefined {
  const of = followers[operation];
  return typeof data === 'object' && data !== null ? of?.(data as Data) : undefined;
}

const call = (operation: string, given: Data = {}): NextCall => ({
  ...{ tool: toolName(operation), arguments: given },
});

const followers: Readonly<Record<string, (data: Data) => NextCall | undefined>> = {
  'preflight-check': ({ overall }) => (overall === 'healthy' ? undefined : call('plan-recovery')),
  'plan-recovery': ({ hash }) => (typeof hash === 'string' ? call('apply-recovery', { hash }) : undefined),
  'reset-circuit': () => call('preflight-check'),
  init: ({ written }) => (written === true ? call('preflight-check') : undefined),
  run: ({ incidents }) => (Array.isArray(incidents) && incidents.length > 0 ? call('incidents') : undefined),
};
