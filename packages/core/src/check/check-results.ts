import type { Kernel } from '../kernel/kernel.js';
import { presentError } from '../kernel/present.js';
import type { Cause, CheckOutcome, CheckStatus, HealthCheckResult } from '../model/check-result.js';
import type { Checker } from '../model/checker.js';
import { checkBroken } from '../model/core-error-codes.js';
import { type StructuredError, structuredError } from '../model/error-code.js';
import { excerpt } from '../model/excerpt.js';
import { isStructuredError } from '../model/is-structured-error.js';
import { type Json, type JsonObject, toJson } from '../model/json.js';
import { lengthOfList } from '../model/length-of-list.js';
import { toStructuredError } from '../model/to-structured-error.js';

/** How a check broke: it threw, took too long, or returned something that is no outcome. */
export type Breakage =
  | { readonly reason: 'threw'; readonly thrown: unknown }
  | { readonly reason: 'timeout' | 'deadline'; readonly afterMs: number }
  | { readonly reason: 'cancelled' }
  | { readonly reason: 'rubbish'; readonly returned: unknown }
  | { readonly reason: 'unreadable'; readonly thrown: unknown }
  | { readonly reason: 'undeclared-code'; readonly code: string; readonly message: string };

const statuses: readonly CheckStatus[] = ['pass', 'warn', 'fail', 'unknown', 'skipped'];

/** What a checker said of one thing: its result, and the cause that it names. */
export interface Told {
  readonly result: HealthCheckResult;
  readonly cause?: Cause | undefined;
}

/** What a checker said, whatever it returned. One outcome that is rubbish spoils none of the others. */
export function toldBy(kernel: Kernel, checker: Checker, returned: unknown, duration: number): Told[] {
  const broken = (breakage: Breakage): Told => ({
    result: brokenResult(kernel, checker, breakage, duration),
  });
  const tell = (read: () => unknown): Told => {
    try {
      const said = read();
      const outcome = readOutcome(said);
      if (!outcome) return broken({ reason: 'rubbish', returned: said });
      const undeclared = undeclaredCode(kernel, outcome);
      if (undeclared) return broken(undeclared);
      return { result: resultOf(kernel, checker, outcome, duration), cause: outcome.causedBy };
    } catch (thrown) {
      // Even to look at what it returned can break, when a property of it throws.
      return broken({ reason: 'threw', thrown });
    }
  };
  try {
    if (!Array.isArray(returned)) return [tell(() => returned)];
    const length = lengthOfList(returned);
    if (length === 0) return [tell(() => nothingToLookAt)];
    return Array.from({ length }, (_, index) => tell(() => returned[index]));
  } catch (thrown) {
    return [broken({ reason: 'unreadable', thrown })];
  }
}

const nothingToLookAt: CheckOutcome = { status: 'skipped', message: 'There was nothing to look at' };

/** The result of a check that broke: nothing is known about what it looks at. */
export function brokenResult(
  kernel: Kernel,
  checker: Checker,
  breakage: Breakage,
  duration: number,
): HealthCheckResult {
  const message = describeBreakage(kernel, breakage);
  const reason = breakage.reason === 'unreadable' ? 'rubbish' : breakage.reason;
  const details = { checker: checker.name, reason };
  const error = structuredError(checkBroken, { message, details }, kernel.clock.now());
  return {
    name: checker.name,
    plugin: ownerOf(kernel, checker),
    status: 'unknown' as const,
    message: kernel.redactor.text(message),
    details: {},
    duration,
    error: presentError(kernel, error),
  };
}

/** The result of a check that another one's result made pointless. */
export function skippedResult(
  kernel: Kernel,
  checker: Checker,
  obstacle: HealthCheckResult,
): HealthCheckResult {
  return {
    name: checker.name,
    plugin: ownerOf(kernel, checker),
    status: 'skipped' as const,
    // One that was not looked at either has said why.
    message: obstacle.status === 'skipped' ? obstacle.message : `Not looked at: it needs ${obstacle.name}`,
    details: {},
    duration: 0,
    causedBy: obstacle.causedBy ?? obstacle.name,
  };
}

