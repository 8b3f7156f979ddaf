import {
  type HealthReport,
  isBlinding,
  overallOf,
  type RecoveryReport,
  type StructuredError,
} from '@argusai/core';

/** From which state on a check counts as not passed. */
export type FailOn = 'fail' | 'warn';

const fine = 0;
const failed = 1;
const misused = 2;
/** Nothing is known to be wrong, and not everything is known. */
export const undetermined = 3;

/** What the exit codes of every command mean. */
export const exitCodes: readonly { readonly code: string; readonly meaning: string }[] = [
  { code: '0', meaning: 'fine; warnings are fine too' },
  { code: '1', meaning: 'unhealthy, or it failed' },
  { code: '2', meaning: 'wrong usage, configuration or plugin' },
  {
    code: '3',
    meaning: 'could not be determined: nothing is known to be wrong, and not everything is known',
  },
  { code: '128+n', meaning: 'ended by signal n: 130 for Ctrl-C, 143 for SIGTERM' },
];

const misuses = new Set([
  'CONFIG_INVALID',
  'CONFIG_EXISTS',
  'USAGE_INVALID',
  'PLUGIN_INVALID',
  'PLUGIN_INCOMPATIBLE',
]);

/** The exit code of an operation that did not come to an end. */
export function exitCodeOfError({ code }: Pick<StructuredError, 'code'>): number {
  return misuses.has(code) ? misused : failed;
}

/** The exit code of a check: a problem that is known comes before one that could not be looked at. */
export function exitCodeOfCheck(
  { checks, notices = [] }: Pick<HealthReport, 'checks'> & Partial<Pick<HealthReport, 'notices'>>,
  failOn: FailOn = 'fail',
): number {
  if (overallOf(checks) === 'unhealthy') return failed;
  if (failOn === 'warn' && checks.some(({ status }) => status === 'warn')) return failed;
  if (notices.some(isBlinding)) return undetermined;
  return checks.some(({ status }) => status === 'unknown') ? undetermined : fine;
}

/** The exit code of a repair: fine only when every step was carried out and proved to work. */
export function exitCodeOfRecovery({ steps }: Pick<RecoveryReport, 'steps'>): number {
  const disappoints = ({ outcome, verdict }: RecoveryReport['steps'][number]) =>
    ['failed', 'refused', 'interrupted'].includes(outcome) ||
    (verdict !== undefined && verdict !== 'recovered');
  return steps.some(disappoints) ? failed : fine;
}

/** The exit code of a clean: what is known to be left comes before what nobody could look for. */
export function exitCodeOfClean(clean: {
  readonly failed: readonly { readonly unlooked?: boolean | undefined }[];
  readonly foreign?: readonly unknown[] | undefined;
}): number {
  if (clean.failed.some(({ unlooked }) => !unlooked)) return failed;
  return clean.failed.length + (clean.foreign?.length ?? 0) > 0 ? undetermined : fine;
}

/**
 * The exit code of a status: fine when everything that should run does, which what a setup still waits for does not; nothing set up is
 * fine too, if that is known.
 */
export function exitCodeOfStatus(status: {
  readonly run: { readonly alive?: boolean; readonly state?: string } | null;
  readonly services: readonly { readonly status: string; readonly health: string }[];
  readonly unrecorded?: string | undefined;
  readonly foreign?: readonly unknown[] | undefined;
  readonly unlooked?: readonly unknown[] | undefined;
  readonly lost?: { readonly resources: readonly unknown[]; readonly unknown: readonly unknown[] };
}): number {
  const isKnown = status.services.every(({ status: state, health }) => ![state, health].includes('unknown'));
  if (status.run === null) {
    const { lost, unrecorded, foreign = [], unlooked = [] } = status;
    const isNothing = !hasLost(lost) && unrecorded === undefined && foreign.length + unlooked.length === 0;
    return isKnown && isNothing ? fine : undetermined;
  }
  if (status.run.alive === false) return failed;
  const bad = ['unhealthy', ...(status.run.state === 'starting' ? ['starting'] : [])];
  if (status.services.some(({ status: state, health }) => state === 'missing' || bad.includes(health)))
    return failed;
  return isKnown ? fine : undetermined;
}

function hasLost(lost?: {
  readonly resources: readonly unknown[];
  readonly unknown: readonly unknown[];
}): boolean {
  return lost !== undefined && lost.resources.length + lost.unknown.length > 0;
}

/** The exit code of tests is theirs; when they pass, that something could not be taken down still counts. */
export function exitCodeOfRun(run: {
  readonly exitCode: number;
  readonly takenDown: { readonly failed: readonly unknown[] } | null;
}): number {
  return run.exitCode || (run.takenDown?.failed.length ? failed : fine);
}

/** The exit code of a program that a signal ended. */
export function exitCodeOfSignal(number: number): number {
  return 128 + number;
}
