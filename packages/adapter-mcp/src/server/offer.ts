import type {
  CallToolResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/server';
import type { Surroundings } from '../session/session.js';
import type { Question, Request } from '../tools/request.js';

/** What a server has to offer, wherever the work is done: in the process that talks to the client, or in one that can be ended. */
export interface Offer {
  listTools(): Promise<Tool[]>;
  /** Throws `UnknownTool` where there is none; whatever else goes wrong is a result. */
  callTool(request: Request): Promise<CallToolResult | Question>;
  /** Whether other tools would be listed after the last call than were; that is told once. Nobody is asked who may not answer. */
  takeNews(): boolean;
  listResources(): Promise<{ resources: Resource[]; resourceTemplates: ResourceTemplateType[] }>;
  readResource(uri: string): Promise<ReadResourceResult | undefined>;
}

/** What is served to every client, over whatever transport. */
export interface Serving extends Pick<Surroundings, 'version' | 'readOnly' | 'log'> {
  readonly offer: Offer;
}
