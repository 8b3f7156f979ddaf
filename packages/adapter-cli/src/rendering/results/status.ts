import { counted, type ResilienceEvent, type ResultOf } from '@argusai/core';
import type { Line } from '../text/line.js';
import type { MarkedState } from '../text/mark.js';
import { plainTable } from '../text/plain-table.js';
import { took } from '../text/took.js';
import { attemptCounts, guardLines, type ShownGuard } from './guardian.js';
import { serviceTable, type TableService } from './service-table.js';

type Status = ResultOf<'status'>;
type Service = Status['services'][number];
type Lost = Status['lost'];

/** The part of a status that is shown. */
export interface ShownStatus
  extends ShownGuard,
    Pick<Status, 'project' | 'unrecorded' | 'foreign' | 'unlooked' | 'configBroken'> {
  readonly run: Pick<NonNullable<Status['run']>, 'id' | 'state' | 'alive' | 'why' | 'leaseMs'> | null;
  readonly services: readonly (Pick<
    Service,
    'name' | 'runtime' | 'status' | 'health' | 'message' | 'endpoints' | 'restarts' | 'note'
  > &
    Partial<Pick<Service, 'repairs'>>)[];
  readonly otherRuns: Status['otherRuns'];
  readonly lost: {
    readonly resources: readonly Pick<Lost['resources'][number], 'type' | 'name' | 'runId'>[];
    readonly unknown: Lost['unknown'];
  };
  readonly circuits: readonly Pick<
    Status['circuits'][number],
    'name' | 'state' | 'failureCount' | 'sinceTransition'
  >[];
}

/** The status that an event tells of, if it is about that. */
export function statusIn({ type, data }: ResilienceEvent): ShownStatus | undefined {
  return type === 'status_changed' ? (data as ResultOf<'status'>) : undefined;
}

/** A status for people: the services, the circuits, and how long the environment will stay. */
export function statusLines(status: ShownStatus, columns?: number): Line[] {
  const { project, run, services, otherRuns, lost, circuits } = status;
  return [
    ...(columns === undefined
      ? plainTable(plainRows(services))
      : serviceTable(services.map(rowOf(run !== null)), columns)),
    ...guardLines(status),
    ...circuits.map(
      ({ name, state, failureCount, sinceTransition }): Line => [
        `circuit ${name}: ${state}, ${counted(failureCount, 'failure')} in a row`,
        sinceTransition === null ? '' : `, for ${took(sinceTransition)}`,
      ],
    ),
    ...otherRuns.map(
      ({ id, project: name, worktree, state, alive }): Line => [
        [
          `also: run ${id}${name === project ? '' : ` of ${name}`} in ${worktree} is ${alive ? state : 'dead'}`,
          'dim',
        ],
      ],
    ),
    ...lost.resources.map(
      ({ type, name, runId }): Line => [
        ['left', 'yellow'],
        `: ${type} ${name} of run ${runId}, whose record was lost; argus clean removes it`,
      ],
    ),
    ...lost.unknown.map(
      ({ runtime, reason }): Line => [
        ['unknown', 'yellow'],
        `: what ${runtime} still has of runs whose record was lost: ${reason}`,
      ],
    ),
    run === null ? lineWithoutRun(status) : lastLine(run, services),
  ];
}

type ServiceOfStatus = ShownStatus['services'][number];

/** What a service has to say of itself when it is not simply well, or not yet and that is not all. */
const troubleOf = ({ health, status, message }: ServiceOfStatus) =>
  health === 'unhealthy' || health === 'unknown' || status === 'exited' || isAwaited(health, message)
    ? message
    : '';

/** An image's own check says no more than that. */
const isAwaited = (health: string, message: string) => health === 'starting' && message !== health;

function plainRows(services: ShownStatus['services']): string[][] {
  return services.map((service) => {
    const { name, status, health, runtime, endpoints, note } = service;
    return [
      ...[name, status, health === 'none' ? '' : health, runtime, endpoints.join(' ')],
      ...[attemptCounts(service).join(', '), troubleOf(service), note === undefined ? '' : `(${note})`],
    ];
  });
}

