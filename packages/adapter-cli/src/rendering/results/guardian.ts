import { counted, type ResilienceEvent, type ResultOf } from '@argusai/core';
import type { Line, Style } from '../text/line.js';
import { took } from '../text/took.js';

type Status = ResultOf<'status'>;
type Guardian = NonNullable<Status['guardian']>;

/** What is shown of who guards, and of what has happened. */
export interface ShownGuard {
  readonly guardian?: Pick<Guardian, 'host' | 'pid' | 'background' | 'alive' | 'silentMs'> | null;
  readonly incidents?: readonly ShownIncident[];
}

type Incident = Status['incidents'][number];

/** An incident as it is shown. */
export type ShownIncident = Pick<
  Incident,
  'service' | 'outcome' | 'restarts' | 'message' | 'refusal' | 'underWay'
> &
  Partial<Pick<Incident, 'repairs' | 'startedAgain'>>;

const styles: Readonly<Record<string, Style>> = {
  recovered: 'green',
  exhausted: 'red',
  open: 'yellow',
  observed: 'yellow',
};

/** Who guards, and what has happened; nothing where nobody guards and nothing has. */
export function guardLines({ guardian, incidents = [] }: ShownGuard): Line[] {
  const more: Line[] = incidents.length === 0 ? [] : [[['argus incidents shows more', 'dim']]];
  return [...incidents.map(incidentLine), ...more, ...(guardian ? [guardianLine(guardian)] : [])];
}

/** One incident in one line. */
export function incidentLine(incident: ShownIncident): Line {
  const { service, outcome, message, refusal, underWay = false, startedAgain = false } = incident;
  const count = [...attemptCounts(incident), ...(underWay ? ['a restart under way'] : [])]
    .map((one) => `, ${one}`)
    .join('');
  const why = refusal === undefined ? '' : ` (${refusal})`;
  const until = startedAgain ? ', before it was started again' : '';
  const style = startedAgain ? 'dim' : (styles[outcome] ?? 'dim');
  return [[service, 'bold'], ' ', [outcome, style], `${count}${why}${until}: ${message}`];
}

/** `1 restart`, `2 repairs`; nothing of what was not done. */
export function attemptCounts({ restarts, repairs = 0 }: { restarts: number; repairs?: number }): string[] {
  return [
    ...(restarts === 0 ? [] : [counted(restarts, 'restart')]),
    ...(repairs === 0 ? [] : [counted(repairs, 'repair')]),
  ];
}

function guardianLine({ host, pid, background, alive, silentMs }: NonNullable<ShownGuard['guardian']>): Line {
  if (alive && silentMs !== undefined) {
    const todo = background ? 'argus setup --guard starts another' : `kill -CONT ${pid} lets it go on`;
    return [['unguarded', 'red'], `: process ${pid} on ${host} gives no sign of life; ${todo}`];
  }
  if (alive) return [`guarded by process ${pid} on ${host}${background ? '' : ', while it lasts'}`];
  return [['unguarded', 'red'], `: process ${pid} on ${host} is gone; argus setup --guard starts another`];
}

/** What became of the guardian that a setup was to start. */
export function launchedLines(guardian: ResultOf<'setup'>['guardian']): Line[] {
  if (!guardian) return [];
  if (guardian.guarding) return [[`guarded by process ${guardian.pid}${guardian.kept ? ' as before' : ''}`]];
  return [[['unguarded', 'red'], `: the guardian did not get to its place; ${guardian.log} may say why`]];
}

/** What a guardian does, as it does it. */
export function guardProgress(event: ResilienceEvent): Line[] {
  switch (event.type) {
    case 'guard_state':
      return [[[`${event.data.state}: `, 'dim'], event.data.message]];
    case 'restart_attempt': {
      const { container, attempt, reason, delay, with: other } = event.data;
      if (other !== undefined) return [[[container, 'bold'], ` is restarted with ${other}`]];
      const when = delay === 0 ? 'now' : `in ${took(delay)}`;
      return [[[container, 'bold'], ' ', ['failed', 'red'], `: ${reason}; restart ${attempt} ${when}`]];
    }
    case 'restart_success': {
      const { container, attempt, duration, repaired } = event.data;
      if (repaired) {
        const what = `: ${repaired.join(', ')}; healthy after ${took(duration)}, without a restart`;
        return [[[container, 'bold'], ' ', ['repaired', 'green'], what]];
      }
      return [
        [
          [container, 'bold'],
          ' ',
          ['restarted', 'green'],
          `: healthy after ${took(duration)} (restart ${attempt})`,
        ],
      ];
    }
    case 'incident_end': {
      const { service, outcome, message } = event.data;
      return [[[service, 'bold'], ' ', [outcome, styles[outcome] ?? 'dim'], `: ${message}`]];
    }
    default:
      return [];
  }
}
