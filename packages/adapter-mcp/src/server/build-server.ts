import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Session } from '../session/session.js';
import { consentQuestion, isQuestion, type Question, type Request } from '../tools/request.js';
import { instructions } from './instructions.js';
import { offerResourcesAndPrompts } from './more-handlers.js';

/** Makes a server for one connection or, over HTTP, one request. What outlives it is in the session. */
export function buildServer(session: Session): Server {
  const { version } = session.surroundings;
  const server = new Server(
    { name: 'argus', title: 'Argus', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  // All that works on projects is loaded when it is first asked for: the first answer must not wait for it.
  server.setRequestHandler('tools/list', async () => {
    const { listTools } = await import('../work.js');
    return { tools: await listTools(session) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { callTool, UnknownTool } = await import('../work.js');
    const { name: tool, arguments: args = {} } = params;
    try {
      const answer = await callTool(session, { tool, args, ...requestOf(server, context) });
      return isQuestion(answer) ? questionOf(answer) : answer;
    } catch (thrown) {
      if (!(thrown instanceof UnknownTool)) throw thrown;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message);
    }
  });
  offerResourcesAndPrompts(server, session);
  return server;
}

/** Puts a question to the person: the client sends the call again with the answer. */
function questionOf({ question: message, shown }: Question): InputRequiredResult {
  const consent = inputRequired.elicit({
    message,
    requestedSchema: {
      ...{ type: 'object', properties: { agree: { type: 'boolean', title: 'Do it', default: false } } },
      required: ['agree'],
    },
  });
  const state = shown === undefined ? {} : { requestState: shown };
  return inputRequired({ inputRequests: { [consentQuestion]: consent }, ...state });
}

/** What a request says beside its parameters: in the new era with itself, before that when the connection was made. */
function requestOf(server: Server, { mcpReq }: ServerContext): Omit<Request, 'tool' | 'args'> {
  const { signal, envelope, inputResponses: answers, _meta } = mcpReq;
  const own = envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const capabilities = own?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = capabilities ?? {};
  // An empty one means that forms can be shown, as before there was anything else.
  const canAsk =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const shown = mcpReq.requestState();
  return { signal, canAsk, answers, shown, onStep: progressOf(mcpReq.notify, _meta?.progressToken) };
}

function progressOf(
  notify: ServerContext['mcpReq']['notify'],
  progressToken: string | number | undefined,
): ((message: string) => void) | undefined {
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that has gone needs to be told nothing.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
