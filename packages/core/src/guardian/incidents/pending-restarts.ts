import type { OpenIncident } from './incident.js';

/** How many restarts of an incident are under way, or were left like that by a guardian that is gone. */
export function pendingOf(incident: Pick<OpenIncident, 'restarts'> | undefined): number {
  return incident?.restarts.filter(({ verdict }) => verdict === 'pending').length ?? 0;
}

/** The incident that another guardian has left: its last restart was made when the service has begun since. */
export function withMadeRestart(incident: OpenIncident, startedAt: number | undefined): OpenIncident {
  const restarts = incident.restarts.map((restart) => {
    const isMade = restart.verdict === 'pending' && startedAt !== undefined && startedAt >= restart.at;
    return isMade ? { ...restart, verdict: 'healthy' as const } : restart;
  });
  return { ...incident, restarts };
}

/** The incident when it is over: what is still under way then, nobody will tell. */
export function withoutPending(incident: OpenIncident): OpenIncident {
  const restarts = incident.restarts.map((restart) =>
    restart.verdict === 'pending' ? { ...restart, verdict: 'unknown' as const } : restart,
  );
  return { ...incident, restarts };
}
