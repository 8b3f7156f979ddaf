import { countAttempts, counted, formatSize, type ResultOf } from '@argusai/core';
import { ago } from '../text/ago.js';
import type { Line } from '../text/line.js';
import { took } from '../text/took.js';
import { diagnosisLines } from './diagnosis.js';
import { incidentLine } from './guardian.js';
import { recordedRepairLines } from './recorded-repairs.js';

type Result = ResultOf<'incidents'>;
type ShownIncident = Result['incidents'][number];

/** What is shown of incidents. */
export interface ShownIncidents
  extends Pick<Result, 'others'>,
    Partial<Pick<Result, 'guarded' | 'otherRepairs'>> {
  readonly incidents: readonly ShownIncident[];
  readonly repairs?: readonly Result['repairs'][number][];
}

type Evidence = NonNullable<ShownIncident['evidence']>;

/** How much of the evidence people get to see; programs get all of it. */
const shown = { lines: 10, outputs: 3 };

/** Incidents for people: what happened, each restart, and the end of the evidence; then what was repaired. */
export function incidentsLines(
  { guarded, incidents, others, repairs = [], otherRepairs = 0 }: ShownIncidents,
  folder?: string,
  now = Date.now(),
): Line[] {
  const more: Line[] = others === 0 ? [] : [[[moreOf(others, incidents.length), 'dim']]];
  const repaired = recordedRepairLines(repairs, otherRepairs, now);
  if (incidents.length > 0)
    return [...incidents.flatMap((one) => incidentLines(one, folder, now)), ...more, ...repaired];
  // Who has nothing up asks about repairs.
  const isTold = repairs.length > 0 && guarded === null;
  return [...(isTold ? [] : [[nothingOf(guarded)]]), ...more, ...repaired];
}

/** What it means that nothing is known: only a guardian takes note of what happens. */
function nothingOf(guarded: ShownIncidents['guarded']): string {
  if (guarded === false)
    return 'nothing was recorded, because nobody guards the services; argus setup --guard starts a guardian';
  return guarded === null
    ? 'nothing was recorded, and nothing is up'
    : 'nothing was recorded since the services are guarded';
}

function moreOf(others: number, count: number): string {
  const isOne = others === 1;
  const [are, them] = isOne ? ['is known', 'it'] : ['are known', 'them'];
  const whose = isOne ? 'another service or run' : 'other services or runs';
  return count === 0
    ? `${counted(others, 'incident')} of ${whose} ${are}: argus incidents --all shows ${them}`
    : `${counted(others, 'more incident')} ${are}: argus incidents --all --last ${count + others} shows ${them}, --format json shows everything`;
}

/** Where it was is said of another folder than the one that is asked in: projects of one name share their history. */
function incidentLines(incident: ShownIncident, folder: string | undefined, now: number): Line[] {
  const { error, restarts, startedAt, suite, worktree = folder } = incident;
  const where = worktree === folder ? '' : `, in ${worktree}`;
  const when = ago(now - startedAt);
  const underWay = restarts.some(({ verdict }) => verdict === 'pending');
  return [
    incidentLine({ ...incident, ...countAttempts(restarts), underWay, message: error.message }),
    [[`  ${error.code}, began ${when}${suite === undefined ? '' : `, during ${suite}`}${where}`, 'dim']],
    ...restarts.map(restartLine),
    ...evidenceLines(incident.evidence ?? restarts.at(-1)?.evidence),
  ];
}

function restartLine({
  attempt,
  reason,
  delayMs,
  verdict,
  durationMs,
  repaired = [],
  withoutRestart,
}: ShownIncident['restarts'][number]): Line {
  const after = delayMs === 0 ? 'at once' : `after ${took(delayMs)}`;
  const until = durationMs === undefined ? '' : ` in ${took(durationMs)}`;
  const what = withoutRestart ? 'repair' : 'restart';
  const did = repaired.length === 0 ? '' : `; ${repaired.join(', ')}`;
  return [`  ${what} ${attempt} ${after}: ${reason}${did}; ${verdict}${until}`];
}

/** The last evidence: figures, what the health check said, what plugins found out, and the last lines. */
function evidenceLines(evidence: Evidence | undefined): Line[] {
  if (!evidence) return [];
  const { health, diagnosis, gaps, lines } = evidence;
  const last = lines.slice(-shown.lines);
  return [
    [`  ${figuresOf(evidence).join(', ')}`],
    ...health.slice(-shown.outputs).map((output): Line => [`  health check: ${output}`]),
    ...diagnosisLines(diagnosis).map((line): Line => ['  ', ...line]),
    ...gaps.map((gap): Line => [`  missing: ${gap}`]),
    ...(last.length === 0
      ? []
      : [[`  its last lines${last.length < lines.length ? ` (of ${lines.length})` : ''}:`]]),
    ...last.map(({ text }): Line => [['    | ', 'dim'], text]),
  ];
}

function figuresOf({ status, exitCode, oomKilled, memory }: Evidence): string[] {
  const { limit, peak } = memory;
  return [
    status,
    ...(exitCode === null ? [] : [`exit code ${exitCode}`]),
    ...(oomKilled ? ['out of memory'] : []),
    ...(limit === null ? [] : [`memory limit ${formatSize(limit)}`]),
    ...(peak === null ? [] : [`memory peak ${formatSize(peak)}`]),
  ];
}
