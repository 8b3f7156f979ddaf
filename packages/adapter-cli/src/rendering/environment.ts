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
    run === null
      ? [['down', 'yellow'], ': nothing runs here; argus setup brings it up']
      : [
          [run.state, run.alive ? 'green' : 'red'],
          `: run ${run.id}, stays for ${took(run.leaseMs)}${run.alive ? '' : ' (dead)'}`,
        ],
  ];
}

/** What was removed, for people. */
export function cleanLines({ dryRun, removed, failed }: ShownClean): Line[] {
  const names = removed.map(
    ({ type, name }): Line => [`${dryRun ? 'would remove' : 'removed'} ${type} ${name}`],
  );
  const failures = failed.map(
    ({ type, name, error }): Line => [['failed ', 'red'], `${type} ${name}: ${error.message}`],
  );
  if (names.length + failures.length === 0) return [['There was nothing to remove']];
  return [...names, ...failures];
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
