import {
  cancelled,
  type ErrorCode,
  type HealthReport,
  helpsAfterwards,
  type Kernel,
  type Operation,
  remedyOf,
  type StructuredError,
  usageInvalid,
} from '@argusai/core';
import { findOperation } from '../tools/find-operation.js';
import type { Answer, NextCall } from './answer.js';
import { nextAfterFound } from './next-call.js';
import { problemsOf } from './problems-of.js';

/** What whoever called mends itself, with another call or the same once more. */
const ofCaller: readonly string[] = [usageInvalid.code, cancelled.code];

type Known = Pick<Kernel, 'errorCodes' | 'operations' | 'recoverers'>;

/**
 * The answer with what a person can do about what went wrong, or about the worst that a check has found. It is not said where a call
 * helps by itself, unless calling has not helped for the third time.
 */
export function withRemedy(
  answer: Answer,
  { name }: Pick<Operation, 'name'>,
  kernel: Known,
  readOnly: boolean,
): Answer {
  const { error, next, escalate, pending } = answer;
  const helps = (problem: StructuredError, call: NextCall | undefined) =>
    call !== undefined && isHelp(kernel, problem, call, readOnly);
  if (error)
    return pending || (!escalate && helps(error, next)) ? answer : tellingRemedy(answer, error, kernel);
  const worst = name === 'preflight-check' ? worstIn(answer.data as HealthReport) : undefined;
  if (!worst || isHandled(kernel, worst) || helps(worst, nextAfterFound(kernel, worst))) return answer;
  return tellingRemedy(answer, worst, kernel);
}

/** The answer with the remedy for a problem, where its code has one that is not for whoever called. */
export function tellingRemedy(
  answer: Answer,
  { code, details }: StructuredError,
  { errorCodes }: { readonly errorCodes: { get(code: string): ErrorCode | undefined } },
): Answer {
  const remedy = ofCaller.includes(code) ? undefined : remedyOf(errorCodes.get(code), details);
  return remedy === undefined ? answer : { ...answer, remedy };
}

function worstIn({ checks }: HealthReport): StructuredError | undefined {
  return problemsOf(checks).find(({ error }) => error)?.error;
}

/** Whether a call helps before a person has done anything; a plan does only where there is something to plan. */
function isHelp(kernel: Known, problem: StructuredError, { tool }: NextCall, readOnly: boolean): boolean {
  const operation = findOperation(kernel, tool, readOnly);
  if (!operation || helpsAfterwards(problem.code).includes(operation.name)) return false;
  if (operation.name !== 'plan-recovery') return true;
  return problem.suggestedActions.includes(operation.name) || isHandled(kernel, problem);
}

function isHandled({ recoverers }: Known, { code }: StructuredError): boolean {
  return recoverers.values().some(({ handles }) => handles.some((one) => one.code === code));
}
