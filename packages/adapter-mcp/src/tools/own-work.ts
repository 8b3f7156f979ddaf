import { hostname } from 'node:os';
import { type Envelope, setupInProgress } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import type { Call } from '../session/call.js';
import type { Session } from '../session/session.js';
import { toolName } from './tool-name.js';

/**
 * What is told to a call that another call of this server stands in the way of: which one, and how to ask for it. Nothing
 * where it was no such thing.
 */
export function ownWork(
  { calls }: Session,
  { runId: own, dir }: Call,
  envelope: Envelope<unknown>,
): Answer | undefined {
  if (envelope.ok || envelope.error.code !== setupInProgress.code) return undefined;
  const { error, notices } = envelope;
  if (error.details.pid !== process.pid || error.details.host !== hostname()) return undefined;
  const other = calls.find((one) => one.dir === dir && one.state !== 'done' && one.runId !== own);
  if (!other) return undefined;
  other.promise();
  const { tool, runId, state, step } = other;
  const now = state === 'stopping' ? ' and is being taken back' : step === undefined ? '' : `; now: ${step}`;
  const message = `${tool} of this server is still at work as ${runId}${now}. Nothing else was begun`;
  return {
    ok: false,
    error: { ...error, message },
    ...(notices ? { notices } : {}),
    pending: { runId, tool, message: `${tool} goes on as ${runId}; it is not done yet.` },
    next: { tool: toolName('status'), arguments: { runId } },
  };
}
