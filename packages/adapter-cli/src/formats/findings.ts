import {
  type CheckStatus,
  type HealthCheckResult,
  type HealthReport,
  isBlinding,
  type JsonObject,
  type OverallHealth,
  overallOf,
  printable,
  type RecoveryReport,
  type StructuredError,
} from '@argusai/core';
import type { Call, Outcome } from '../outcome.js';
import { listedProblems } from '../rendering/problems/listed-problems.js';
import { nextSteps } from '../rendering/problems/next-steps.js';
import { stepsFor } from '../rendering/problems/steps-for.js';
import { describeRepair } from './describe-repair.js';
import type { FormatScene } from './program-format.js';

/** The name of the check that stands for argus itself: that it could not check, or that something crashed meanwhile. */
export const argusItself = 'argus';

/** One thing that was looked at, as other programs are told of it. Its texts have no control codes but line breaks. */
export interface Finding {
  /** The checker's name, or `argusItself`. */
  readonly check: string;
  readonly plugin: string;
  readonly target?: string;
  readonly status: CheckStatus;
  /** The status that decides: `--fail-on warn` makes a failure of a warning. */
  readonly countsAs: CheckStatus;
  readonly message: string;
  /** The code of the problem, if it has one. */
  readonly code?: string;
  readonly details: JsonObject;
  /** Problems one by one, where a problem is a list of them. */
  readonly problems: readonly string[];
  /** What to type or do about it, best first. */
  readonly next: readonly string[];
  /** What auto-fix did about it. */
  readonly repairs: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}

/** What a check came to, in the shape that every format for other programs starts from. */
export interface Findings {
  /** Missing when the project could not be opened. */
  readonly project?: string;
  /** The verdict; nothing when there was no check, because it could not begin or come to its end. */
  readonly overall?: OverallHealth;
  readonly all: readonly Finding[];
  /** What went wrong beside the checks and changes nothing about the verdict. */
  readonly notices: readonly Pick<StructuredError, 'code' | 'message'>[];
  /** What auto-fix did, also about what is not there any more. */
  readonly repairs: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** Reads what a check came to. One that failed as a whole is a single thing that could not be told. */
export function findingsOf({ envelope, call, notice }: Outcome, { cwd }: FormatScene): Findings {
  const scene = {
    cwd,
    ...(call ? { kernel: call.kernel, command: call.command.name, input: call.input } : {}),
  };
  const project = call ? { project: call.kernel.project.name } : {};
  const ofArgus = (error: StructuredError) =>
    findingOfError(error, listedProblems(error, cwd), nextSteps(error, scene));
  // A crash during the check costs none of its results, and is no pass.
  const crash = notice ? [ofArgus(notice)] : [];
  if (!envelope.ok) {
    const { timestamp } = envelope.error;
    const all = [ofArgus(envelope.error), ...crash];
    return { ...project, all, notices: [], repairs: [], timestamp, duration: 0 };
  }
  const { checks, notices, timestamp, duration, recovery } = envelope.data as HealthReport & {
    recovery?: RecoveryReport;
  };
  // What nobody could look at is no pass, also when no check asks for it.
  const unseen = notices.filter(isBlinding).map((one) => ({ ...ofArgus(one), target: one.code }));
  const all = [...checks.map((check) => findingOfCheck(check, call, recovery)), ...unseen, ...crash];
  const rest = notices.filter((one) => one !== notice && !isBlinding(one));
  return {
    ...project,
    all,
    timestamp,
    duration,
    overall: overallOf(all.map(({ countsAs }) => ({ status: countsAs }))),
    notices: rest.map(({ code, message }) => ({ code, message: clean(message) })),
    repairs: (recovery?.steps ?? []).map(describeRepair).map(clean),
  };
}

function findingOfCheck(
  { name, plugin, target, status, message, details, duration, error }: HealthCheckResult,
  call: Call | undefined,
  recovery: RecoveryReport | undefined,
): Finding {
  const steps = (recovery?.steps ?? []).filter(({ findings }) =>
    findings.some((finding) => finding.check === name && finding.target === target),
  );
  return {
    check: name,
    plugin,
    status,
    details: error?.details ?? details,
    problems: [],
    duration,
    ...(target === undefined ? {} : { target: clean(target) }),
    countsAs: status === 'warn' && call?.own.failOn === 'warn' ? 'fail' : status,
    message: clean(error?.message ?? message),
    ...(error ? { code: error.code } : {}),
    next: error && call ? stepsFor(call.kernel, error, { check: name, foundBy: 'check' }).map(clean) : [],
    repairs: steps.map(describeRepair).map(clean),
  };
}

function findingOfError(
  { code, message, details }: StructuredError,
  problems: readonly string[],
  next: readonly string[],
): Finding {
  return {
    check: argusItself,
    plugin: argusItself,
    status: 'unknown',
    countsAs: 'unknown',
    message: clean(message),
    code,
    details,
    problems: problems.map(clean),
    next: next.map(clean),
    repairs: [],
    duration: 0,
  };
}

function clean(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}
