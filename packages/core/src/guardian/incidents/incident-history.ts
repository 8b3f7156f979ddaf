import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { currentRun } from '../../environment/runs/claim-run.js';
import type { RunRecord } from '../../environment/runs/run-record.js';
import type { Kernel } from '../../kernel/kernel.js';
import { openIncidents } from './guard-book.js';
import type { ToldIncident } from './incident.js';
import { allIncidents } from './incidents.js';

/** Which incidents. */
export interface HistoryQuery {
  /** Only those of this service. */
  readonly service?: string | undefined;
  /** So many of the newest. */
  readonly last: number;
  /** Also those of other runs that are still known. */
  readonly all: boolean;
}

/** What has happened to the services of a run. */
export interface IncidentHistory {
  /** The run of this folder; when nothing is up, the one that something last happened to. */
  readonly runId: string | null;
  /** Whether somebody guards it, so that what happens is recorded; null when nothing is up. */
  readonly guarded: boolean | null;
  /** Newest first. */
  readonly incidents: ToldIncident[];
  /** How many more there are, of other services and runs included. */
  readonly others: number;
}

/** The incidents of the run of this folder with everything that is known of them; tests that are over took their run with them. */
export async function incidentHistory(
  kernel: Kernel,
  { service, last, all }: HistoryQuery,
): Promise<IncidentHistory> {
  const run = await currentRun(kernel);
  const ended = await allIncidents(kernel);
  const open = run ? await openIncidents(kernel.store, run.id) : [];
  const known: ToldIncident[] = [
    ...ended,
    ...open.map((incident) => ({ ...incident, endedAt: null, outcome: 'open' as const })),
  ].sort((one, other) => other.startedAt - one.startedAt);
  const runId = run?.id ?? known[0]?.runId ?? null;
  const incidents = known
    .filter((incident) => all || incident.runId === runId)
    .filter((incident) => service === undefined || incident.service === service)
    .slice(0, last);
  const guarded = run ? await isGuarded(run) : null;
  return { runId, guarded, incidents, others: known.length - incidents.length };
}

async function isGuarded({ guardian }: RunRecord): Promise<boolean> {
  return guardian !== undefined && (await ownerLookup(hostname())(guardian)) !== 'dead';
}
