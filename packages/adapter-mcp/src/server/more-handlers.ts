import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { promptNamed, promptsOf } from '../prompts/prompts.js';
import { refuseExcess } from './input-limits.js';
import type { Offer } from './offer.js';

/** Lets a server answer about resources and prompts. */
export function offerResourcesAndPrompts(server: Server, readOnly: boolean, offer: Offer): void {
  server.setRequestHandler('resources/list', async () => {
    const { resources } = await offer.listResources();
    return { resources };
  });
  server.setRequestHandler('resources/templates/list', async () => {
    const { resourceTemplates } = await offer.listResources();
    return { resourceTemplates };
  });
  server.setRequestHandler('resources/read', async ({ params }) => {
    refuseExcess(params);
    const { uri } = params;
    return (await offer.readResource(uri)) ?? missing(`There is no resource ${uri}`);
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
