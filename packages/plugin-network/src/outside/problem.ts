import { type CheckContext, type CheckOutcome, formatDuration } from '@argusai/core';
import { dnsResolutionFailed, latencyHigh, networkUnreachable } from '../error-codes.js';
import type { Failure } from './failure.js';

/** Who looks when a check does. */
const thisMachine = 'this machine';

// Nothing of ours can mend what is outside; to look again is all there is to do.
const outside = { suggestedActions: ['preflight-check'] } as const;
const unresolved = { ...dnsResolutionFailed, ...outside };
const unreachable = { ...networkUnreachable, ...outside };

/** What was looked at. */
export interface Aim {
  /** What results call it. */
  readonly name: string;
  readonly host: string;
  readonly port: number | null;
  /** How long it was given, in milliseconds. */
  readonly timeout: number;
}

/** The outcome for something that gave no answer. */
export function noAnswer(aim: Aim, failure: Failure, context: CheckContext): CheckOutcome {
  const { name, host, port } = aim;
  const { systemCode } = failure;
  const about = { source: thisMachine, target: name, host, systemCode };
  if (failure.kind === 'unknown') {
    return context.unknown(`${name} could not be looked at from here: ${systemCode}`, { target: name });
  }
  if (failure.kind === 'dns') {
    const { reason } = failure;
    const why =
      reason === 'not-found' ? 'cannot be resolved' : 'could not be resolved: no name server answered';
    const details = { ...about, reason, network: null, containers: [] };
    return context.fail(unresolved, { target: name, message: `${name}: the name ${host} ${why}`, details });
  }
  const reason = failure.kind === 'unreachable' ? failure.reason : 'failed';
  const why = {
    refused: 'refused the connection',
    'timed-out': `gave no answer within ${formatDuration(aim.timeout)}`,
    'no-route': 'cannot be reached: there is no way to it',
    'not-connected': 'is not connected',
    failed: `broke off (${systemCode})`,
  }[reason];
  const at = port === null ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const message = at === name || name.includes(at) ? `${name} ${why}` : `${name}: ${at} ${why}`;
  return context.fail(unreachable, { target: name, message, details: { ...about, port, reason } });
}

/** The outcome for something that answered: a warning when it took too long. */
export function answered(
  { name, latency }: { readonly name: string; readonly latency?: number | undefined },
  latencyMs: number,
  what: string,
  { pass, warn }: CheckContext,
): CheckOutcome {
  const ms = Math.round(latencyMs * 10) / 10;
  if (latency === undefined || latencyMs <= latency) {
    return pass(`${name} ${what} in ${ms} ms`, { target: name, details: { latencyMs: ms } });
  }
  return warn(latencyHigh, {
    target: name,
    message: `${name} ${what} in ${ms} ms, which is more than ${formatDuration(latency)}`,
    details: { target: name, latencyMs: ms, limitMs: latency },
  });
}
