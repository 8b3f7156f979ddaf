import type { HealthReport, Kernel, StructuredError } from '@argusai/core';
import { inputProperties } from '../tools/json-schema.js';
import { toolName } from '../tools/tool-name.js';
import type { NextCall } from './answer.js';
import { problemsOf } from './problems-of.js';

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
export function nextAfter(
  kernel: Pick<Kernel, 'operations'>,
  operation: string,
  data: unknown,
): NextCall | undefined {
  const of = followers[operation];
  return typeof data === 'object' && data !== null ? of?.(data as Data, kernel) : undefined;
}

const call = (operation: string, given: Data = {}): NextCall => ({
  ...{ tool: toolName(operation), arguments: given },
});

const followers: Readonly<
  Record<string, (data: Data, kernel: Pick<Kernel, 'operations'>) => NextCall | undefined>
> = {
  'preflight-check': (data, kernel) => afterCheck(kernel, data as unknown as HealthReport),
  'apply-recovery': () => call('preflight-check'),
  'plan-recovery': ({ hash }) => (typeof hash === 'string' ? call('apply-recovery', { hash }) : undefined),
  'reset-circuit': () => call('preflight-check'),
  init: ({ written }) => (written === true ? call('preflight-check') : undefined),
  run: ({ incidents }) => (Array.isArray(incidents) && incidents.length > 0 ? call('incidents') : undefined),
};

/** What to do about the worst of what was found; where nothing is suggested for it, a plan may know more. */
function afterCheck(kernel: Pick<Kernel, 'operations'>, { checks }: HealthReport): NextCall | undefined {
  const found = problemsOf(checks);
  if (found.length === 0) return undefined;
  const helped = found.find(({ error }) => (error?.suggestedActions.length ?? 0) > 0);
  return helped?.error ? nextAfterError(kernel, helped.error) : call('plan-recovery');
}
