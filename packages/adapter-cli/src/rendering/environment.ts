import { counted, type Kernel, type StructuredError } from '@argusai/core';
import {
  attemptCounts,
  guardLines,
  type LaunchedGuardian,
  launchedLines,
  type ShownGuard,
} from './guardian.js';
import type { Line } from './line.js';
import type { MarkedState } from './mark.js';
import { networkLines, shownNetwork } from './network.js';
import { noticeLines } from './problem.js';
import { serviceTable, type TableService } from './service-table.js';
import { took } from './took.js';

/** The part of a setup's result that is shown. */
export interface ShownSetup {
  readonly runId: string;
  readonly unchanged: boolean;
  readonly services: readonly {
    name: string;
    runtime: string;
    status: string;
    endpoints: readonly string[];
  }[];
  readonly portMappings: readonly {
    service: string;
    originalPort: number;
    actualPort: number;
    reassigned: boolean;
  }[];
  readonly stages: Readonly<Record<string, number>>;
  /** Another plugin may say something else there. */
  readonly networkVerification?: unknown;
  readonly notices: readonly StructuredError[];
  readonly guardian?: LaunchedGuardian;
}

/** The part of a status that is shown. */
export interface ShownStatus extends ShownGuard {
  readonly project: string;
  readonly run: {
    readonly id: string;
    readonly state: string;
    readonly alive: boolean;
    readonly why?: string | undefined;
    readonly leaseMs: number;
  } | null;
  readonly services: readonly {
    name: string;
    runtime: string;
    status: string;
    health: string;
    message: string;
    endpoints: readonly string[];
    restarts: number;
    repairs?: number;
    note?: string | undefined;
  }[];
  readonly otherRuns: readonly {
    id: string;
    project: string;
    worktree: string;
    state: string;
    alive: boolean;
  }[];
  readonly lost: {
    readonly resources: readonly { type: string; name: string; runId: string }[];
    readonly unknown: readonly { runtime: string; reason: string }[];
  };
  readonly unrecorded?: string | undefined;
  readonly configBroken?: boolean | undefined;
  readonly circuits: readonly {
    name: string;
    state: string;
    failureCount: number;
    sinceTransition: number | null;
  }[];
}

/** A setup for people: where everything is, which ports were moved, and how long it took. */
export function setupLines(setup: ShownSetup, kernel: Kernel, columns?: number): Line[] {
  const { runId, unchanged, services, portMappings, stages, notices, guardian } = setup;
  const moved = portMappings.filter(({ reassigned }) => reassigned);
  const total = Object.values(stages).reduce((sum, duration) => sum + duration, 0);
  const summary = unchanged ? 'is up already, nothing had to be changed' : `is up after ${took(total)}`;
  return [
    ...(columns === undefined
      ? table(
          services.map(({ name, runtime, status, endpoints }) => [
            name,
            status,
            runtime,
            endpoints.join(' '),
          ]),
        )
      : serviceTable(
          services.map(({ status, ...service }) => ({ ...service, mark: 'pass', state: status })),
          columns,
        )),
    ...moved.map(
      ({ service, originalPort, actualPort }): Line => [
        `${service} has port ${actualPort} instead of ${originalPort}`,
      ],
    ),
    ...networkLines(shownNetwork(setup.networkVerification)),
    ...launchedLines(guardian),
    ...notices.flatMap((notice) => noticeLines(kernel, notice)),
    [
      ['up', 'green'],
      `: ${services.length === 1 ? 'one service' : `${services.length} services`}, run ${runId} ${summary}`,
    ],
  ];
}

/** The part of a build's result that is shown. */
export interface ShownBuild {
  readonly images: readonly { service: string; image: string; id: string }[];
  readonly duration: number;
}

/** A build for people: which images there are now, and how long it took. */
export function buildLines({ images, duration }: ShownBuild): Line[] {
  if (images.length === 0) return [['There was nothing to build: no service has a build']];
  return [
    ...table(
      images.map(({ service, image, id }) => [service, image, id.replace(/^sha256:/, '').slice(0, 12)]),
    ),
    [
      ['built', 'green'],
      `: ${images.length === 1 ? 'one image' : `${images.length} images`} in ${took(duration)}`,
    ],
  ];
}

