import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { promptNamed, promptsOf } from '../prompts/prompts.js';
import type { Session } from '../session/session.js';
import { refuseExcess } from './input-limits.js';

/** Lets a server answer about resources and prompts. */
export function offerResourcesAndPrompts(server: Server, session: Session): void {
  const load = () => import('../work.js');
  const { readOnly } = session.surroundings;
  server.setRequestHandler('resources/list', async () => ({ resources: (await load()).resources }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await load()).resourceTemplates,
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    refuseExcess(params);
    const { uri } = params;
    const { readResource } = await load();
    return (await readResource(session, uri)) ?? missing(`There is no resource ${uri}`);
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: promptsOf(readOnly) }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    refuseExcess(params);
    const { name } = params;
    return promptNamed(name, readOnly) ?? missing(`There is no prompt ${name}`);
  });
}

function missing(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
