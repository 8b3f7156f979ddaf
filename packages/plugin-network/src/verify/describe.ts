import { formatDuration } from '@argusai/core';
import type { Explored } from './explore.js';

/** Says in one line why a path is not open. */
export function describe({ path, verdict }: Explored, timeoutMs: number): string {
  const { from, to, host } = path;
  const who = `${from.name} does not reach ${to.name}`;
  if (verdict.status !== 'unreachable') return `${who}: it could not be told`;
  if (verdict.problem === 'dns') return `${who}: it cannot resolve the name ${host}`;
  const at = `${host}:${verdict.port.port}`;
  const why = {
    refused: 'refuses the connection',
    'timed-out': `gives no answer within ${formatDuration(timeoutMs)}`,
    'no-route': 'is out of its reach',
    'not-connected': 'is not connected',
    failed: 'breaks off',
  }[verdict.reason];
  // It has passed its own health check, so that it does listen.
  const isProcess = to.image === undefined && from.image !== undefined;
  const isOnlyHere = verdict.reason === 'refused' && isProcess;
  const hint = isOnlyHere
    ? `; ${to.name} is a process of this machine, and a container reaches it only when it listens on 0.0.0.0, not on 127.0.0.1 alone`
    : '';
  return `${who}: ${at} ${why}${hint}`;
}
