import { readResource, resources, resourceTemplates } from '../resources/resources.js';
import type { Offer } from '../server/offer.js';
import type { Session } from '../session/session.js';
import { callTool } from './call-tool.js';
import { listTools } from './list-tools.js';

/** What a session offers in its own process. */
export function offerOf(session: Session): Offer {
  return {
    listTools: () => listTools(session),
    callTool: (request) => callTool(session, request),
    takeNews: () => session.takeNews(),
    listResources: async () => ({ resources, resourceTemplates }),
    readResource: (uri) => readResource(session, uri),
  };
}