/** A problem that another check has found the cause of: one cause gives one finding. */
export function foldedResult(
  { error: _, ...result }: HealthCheckResult,
  { check, target }: Cause,
): HealthCheckResult {
  const folded = { ...result, status: 'skipped' as const, causedBy: check };
  return target === undefined ? folded : { ...folded, causedByTarget: target };
}

// Written without spreads: this runs once per check, and with thousands of checks it shows.
function resultOf(
  kernel: Kernel,
  checker: Checker,
  outcome: ReadOutcome,
  duration: number,
): HealthCheckResult {
  const { redactor } = kernel;
  const { status, target, message, details, error } = outcome;
  const result: HealthCheckResult = {
    name: checker.name,
    plugin: ownerOf(kernel, checker),
    status,
    message: redactor.text(message),
    details: details === undefined ? {} : redactor.redact(details),
    duration,
  };
  if (target !== undefined) result.target = redactor.text(target);
  const problem = error ?? (status === 'unknown' ? notLookedAt(kernel, checker, message) : undefined);
  if (problem) result.error = presentError(kernel, problem);
  return result;
}

/** A checker may say that it could not tell; also that has a code. */
function notLookedAt({ clock }: Kernel, { name }: Checker, message: string) {
  const details = { checker: name, reason: 'could-not-look' as const };
  return structuredError(checkBroken, { message, details }, clock.now());
}

/** An outcome that was read: plain JSON, each property asked for once, because a getter may answer otherwise the next time. */
interface ReadOutcome {
  readonly status: CheckStatus;
  readonly message: string;
  readonly target?: string | undefined;
  readonly details?: JsonObject | undefined;
  readonly error?: StructuredError | undefined;
  readonly causedBy?: Cause | undefined;
}

/** Reads an outcome; nothing when it is none. */
function readOutcome(said: unknown): ReadOutcome | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const given = said as Record<keyof ReadOutcome, unknown>;
  const { status, message, target } = given;
  if (!isStatus(status) || typeof message !== 'string') return undefined;
  const details = jsonOf(given.details);
  const error = jsonOf(given.error) ?? undefined;
  if (!isDetails(details) || !isErrorFor(status, error)) return undefined;
  return {
    status,
    message,
    target: target === undefined ? undefined : String(target),
    details,
    error,
    causedBy: readCause(given.causedBy),
  };
}

function jsonOf(value: unknown): Json | undefined {
  return value === undefined ? undefined : toJson(value);
}

/** A problem has an error, everything else has none; `null` is how many programs say that there is none. */
function isErrorFor(status: CheckStatus, error: unknown): error is StructuredError | undefined {
  if (status !== 'warn' && status !== 'fail') return error === undefined;
  return isStructuredError(error) && isDetails(error.details);
}

function isStatus(status: unknown): status is CheckStatus {
  return statuses.includes(status as CheckStatus);
}

function isDetails(details: Json | undefined): details is JsonObject | undefined {
  return (
    details === undefined || (typeof details === 'object' && details !== null && !Array.isArray(details))
  );
}

/** The cause that an outcome names. One that cannot be read explains nothing, and the problem stands for itself. */
function readCause(causedBy: unknown): Cause | undefined {
  if (causedBy === undefined) return undefined;
  const { check, target } = Object(toJson(causedBy)) as Partial<Cause>;
  if (typeof check !== 'string' || !['string', 'undefined'].includes(typeof target)) return undefined;
  return { check, target };
}

/** Programs act on codes: one that no loaded plugin declares says nothing to them. */
function undeclaredCode({ errorCodes }: Kernel, { error }: ReadOutcome): Breakage | undefined {
  if (!error || errorCodes.has(error.code)) return undefined;
  return { reason: 'undeclared-code', code: error.code, message: error.message };
}

function describeBreakage({ redactor }: Kernel, breakage: Breakage): string {
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
    case 'unreadable':
      return `The check returned something that is no result: ${toStructuredError(breakage.thrown).message}`;
    case 'rubbish':
      return `The check returned something that is no result: ${excerpt(breakage.returned, redactor)}`;
  }
}

function ownerOf({ checkers }: Kernel, { name }: Checker): string {
  return checkers.ownerOf(name) ?? 'core';
}
