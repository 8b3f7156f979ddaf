import {
  circuitOpen,
  type HealthReport,
  type Kernel,
  type Operation,
  type RecoveryPlan,
  type StructuredError,
} from '@argusai/core';
import { inputProperties } from '../tools/json-schema.js';
import { toolName } from '../tools/tool-name.js';
import type { NextCall } from './answer.js';
import { correctedCall } from './corrected-call.js';
import { problemsOf } from './problems-of.js';
import { isAllRefused } from './refused-steps.js';

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
  const { required, properties } = inputProperties(operation);
  // A problem that names a run is one of that run and not of the one that is meant without it.
  const told = 'run' in properties ? [...required, 'run'] : required;
  const known = told.filter((key) => ['string', 'number'].includes(typeof details[key]));
  return {
    tool: toolName(operation.name),
    arguments: Object.fromEntries(known.map((key) => [key, details[key]])),
  };
}

/** The tool that helps after an operation has failed. To do the same once more helps only where it is known what was meant. */
export function nextAfterFailed(
  kernel: Pick<Kernel, 'operations'>,
  operation: Operation,
  input: Data,
  error: StructuredError,
): NextCall {
  return (
    correctedCall(operation, input, error) ?? nextAfterError(kernel, withoutAction(error, operation.name))
  );
}

const checking = 'preflight-check';

type Data = Readonly<Record<string, unknown>>;
type Known = Pick<Kernel, 'operations' | 'circuits'>;

/** What usually follows a call that went well, where something has to. */
export function nextAfter(kernel: Known, operation: string, data: unknown): NextCall | undefined {
  const of = followers[operation];
  return typeof data === 'object' && data !== null ? of?.(data as Data, kernel) : undefined;
}

const call = (operation: string, given: Data = {}): NextCall => ({
  tool: toolName(operation),
  arguments: given,
});

const followers: Readonly<Record<string, (data: Data, kernel: Known) => NextCall | undefined>> = {
  'preflight-check': (data, kernel) => afterCheck(kernel, data as unknown as HealthReport),
  // Where every step was refused there is nothing new to look at: it would only lead to the same plan again.
  'apply-recovery': (data) =>
    data.dryRun === true || isAllRefused('apply-recovery', data) ? undefined : call('preflight-check'),
  'plan-recovery': (data, kernel) => afterPlan(kernel, data as unknown as RecoveryPlan),
  fix: ({ plan }, kernel) => (plan ? afterEmptyPlan(kernel, plan as RecoveryPlan) : undefined),
  'reset-circuit': () => call('preflight-check'),
  init: ({ written }) => (written === true ? call('preflight-check') : undefined),
  run: ({ incidents }) => (Array.isArray(incidents) && incidents.length > 0 ? call('incidents') : undefined),
};

function afterPlan(kernel: Known, plan: RecoveryPlan): NextCall | undefined {
  return plan.hash === null ? afterEmptyPlan(kernel, plan) : call('apply-recovery', { hash: plan.hash });
}

/** What to do where no repair can be planned: what holds calls back can be lifted, everything else be explained. */
function afterEmptyPlan({ circuits }: Known, { hash, unhandled }: RecoveryPlan): NextCall | undefined {
  if (hash !== null) return undefined;
  const codes = unhandled.map(({ code }) => code);
  if (codes.includes(circuitOpen.code)) {
    const [only, ...others] = circuits.all();
    return only && others.length === 0 ? call('reset-circuit', { circuit: only.name }) : call('status');
  }
  return codes[0] === undefined ? undefined : call('explain', { name: codes[0] });
}

/** What to do about the worst of what was found; where nothing is suggested for it, a plan may know more. */
function afterCheck(kernel: Pick<Kernel, 'operations'>, { checks }: HealthReport): NextCall | undefined {
  const found = problemsOf(checks);
  if (found.length === 0) return undefined;
  // To look once more is no help: what was found would only be found again.
  const helps = found.flatMap(({ error }) => (error ? [withoutAction(error, checking)] : []));
  const helped = helps.find(({ suggestedActions }) => suggestedActions.length > 0);
  if (helped) return nextAfterError(kernel, helped);
  const [first] = helps;
  const isPlanned = found.some(({ error }) => (error?.suggestedActions.length ?? 0) === 0);
  return first && !isPlanned ? nextAfterError(kernel, first) : call('plan-recovery');
}

/** What to do about one problem that a check has found. */
export function nextAfterFound(kernel: Pick<Kernel, 'operations'>, error: StructuredError): NextCall {
  return nextAfterError(kernel, withoutAction(error, checking));
}

/** The error without a suggestion to do once more what has just led to it: nothing has changed since. */
function withoutAction(error: StructuredError, action: string): StructuredError {
  return { ...error, suggestedActions: error.suggestedActions.filter((one) => one !== action) };
}
