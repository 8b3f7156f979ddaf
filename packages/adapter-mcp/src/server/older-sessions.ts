import { randomUUID } from 'node:crypto';
import {
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** How many clients are remembered; one that goes away without a word is forgotten when so many others have come. */
const keptSessions = 200;

const sessionHeader = 'mcp-session-id';

/** Serves clients of the older era over HTTP. */
export interface OlderSessions {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Clients of the older era take a call back, and answer a question, in another request than that of the call. So each has a
 * session, as their protocol offers it; who asks for none is answered request by request.
 */
export function olderSessions(build: () => Server, onerror: (error: Error) => void): OlderSessions {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const alone = legacyStatelessFallback(build, onerror);
  const begin = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        for (const [old, forgotten] of [...sessions].slice(0, -keptSessions)) {
          sessions.delete(old);
          forgotten.close().catch(onerror);
        }
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await build().connect(transport);
    return transport;
  };
  return {
    async fetch(request) {
      const id = request.headers.get(sessionHeader);
      if (id === null)
        return (await isFirst(request)) ? (await begin()).handleRequest(request) : alone(request);
      const session = sessions.get(id);
      // The protocol has a client begin anew after this.
      return session ? session.handleRequest(request) : new Response(null, { status: 404 });
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** Whether a client introduces itself. */
async function isFirst(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    const { method } = (await request.clone().json()) as { method?: unknown };
    return method === 'initialize';
  } catch {
    // No JSON, or nothing that has a method: whoever serves it says so.
    return false;
  }
}
