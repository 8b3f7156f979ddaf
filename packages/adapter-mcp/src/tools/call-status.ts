import { ArgusError, type Operation, usageInvalid } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import type { Session } from '../session/session.js';
import { toolName } from './tool-name.js';

/** Adds to a status how far the call is that was asked for. */
export function withCall(
  session: Session,
  { name }: Operation,
  { runId }: Readonly<Record<string, unknown>>,
  answer: Answer,
): Answer {
  if (name !== 'status' || runId === undefined) return answer;
  const call = session.call(String(runId));
  if (!call) return unknownCall(session, runId);
  const { tool, since, step, state, answer: result } = call;
  const told = { runId, tool, state, since, ...(step === undefined ? {} : { step }) };
  const data = { ...(answer.data as object), call: { ...told, ...(result ? { result } : {}) } };
  const next = state !== 'done' ? { tool: toolName('status'), arguments: { runId } } : result?.next;
  return { ...answer, data, ...(next ? { next } : {}) };
}

/** There is no such call, or it was too long ago. */
export function unknownCall({ calls }: Session, runId: unknown): Answer {
  const known = calls.map((call) => call.runId);
  const { error } = new ArgusError(usageInvalid, {
    message: `No call ${runId} is known${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`,
    details: { runId: String(runId), known },
  });
  return { ok: false, error, next: { tool: toolName('status'), arguments: {} } };
}
