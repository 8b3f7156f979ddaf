import type { Kernel, ResultOf, StructuredError } from '@argusai/core';
import type { Line } from '../text/line.js';
import { type MarkedState, markOf } from '../text/mark.js';
import { took } from '../text/took.js';
import { cleanLines, type ShownClean } from './clean.js';
import { runIncidentLines, type ShownRunIncident } from './run-incidents.js';

type Result = ResultOf<'run'>;
type Suite = Result['suites'][number];
type Restart = Suite['restarts'][number];

/** The part of a run's result that is shown. */
export interface ShownRun extends Pick<Result, 'exitCode' | 'removedMeanwhile'> {
  readonly suites: readonly ShownSuite[];
  readonly takenDown: Omit<ShownClean, 'dryRun'> | null;
  readonly incidents: readonly ShownRunIncident[];
  readonly notices: readonly Pick<Result['notices'][number], 'code' | 'message'>[];
}

interface ShownSuite
  extends Pick<Suite, 'id' | 'name' | 'outcome' | 'exitCode' | 'signal' | 'problem' | 'duration'> {
  readonly restarts: readonly Pick<
    Restart,
    'service' | 'at' | 'reason' | 'verdict' | 'withoutRestart' | 'durationMs'
  >[];
}

/** Tests for people: each suite, what happened to services meanwhile, and what became of the environment. */
export function runLines(
  { exitCode, suites, takenDown, removedMeanwhile, incidents, notices }: ShownRun,
  kernel: Pick<Kernel, 'operations' | 'recoverers'>,
  symbols: boolean,
): Line[] {
  const told = suites.flatMap(({ restarts }) => restarts);
  const surroundings = { told, isUp: takenDown === null && !removedMeanwhile, kernel };
  return [
    ...suites.flatMap((suite) => suiteLines(suite, symbols)),
    ...incidents.flatMap((incident) => runIncidentLines(incident, surroundings)),
    ...notices.map(({ code, message }): Line => [['notice: ', 'yellow'], `${message} (${code})`]),
    ...(takenDown ? cleanLines({ dryRun: false, ...takenDown }) : [whereItIs(removedMeanwhile)]),
    summaryLine(suites, exitCode),
  ];
}

/** The suites of tests that were stopped: whoever stops them still wants to know how those ended that had. */
export function stoppedRunLines({ details }: Pick<StructuredError, 'details'>, symbols: boolean): Line[] {
  const suites = Array.isArray(details.suites) ? (details.suites as unknown[]) : [];
  // Other errors have names of suites in the same place.
  return suites.flatMap((suite) => (isSuite(suite) ? suiteLines(suite, symbols) : []));
}

function isSuite(suite: unknown): suite is ShownSuite {
  return typeof suite === 'object' && suite !== null && 'outcome' in suite;
}

/** What became of an environment that these tests have not taken down themselves. */
function whereItIs(removedMeanwhile: boolean): Line {
  return removedMeanwhile
    ? [['down', 'yellow'], ': somebody else took the environment down; argus run brings it up again']
    : [['up', 'green'], ': the environment stays up; argus clean takes it down'];
}

/** Of one that was stopped nobody knows how it would have ended. */
const marks: Readonly<Record<string, MarkedState>> = { passed: 'pass', interrupted: 'unknown' };

function suiteLines(suite: ShownSuite, symbols: boolean): Line[] {
  const { id, name, outcome, duration, restarts } = suite;
  const state = marks[outcome] ?? 'fail';
  const how = outcome === 'passed' ? '' : `${howItEnded(suite)}, `;
  const title = name === undefined ? id : `${id} (${name})`;
  return [
    [markOf(state, symbols), ' ', [title, 'bold'], '  ', [`${how}${took(duration)}`, 'dim']],
    ...restarts.map(({ service, reason, verdict, withoutRestart, durationMs = 0 }): Line => {
      const end = verdict === 'healthy' ? `healthy after ${took(durationMs)}` : verdict;
      const [what, why] = /^restarted with /.test(reason)
        ? [reason, '']
        : [withoutRestart ? 'repaired' : 'restarted', `: ${reason}`];
      return [symbols ? '  ' : '        ', [`${service} was ${what}`, 'yellow'], `${why}, ${end}`];
    }),
  ];
}

function howItEnded({ outcome, exitCode, signal, problem }: ShownSuite): string {
  if (outcome === 'interrupted') return 'was stopped';
  if (outcome === 'timed-out') return 'took too long and was ended';
  if (problem !== undefined) return problem;
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
}

function summaryLine(suites: readonly ShownSuite[], exitCode: number): Line {
  const failed = suites.filter(({ outcome }) => outcome !== 'passed').length;
  const count = suites.length === 1 ? 'one suite' : `${suites.length} suites`;
  if (failed === 0 && exitCode !== 0)
    return [['failed', 'red'], `: the environment was taken down meanwhile, exit code ${exitCode}`];
  if (failed === 0) return [['passed', 'green'], `: ${count}`];
  const part = suites.length === 1 ? count : `${failed} of ${count}`;
  return [['failed', 'red'], `: ${part}, exit code ${exitCode}`];
}