/** A status for people: the services, the circuits, and how long the environment will stay. */
export function statusLines(
  { project, run, services, otherRuns, lost, unrecorded, configBroken, circuits, ...guard }: ShownStatus,
  columns?: number,
): Line[] {
  return [
    ...(columns === undefined
      ? table(plainRows(services))
      : serviceTable(services.map(rowOf(run !== null)), columns)),
    ...guardLines(guard),
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
    run === null
      ? lineWithoutRun({ project, otherRuns, lost, unrecorded, configBroken })
      : lastLine(run, services),
  ];
}

type ServiceOfStatus = ShownStatus['services'][number];

/** What a service has to say of itself when it is not simply well. */
const troubleOf = ({ health, status, message }: ServiceOfStatus) =>
  health === 'unhealthy' || health === 'unknown' || status === 'exited' ? message : '';

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
  configBroken,
}: Pick<ShownStatus, 'project' | 'otherRuns' | 'lost' | 'unrecorded' | 'configBroken'>): Line {
  if (lost.resources.length + lost.unknown.length > 0)
    return [
      ['unknown', 'yellow'],
      ': the record of what was set up here was lost; argus clean takes it down',
    ];
  if (unrecorded !== undefined) {
    const why = configBroken ? 'the configuration cannot be read' : 'the state store cannot be used';
    return [['unknown', 'yellow'], `: ${why}, so nobody knows what runs here`];
  }
  const other = otherRuns.find((one) => one.alive && one.project !== project);
  if (other) {
    const { id, project: name } = other;
    return [
      ['down', 'yellow'],
      `: nothing of ${project} runs here, but run ${id} of ${name} does; argus status --run ${id}`,
    ];
  }
  return [['down', 'yellow'], ': nothing runs here; argus setup brings it up'];
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

/** What was removed, for people: only how much, because each was told of when it went; and what takes down the rest. */
export function cleanLines({ usedBy = [], kept, ...clean }: ShownClean, again = 'argus clean'): Line[] {
  return [
    ...usedBy.map((user) => userLine(user, clean.dryRun)),
    ...removalLines(clean, again),
    ...(kept === undefined ? [] : [[`run ${kept} is up in this folder; argus clean takes it down`]]),
  ];
}

/** Tests that use what is taken down: whoever runs them should be told. */
function userLine({ pid, suites }: NonNullable<ShownClean['usedBy']>[number], dryRun: boolean): Line {
  const is = dryRun ? 'is' : 'was';
  const what = suites.length === 0 ? `${is} using it` : `${is} running ${suites.join(', ')} with it`;
  return [['notice: ', 'yellow'], `argus run, process ${pid}, ${what}`];
}

function removalLines({ dryRun, removed, failed }: ShownClean, again: string): Line[] {
  if (dryRun && removed.length > 0)
    return removed.map(({ type, name }): Line => [`would remove ${type} ${name}`]);
  if (removed.length + failed.length === 0) return [['There was nothing to remove']];
  const gone = removed.length > 0 ? `${countOf(removed)} removed` : 'nothing removed';
  if (failed.length === 0) return [[['down', 'green'], `: ${gone}`]];
  return [
    ...failed.map(({ type, name, error: { message, details } }): Line => {
      const reason = typeof details?.reason === 'string' ? details.reason : message;
      return [['could not remove', 'red'], ` ${type} ${name}: ${reason}`];
    }),
    [['not down', 'red'], `: ${gone}, ${failed.length} not; ${again} takes down the rest`],
  ];
}

/** `2 containers and 1 network`. */
function countOf(resources: readonly { type: string }[]): string {
  const types = [...new Set(resources.map(({ type }) => type))];
  const counts = types.map((type) => {
    const count = resources.filter((one) => one.type === type).length;
    return `${count} ${count === 1 ? type : `${type}${type.endsWith('s') ? 'es' : 's'}`}`;
  });
  return counts.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/** The part of a clean's result that is shown. */
export interface ShownClean {
  readonly dryRun: boolean;
  readonly removed: readonly { type: string; name: string }[];
  readonly failed: readonly {
    type: string;
    name: string;
    error: { message: string; details?: Readonly<Record<string, unknown>> };
  }[];
  /** The run of this folder, where it was not meant. */
  readonly kept?: string;
  readonly usedBy?: readonly { host: string; pid: number; suites: readonly string[] }[];
}

/** Lines with columns as wide as their widest cell; columns that are empty everywhere are left out. */
function table(rows: readonly (readonly string[])[]): Line[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => [
    row.flatMap((cell, column) => (widths[column] ? [cell.padEnd(widths[column] ?? 0)] : [])).join('  '),
  ]);
}
