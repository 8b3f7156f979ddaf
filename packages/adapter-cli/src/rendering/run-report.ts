import type { Kernel } from '@argusai/core';
import { cleanLines } from './clean.js';
import type { Line } from './line.js';
import { type MarkedState, markOf } from './mark.js';
import { runIncidentLines, type ShownRunIncident } from './run-incidents.js';
import { took } from './took.js';

/** The part of a run's result that is shown. */
export interface ShownRun {
  readonly exitCode: number;
  readonly suites: readonly ShownSuite[];
  readonly takenDown: {
    readonly removed: readonly { type: string; name: string }[];
    readonly failed: readonly { type: string; name: string; error: { message: string } }[];
  } | null;
  readonly removedMeanwhile: boolean;
  readonly incidents: readonly ShownRunIncident[];
  readonly notices: readonly { readonly code: string; readonly message: string }[];
}

interface ShownSuite {
  readonly id: string;
  readonly name?: string;
  readonly outcome: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly problem?: string;
  readonly duration: number;
  readonly restarts: readonly {
    readonly service: string;
    readonly at: number;
    readonly reason: string;
    readonly verdict: string;
    readonly withoutRestart?: true;
    readonly durationMs?: number;
  }[];
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

/** What became of an environment that these tests have not taken down themselves. */
function whereItIs(removedMeanwhile: boolean): Line {
  return removedMeanwhile
    ? [['down', 'yellow'], ': somebody else took the environment down; argus run brings it up again']
    : [['up', 'green'], ': the environment stays up; argus clean takes it down'];
}

function suiteLines(suite: ShownSuite, symbols: boolean): Line[] {
  const { id, name, outcome, duration, restarts } = suite;
  const state: MarkedState = outcome === 'passed' ? 'pass' : 'fail';
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
