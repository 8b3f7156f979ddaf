import { type Kernel, type ResultOf, wasMade } from '@argusai/core';
import { suggestedCommands } from '../problems/suggested-commands.js';
import type { Line } from '../text/line.js';

type Incident = ResultOf<'run'>['incidents'][number];

/** An incident of a run as it is shown. */
export interface ShownRunIncident extends Pick<Incident, 'service' | 'outcome' | 'refusal'> {
  readonly restarts: readonly Pick<
    Incident['restarts'][number],
    'at' | 'reason' | 'verdict' | 'withoutRestart'
  >[];
  readonly error: Pick<Incident['error'], 'code' | 'message' | 'details' | 'suggestedActions'>;
}

/** What else is shown of the run. */
interface Surroundings {
  /** The restarts that are told of below a suite. */
  readonly told: readonly { readonly service: string; readonly at: number }[];
  /** Whether the environment is still up. */
  readonly isUp: boolean;
  readonly kernel: Pick<Kernel, 'operations' | 'recoverers'>;
}

/** What the suites do not say of an incident: that a service was given up or left as it is, and restarts outside of any of them. */
export function runIncidentLines(incident: ShownRunIncident, surroundings: Surroundings): Line[] {
  const { service, outcome, restarts, error } = incident;
  const made = restarts.filter(wasMade);
  const outside = made.filter(
    ({ at }) => !surroundings.told.some((one) => one.service === service && one.at === at),
  );
  const restarted = outside.map(
    ({ reason, withoutRestart }): Line => [
      [service, 'bold'],
      ' ',
      [withoutRestart ? 'was repaired' : 'was restarted', 'yellow'],
      ` outside of the suites: ${reason}`,
    ],
  );
  if (outcome === 'exhausted')
    return [...restarted, [['given up', 'red'], `: ${error.message}`], ...nextLines(error, surroundings)];
  if (outcome === 'observed') return [...restarted, leftLine(incident), ...nextLines(error, surroundings)];
  return made.length === 0 ? [leftLine(incident)] : restarted;
}

function leftLine(incident: ShownRunIncident): Line {
  const { service, error, refusal, restarts } = incident;
  const { code, message, details } = error;
  const why = refusal === undefined ? '' : ` (${refusal})`;
  if (code === 'DEPENDENCY_RESTARTED')
    return [[service, 'bold'], ` was not restarted with ${details.with}${why}`];
  const isUnderWay = restarts.some(({ verdict }) => verdict === 'pending' || verdict === 'unknown');
  if (isUnderWay)
    return [[service, 'bold'], ` failed, and its restart was not over when the tests were: ${message}`];
  return [[service, 'bold'], ` failed and was not restarted${why}: ${message}`];
}

/** The code, the pattern, and what to type. Where everything is down, only another run has something to look at. */
function nextLines(error: ShownRunIncident['error'], { isUp, kernel }: Surroundings): Line[] {
  const { pattern } = error.details;
  const commands = [...(isUp ? [] : ['argus run --keep']), ...suggestedCommands(kernel, error)];
  return [
    ['  code: ', [error.code, 'bold'], typeof pattern === 'string' ? `, pattern: ${pattern}` : ''],
    ...commands.map((command): Line => ['  try: ', [command, 'cyan']]),
  ];
}
