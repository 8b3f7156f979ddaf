import { ArgusError, limitedSignal, openError, runOperation, systemClock, usageInvalid } from '@argusai/core';
import type { Answer } from '../answer/answer.js';
import { openFor } from '../project/open-project.js';
import type { Call } from '../session/call.js';
import type { Session } from '../session/session.js';
import type { Request } from './request.js';
import { toolName } from './tool-name.js';

/** How long is waited for what the environment looks like, in milliseconds: whoever polls wants to know about the call. */
const lookMs = 5_000;

/**
 * Tells how far a call is, and its result when it is done. It is no call to be remembered and never goes on itself: what the
 * environment looks like is told with it as far as that can be had at once. Nothing where no call was asked for.
 */
export async function poll(session: Session, request: Request): Promise<Answer | undefined> {
  const { tool, args } = request;
  if (tool !== toolName('status') || args.runId === undefined) return undefined;
  const call = session.call(String(args.runId));
  if (!call) return unknownCall(session, args.runId);
  const { data, error, notices = [] } = await look(session, request);
  const beside = [...(error ? [error] : []), ...notices];
  return {
    ok: true,
    data: { ...(data as object | undefined), call: told(call) },
    ...(beside.length === 0 ? {} : { notices: beside }),
    ...nextOf(call, args),
  };
}

/** How far it is. From now on it was asked for. */
function told(call: Call): object {
  const { runId, tool, since, step, state, answer: result } = call;
  call.isGiven ||= result !== undefined;
  return {
    runId,
    tool,
    state,
    since,
    ...(step === undefined ? {} : { step }),
    ...(result ? { result } : {}),
  };
}

function nextOf({ answer }: Call, args: Request['args']): Pick<Answer, 'next'> {
  if (!answer) return { next: { tool: toolName('status'), arguments: args } };
  return answer.next ? { next: answer.next } : {};
}

/** What the environment looks like, or why that cannot be told. */
async function look(session: Session, { tool, args, signal }: Request): Promise<Answer> {
  const { runId: _, projectPath, ...input } = args;
  const { surroundings } = session;
  const limit = limitedSignal(systemClock, Math.min(lookMs, surroundings.patienceMs), signal);
  const late = new Promise<Answer>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve({ ok: true }), { once: true });
  });
  const asked = async (): Promise<Answer> => {
    const path = projectPath === undefined ? undefined : String(projectPath);
    const { kernel, close } = await openFor(tool, path, surroundings);
    try {
      const operation = kernel.operations.get('status');
      return operation ? await runOperation(kernel, operation, input, limit.signal) : { ok: true };
    } finally {
      // What cannot be closed in order goes with the process; the answer is true all the same.
      await close().catch(() => undefined);
    }
  };
  const answer = asked().catch((thrown) => ({
    ok: false,
    error: openError(thrown, surroundings.env, surroundings.secrets),
  }));
  try {
    return await Promise.race([answer, late]);
  } finally {
    limit.release();
  }
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
