import { countAttempts, formatSize, type ToldIncident } from '@argusai/core';
import { incidentLine } from './guardian.js';
import type { Line } from './line.js';
import { took } from './took.js';

/** What is shown of incidents. */
export interface ShownIncidents {
  /** Whether somebody guards what is up; null when nothing is. */
  readonly guarded?: boolean | null;
  readonly incidents: readonly ToldIncident[];
  readonly others: number;
}

type Evidence = NonNullable<ToldIncident['evidence']>;

/** How much of the evidence people get to see; programs get all of it. */
const shown = { lines: 10, outputs: 3 };

/** Incidents for people: what happened, each restart, and the end of the evidence. */
export function incidentsLines({ guarded, incidents, others }: ShownIncidents): Line[] {
  const more: Line[] = others === 0 ? [] : [[[moreOf(others, incidents.length), 'dim']]];
  if (incidents.length === 0) return [[nothingOf(guarded)], ...more];
  return [...incidents.flatMap(incidentLines), ...more];
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
  const what = count === 0 ? `${others} of other services or runs` : `${others} more`;
  return `${what}: --all and --last show them, --format json shows everything`;
}

function incidentLines(incident: ToldIncident): Line[] {
  const { error, restarts, startedAt, suite } = incident;
  const when = new Date(startedAt).toISOString();
  const underWay = restarts.some(({ verdict }) => verdict === 'pending');
  return [
    incidentLine({ ...incident, ...countAttempts(restarts), underWay, message: error.message }),
    [[`  ${error.code}, since ${when}${suite === undefined ? '' : `, during ${suite}`}`, 'dim']],
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
}: ToldIncident['restarts'][number]): Line {
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
    ...Object.entries(diagnosis).map(([part, found]): Line => [`  ${part}: ${JSON.stringify(found)}`]),
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
