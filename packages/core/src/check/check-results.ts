import type { Kernel } from '../kernel/kernel.js';
import { present, presentError } from '../kernel/present.js';
import type { Cause, CheckOutcome, CheckStatus, HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { checkBroken } from '../model/core-error-codes.js';
import { categories, type StructuredError, severities, structuredError } from '../model/error-code.js';
import { toJson } from '../model/json.js';
import { toStructuredError } from '../model/to-structured-error.js';

/** How a check broke: it threw, took too long, or returned something that is no outcome. */
export type Breakage =
  | { readonly reason: 'threw'; readonly thrown: unknown }
  | { readonly reason: 'timeout' | 'deadline'; readonly afterMs: number }
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'rubbish'; readonly returned: unknown }
  | { readonly reason: 'undeclared-code'; readonly code: string; readonly message: string };

const statuses: readonly CheckStatus[] = ['pass', 'warn', 'fail', 'unknown', 'skipped'];

/** The results of a checker that answered. One outcome that is rubbish spoils none of the others. */
export function resultsOf(
  kernel: Kernel,
  checker: Checker,
  outcomes: readonly CheckOutcome[],
  duration: number,
): HealthCheckResult[] {
  if (outcomes.length === 0) {
    return [
      resultOf(kernel, checker, { status: 'skipped', message: 'There was nothing to look at' }, duration),
    ];
  }
  return outcomes.map((outcome) => {
    try {
      if (isOutcome(outcome)) {
        const undeclared = undeclaredCode(kernel, outcome);
        if (undeclared) return brokenResult(kernel, checker, undeclared, duration);
        return resultOf(kernel, checker, outcome, duration);
      }
    } catch (thrown) {
      // Even to look at what it returned can break, when a property of it throws.
      return brokenResult(kernel, checker, { reason: 'threw', thrown }, duration);
    }
    return brokenResult(kernel, checker, { reason: 'rubbish', returned: outcome }, duration);
  });
}

/** The result of a check that broke: nothing is known about what it looks at. */
export function brokenResult(
  kernel: Kernel,
  checker: Checker,
  breakage: Breakage,
  duration: number,
): HealthCheckResult {
  const message = describeBreakage(breakage);
  const details = { checker: checker.name, reason: breakage.reason };
  const error = structuredError(checkBroken, { message, details }, kernel.clock.now());
  return {
    ...{ name: checker.name, plugin: ownerOf(kernel, checker), status: 'unknown' as const },
    message: kernel.redactor.text(message),
    ...{ details: {}, duration, error: presentError(kernel, error) },
  };
}

/** The result of a check that another one's result made pointless. */
export function skippedResult(
  kernel: Kernel,
  checker: Checker,
  obstacle: HealthCheckResult,
): HealthCheckResult {
  return {
    ...{ name: checker.name, plugin: ownerOf(kernel, checker), status: 'skipped' as const },
    // One that was not looked at either has said why.
    message: obstacle.status === 'skipped' ? obstacle.message : `Not looked at: it needs ${obstacle.name}`,
    ...{ details: {}, duration: 0, causedBy: obstacle.causedBy ?? obstacle.name },
  };
}

/** A problem that another check has found the cause of: one cause gives one finding. */
export function foldedResult(
  { error: _, ...result }: HealthCheckResult,
  { check, target }: Cause,
): HealthCheckResult {
  return { ...result, status: 'skipped', causedBy: check, causedByTarget: target };
}

// Written without spreads: this runs once per check, and with thousands of checks it shows.
function resultOf(
  kernel: Kernel,
  checker: Checker,
  outcome: CheckOutcome,
  duration: number,
): HealthCheckResult {
  const { redactor } = kernel;
  const { status, target, message, details, error } = outcome;
  const result: HealthCheckResult = {
    name: checker.name,
    plugin: ownerOf(kernel, checker),
    status,
    message: redactor.text(message),
    details: details === undefined ? {} : present(kernel, details),
    duration,
  };
  if (target !== undefined) result.target = redactor.text(String(target));
  const problem = error ?? (status === 'unknown' ? notLookedAt(kernel, checker, message) : undefined);
  if (problem) result.error = presentError(kernel, problem);
  return result;
}

/** A checker may say that it could not tell; also that has a code. */
function notLookedAt({ clock }: Kernel, { name }: Checker, message: string) {
  const details = { checker: name, reason: 'could-not-look' as const };
  return structuredError(checkBroken, { message, details }, clock.now());
}

function isOutcome(outcome: unknown): outcome is CheckOutcome {
  if (typeof outcome !== 'object' || outcome === null) return false;
  const { status, message, details, error } = outcome as Partial<CheckOutcome>;
  if (!statuses.includes(status as CheckStatus) || typeof message !== 'string') return false;
  if (details !== undefined && (typeof details !== 'object' || details === null)) return false;
  const isProblem = status === 'warn' || status === 'fail';
  // `null` is how many programs say that there is none.
  return isProblem ? isStructuredError(error) : error === undefined || error === null;
}

/** Programs act on codes: one that no loaded plugin declares says nothing to them. */
function undeclaredCode({ errorCodes }: Kernel, { error }: CheckOutcome): Breakage | undefined {
  if (!error || errorCodes.has(error.code)) return undefined;
  return { reason: 'undeclared-code', code: error.code, message: error.message };
}

/** Whether an error has everything that programs act on. */
function isStructuredError(error: unknown): error is StructuredError {
  if (typeof error !== 'object' || error === null) return false;
  const { code, category, severity, message, details, suggestedActions, timestamp } =
    error as StructuredError;
  return (
    typeof code === 'string' &&
    categories.includes(category) &&
    severities.includes(severity) &&
    typeof message === 'string' &&
    typeof details === 'object' &&
    details !== null &&
    Array.isArray(suggestedActions) &&
    typeof timestamp === 'number'
  );
}

function describeBreakage(breakage: Breakage): string {
  switch (breakage.reason) {
    case 'threw':
      return `The check broke: ${toStructuredError(breakage.thrown).message}`;
    case 'timeout':
      return `The check gave no answer within ${breakage.afterMs} ms`;
    case 'deadline':
      return `The check was not done when the time for all checks (${breakage.afterMs} ms) was up`;
    case 'cancelled':
      return 'The check was cancelled';
    case 'undeclared-code':
      return `The check raised ${breakage.code}, which no loaded plugin declares: ${breakage.message}`;
    case 'rubbish':
      return `The check returned something that is no result: ${excerpt(breakage.returned)}`;
  }
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(toJson(value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function ownerOf({ checkers }: Kernel, { name }: Checker): string {
  return checkers.ownerOf(name) ?? 'core';
}