/** How a service stands in the table; one that is not there is missed only while there is a run. */
function rowOf(hasRun: boolean): (service: ServiceOfStatus) => TableService {
  return (service) => {
    const { name, status, health, runtime, endpoints, note } = service;
    const state = status === 'running' && health !== 'none' ? health : status;
    const remarks = [attemptCounts(service).join(', '), troubleOf(service), note ?? ''];
    const mark = status === 'missing' && !hasRun ? 'skipped' : markOfService(service);
    return { name, mark, state, runtime, endpoints, remarks: remarks.filter((one) => one !== '') };
  };
}

function markOfService({ status, health }: ServiceOfStatus): MarkedState {
  if (status === 'unknown' || health === 'unknown') return 'unknown';
  if (status === 'missing' || health === 'unhealthy') return 'fail';
  return health === 'starting' ? 'running' : 'pass';
}

/** What there is to say where no run of this folder and name is recorded. */
function lineWithoutRun({
  project,
  otherRuns,
  lost,
  unrecorded,
  foreign = [],
  unlooked = [],
  configBroken,
  services,
}: Pick<
  ShownStatus,
  'project' | 'otherRuns' | 'lost' | 'unrecorded' | 'foreign' | 'unlooked' | 'configBroken' | 'services'
>): Line {
  if (lost.resources.length + lost.unknown.length > 0)
    return [
      ['unknown', 'yellow'],
      ': the record of what was set up here was lost; argus clean takes it down',
    ];
  if (unrecorded !== undefined) {
    const why = configBroken ? 'the configuration cannot be read' : 'the state store cannot be used';
    return [['unknown', 'yellow'], `: ${why}, so nobody knows what runs here`];
  }
  if (foreign.length > 0) {
    const which = foreign.length === 1 ? `run ${foreign[0]} was` : `runs ${foreign.join(', ')} were`;
    return [
      ['down', 'yellow'],
      `: nothing is recorded here, but ${which} set up here with another state folder`,
    ];
  }
  if (unlooked.length > 0) {
    const which = unlooked.map(({ runtime }) => runtime).join(', ');
    return [
      ['unknown', 'yellow'],
      `: ${which} could not be asked, so something may run here; argus check says more`,
    ];
  }
  const other = otherRuns.find((one) => one.alive && one.project !== project);
  if (other) {
    const { id, project: name } = other;
    return [
      ['down', 'yellow'],
      `: nothing of ${project} runs here, but run ${id} of ${name} does; argus status --run ${id}`,
    ];
  }
  const next =
    services.length === 0
      ? ', and no service is configured; add one under services, or let argus init propose some'
      : '; argus setup brings it up';
  return [['down', 'yellow'], `: nothing runs here${next}`];
}

function lastLine(run: NonNullable<ShownStatus['run']>, services: ShownStatus['services']): Line {
  const { id, state, alive, why = 'it is over', leaseMs } = run;
  if (!alive) {
    const next = state === 'stopping' ? 'argus clean removes what is left' : 'argus setup starts anew';
    return [['dead', 'red'], `: run ${id}, ${why}; ${next}`];
  }
  const trouble = state === 'up' ? troubleLine(services) : undefined;
  if (trouble) return trouble;
  const isKnown = services.every(({ health }) => health !== 'unknown');
  const how = isKnown ? '' : '; how well is not known';
  return [[state, isKnown ? 'green' : 'yellow'], `: run ${id}, stays for ${took(leaseMs)}${how}`];
}

/** How many services of a run that is up do not work, and what to do next; nothing when all do. */
function troubleLine(services: ShownStatus['services']): Line | undefined {
  const failed = services.filter((service) => markOfService(service) === 'fail');
  const unseen = services.filter(({ status }) => status === 'unknown');
  const part = (count: number) => `${count} of ${counted(services.length, 'service')}`;
  const [first] = failed;
  if (!first) {
    if (unseen.length === 0) return undefined;
    const what = `${part(unseen.length)} could not be looked at`;
    return [['unknown', 'yellow'], `: ${what}; argus check says more`];
  }
  const isDown = ({ status }: ServiceOfStatus) => status === 'missing' || status === 'exited';
  const how = failed.every(isDown) ? 'down' : failed.some(isDown) ? 'down or not well' : 'not well';
  // What is not there at all has nothing to say.
  const silent = failed.find(({ status }) => status !== 'missing');
  const logs = silent ? `argus logs --service ${silent.name}, ` : '';
  const are = failed.length === 1 ? 'is' : 'are';
  return [['not up', 'red'], `: ${part(failed.length)} ${are} ${how}; ${logs}argus setup`];
}
