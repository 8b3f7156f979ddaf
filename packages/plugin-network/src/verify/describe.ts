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
  return `${who}: ${at} ${why}`;
}
