import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isQuestion, type Request, UnknownTool } from '../tools/request.js';
import { askWhileWaiting, questionOf } from './ask-person.js';
import { refuseExcess } from './input-limits.js';
import { instructionsOf } from './instructions.js';
import { offerResourcesAndPrompts } from './more-handlers.js';
import type { Serving } from './offer.js';

/** Makes a server for one connection or, over HTTP, one request. What outlives it is behind what it offers. */
export function buildServer({ version, readOnly, offer }: Serving): Server {
  const server = new Server(
    { name: 'argus', title: 'Argus', version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: instructionsOf(readOnly),
    },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: await offer.listTools() }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    refuseExcess([params, context.mcpReq.inputResponses]);
    const { name: tool, arguments: args = {} } = params;
    const answered = new AbortController();
    try {
      const request = { tool, args, ...requestOf(server, context, answered.signal) };
      let answer = await offer.callTool(request);
      while (isQuestion(answer)) {
        if (context.mcpReq.envelope !== undefined) return questionOf(answer);
        answer = await offer.callTool({ ...request, ...(await askWhileWaiting(context, answer)) });
      }
      // A client that cannot be told asks again some time.
      if (offer.takeNews()) await server.sendToolListChanged().catch(() => undefined);
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof UnknownTool)) throw thrown;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message);
    } finally {
      answered.abort();
    }
  });
  offerResourcesAndPrompts(server, readOnly, offer);
  return server;
}

/** What a request says beside its parameters: in the new era with itself, before that when the connection was made. */
function requestOf(
  server: Server,
  { mcpReq }: ServerContext,
  answered: AbortSignal,
): Omit<Request, 'tool' | 'args'> {
  const { signal, envelope, inputResponses: answers, _meta } = mcpReq;
  const own = envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const capabilities = own?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = capabilities ?? {};
  // An empty one means that forms can be shown, as before there was anything else.
  const canAsk =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const shown = mcpReq.requestState();
  const tell = progressOf(mcpReq.notify, _meta?.progressToken);
  // Of a call that was answered or taken back nothing may be told any more: its token means nothing to the client.
  const onStep = tell && ((step: string) => (answered.aborted || signal.aborted ? undefined : tell(step)));
  return { signal, canAsk, answers, shown, onStep };
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
