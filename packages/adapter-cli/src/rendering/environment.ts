import type { Line } from './line.js';
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
}

/** The part of a status that is shown. */
export interface ShownStatus {
  readonly run: {
    readonly id: string;
    readonly state: string;
    readonly alive: boolean;
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
  }[];
  readonly otherRuns: readonly { id: string; worktree: string; state: string; alive: boolean }[];
  readonly circuits: readonly {
    name: string;
    state: string;
    failureCount: number;
    sinceTransition: number;
  }[];
}

/** A setup for people: where everything is, which ports were moved, and how long it took. */
export function setupLines({ runId, unchanged, services, portMappings, stages }: ShownSetup): Line[] {
  const moved = portMappings.filter(({ reassigned }) => reassigned);
  const total = Object.values(stages).reduce((sum, duration) => sum + duration, 0);
  const summary = unchanged ? 'is up already, nothing had to be changed' : `is up after ${took(total)}`;
  return [
    ...table(
      services.map(({ name, runtime, status, endpoints }) => [name, status, runtime, endpoints.join(' ')]),
    ),
    ...moved.map(
      ({ service, originalPort, actualPort }): Line => [
        `${service} has port ${actualPort}, because ${originalPort} is taken`,
      ],
    ),
    [
      ['up', 'green'],
      `: ${services.length === 1 ? 'one service' : `${services.length} services`}, run ${runId} ${summary}`,
    ],
  ];
}

/** A status for people: the services, the circuits, and how long the environment will stay. */
export function statusLines({ run, services, otherRuns, circuits }: ShownStatus): Line[] {
  const rows = services.map(({ name, status, health, runtime, endpoints, restarts, message }) => [
    name,
    status,
    health === 'none' ? '' : health,
    runtime,
    endpoints.join(' '),
    restarts > 0 ? `${restarts} restarts` : '',
    health === 'unhealthy' || status === 'unknown' || status === 'exited' ? message : '',
  ]);
  return [
    ...table(rows),
    ...circuits.map(
      ({ name, state, failureCount, sinceTransition }): Line => [
        `circuit ${name}: ${state}, ${failureCount} failures in a row, for ${took(sinceTransition)}`,
      ],
    ),
    ...otherRuns.map(
      ({ id, worktree, state, alive }): Line => [
        [`also: run ${id} in ${worktree} is ${alive ? state : 'dead'}`, 'dim'],
      ],
    ),
    lastLine(run),
  ];
}

function lastLine(run: ShownStatus['run']): Line {
  if (run === null) return [['down', 'yellow'], ': nothing runs here; argus setup brings it up'];
  const { id, state, alive, leaseMs } = run;
  if (alive) return [[state, 'green'], `: run ${id}, stays for ${took(leaseMs)}`];
  const why = state === 'up' ? 'has run out' : `died while ${state}`;
  return [['dead', 'red'], `: run ${id} ${why}; argus setup starts anew, argus clean removes what is left`];
}

/** What was removed, for people: only how much, because each was told of when it went. */
export function cleanLines({ dryRun, removed, failed }: ShownClean): Line[] {
  if (dryRun && removed.length > 0)
    return removed.map(({ type, name }): Line => [`would remove ${type} ${name}`]);
  if (removed.length + failed.length === 0) return [['There was nothing to remove']];
  const gone = removed.length > 0 ? `${countOf(removed)} removed` : 'nothing removed';
  if (failed.length === 0) return [[['down', 'green'], `: ${gone}`]];
  const left = failed.map(({ type, name }) => `${type} ${name}`).join(', ');
  return [[['not down', 'red'], `: ${gone}, could not remove ${left}`]];
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
  readonly failed: readonly { type: string; name: string; error: { message: string } }[];
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
