import { hostname } from 'node:os';
import { ownerLookup } from '../../environment/ownership/liveness.js';
import { currentRun } from '../../environment/runs/claim-run.js';
import type { RunRecord } from '../../environment/runs/run-record.js';
import type { Kernel } from '../../kernel/kernel.js';
import { openIncidents, restartCounts, servicesGivenUp } from '../incidents/guard-book.js';
import { countAttempts, type Incident, type OpenIncident } from '../incidents/incident.js';
import { incidentsOf } from '../incidents/incidents.js';
import { pendingOf } from '../incidents/pending-restarts.js';
import { silenceOf } from './heartbeat.js';

/** How many incidents a status shows. */
const shown = 10;

/** Who guards a run, that of this folder unless another is given, and what has happened to it; `null` is none. */
export async function guardStatus(kernel: Kernel, chosen?: RunRecord | null) {
  const run = chosen === undefined ? await currentRun(kernel) : chosen;
  if (!run)
    return {
      guardian: null,
      incidents: [],
      counts: new Map<string, { restarts: number; repairs: number }>(),
    };
  const { guardian } = run;
  const givenUp = await servicesGivenUp(kernel.store, run.id);
  const isOver = ({ service, outcome, startedAt }: Incident) =>
    outcome !== 'recovered' &&
    (startedAt < (run.services[service]?.startedAt ?? 0) ||
      (outcome === 'exhausted' && !givenUp.has(service)));
  const ended = (await incidentsOf(kernel, run.id)).map((one) => ({
    ...describe(one, one),
    ...(isOver(one) ? { startedAgain: true } : {}),
  }));
  const silentMs = guardian && (await silenceOf(kernel, run.id, guardian));
  const open = (await openIncidents(kernel.store, run.id)).map((one) => describe(one));
  return {
    guardian: guardian
      ? {
          host: guardian.host,
          pid: guardian.pid,
          since: guardian.since,
          background: guardian.background,
          alive: (await ownerLookup(hostname())(guardian)) !== 'dead',
          ...(silentMs === undefined ? {} : { silentMs }),
        }
      : null,
    incidents: [...ended, ...open].slice(-shown),
    counts: await restartCounts(kernel.store, run.id),
  };
}

function describe({ service, startedAt, error, restarts }: OpenIncident, end?: Incident) {
  return {
    service,
    startedAt,
    endedAt: end?.endedAt ?? null,
    outcome: end?.outcome ?? ('open' as const),
    code: error.code,
    message: error.message,
    ...countAttempts(restarts),
    ...(!end && pendingOf({ restarts }) > 0 ? { underWay: true } : {}),
    ...(end?.refusal === undefined ? {} : { refusal: end.refusal }),
  };
}
