import { ArgusError, usageInvalid } from '@argusai/core';
import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Answer } from '../answer/answer.js';
import type { Session } from '../session/session.js';
import { answerSchema } from './json-schema.js';
import { unknownCall } from './poll.js';
import { cancelTool, moreTool, toolName } from './tool-name.js';

/** How much of a long answer is given at once, in characters: as JSON within JSON one takes up to three bytes. */
const pieceLength = 6_000;

type Arguments = Readonly<Record<string, unknown>>;

const runId = { type: 'string', description: 'The runId of the answer' };

const cancel: Tool = {
  name: cancelTool,
  title: 'Cancel',
  description:
    'Stop a call that was answered with pending, and take back what it has begun; what was removed or repaired stays so. ' +
    'Next: argus_status with the same runId until its state is done.',
  inputSchema: { type: 'object', properties: { runId }, required: ['runId'], additionalProperties: false },
  outputSchema: answerSchema({
    output: z.object({ runId: z.string(), state: z.enum(['stopping', 'done']) }),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

const more: Tool = {
  name: moreTool,
  title: 'More',
  description:
    'Give all of an answer that had truncated in it, as JSON text in pieces. Begin with offset 0 and go on with the next offset until ' +
    'it is null. Asking the first tool for less, such as fewer lines or one service, is often better.',
  inputSchema: {
    type: 'object',
    properties: { runId, offset: { type: 'integer', minimum: 0, description: 'Where to go on (default 0)' } },
    required: ['runId'],
    additionalProperties: false,
  },
  outputSchema: answerSchema({
    output: z.object({
      text: z.string(),
      offset: z.number(),
      length: z.number().describe('Of everything, in characters'),
      nextOffset: z.number().nullable().describe('Null when this is the end'),
    }),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/** The tools of the server itself. One that changes nothing has nothing that could be stopped. */
export function ownTools(readOnly: boolean): Tool[] {
  return readOnly ? [more] : [cancel, more];
}

/** Answers a tool of the server itself; nothing for all others. */
export function ownTool(session: Session, tool: string, args: Arguments): Answer | undefined {
  if (!ownTools(session.surroundings.readOnly).some(({ name }) => name === tool)) return undefined;
  if (args.runId === undefined) return withoutRunId(tool);
  return tool === moreTool ? piece(session, args) : stop(session, args);
}

/** Without it nobody knows what is meant. */
function withoutRunId(tool: string): Answer {
  const message = `${tool} needs runId: the one that the answer had which it is about`;
  const { error } = new ArgusError(usageInvalid, { message, details: { argument: 'runId' } });
  return { ok: false, error, next: { tool: toolName('status'), arguments: {} } };
}

function stop(session: Session, { runId }: Arguments): Answer {
  const call = session.call(String(runId));
  if (!call) return unknownCall(session, runId);
  call.cancel();
  const { state } = call;
  return { ok: true, data: { runId, state }, next: { tool: toolName('status'), arguments: { runId } } };
}

function piece(session: Session, { runId, offset = 0 }: Arguments): Answer {
  const all = session.kept(String(runId));
  if (all === undefined) {
    const message = `No answer ${runId} is kept; call the tool again that gave it`;
    const { error } = new ArgusError(usageInvalid, { message, details: { runId: String(runId) } });
    // The result of a call that is still known can be had with its status.
    const known = session.call(String(runId)) ? { runId } : {};
    return { ok: false, error, next: { tool: toolName('status'), arguments: known } };
  }
  const from = Number.isInteger(offset) ? Math.max(0, Number(offset)) : 0;
  const to = Math.min(all.length, from + pieceLength);
  const nextOffset = to < all.length ? to : null;
  const next = nextOffset === null ? {} : { next: { tool: moreTool, arguments: { runId, offset: to } } };
  return {
    ok: true,
    data: { text: all.slice(from, to), offset: from, length: all.length, nextOffset },
    ...next,
  };
}
