import { isBundled, type Kernel } from '@argusai/core';
import type { Tool } from '@modelcontextprotocol/server';
import { openListed, openNothing } from '../project/open-project.js';
import type { Session } from '../session/session.js';
import { ownTools } from './own-tools.js';
import { toolName } from './tool-name.js';
import { toolOf } from './tool-of.js';

/**
 * The tools that there are, in the order of registration. To list them runs nothing of the project: those of its own plugins are there
 * once a call has loaded these.
 */
export async function listTools(session: Session): Promise<Tool[]> {
  const { readOnly } = session.surroundings;
  const tools = session.tools ?? (await knownTools(session));
  session.listed(tools);
  return [...tools, ...ownTools(readOnly)];
}

async function knownTools({ surroundings }: Session): Promise<Tool[]> {
  const { kernel, notRun, close } = await openListed(surroundings).catch(async () => ({
    ...(await openNothing(surroundings)),
    notRun: [],
  }));
  await close();
  return toolsOf(kernel, surroundings.readOnly, notRun);
}

/** Remembers the tools of the plugins that the server's own project brings, once they are loaded. */
export function learnTools(session: Session, kernel: Kernel): void {
  const isKnown = kernel.configProblem !== undefined || kernel.plugins.every(isBundled);
  const { readOnly } = session.surroundings;
  // To describe them all takes longer than many calls do, so it is done once for the same operations.
  const operations = kernel.operations.values().map(({ name }) => name);
  session.learn(isKnown ? '' : operations.join(' '), () => toolsOf(kernel, readOnly, []));
}

function toolsOf({ operations }: Kernel, readOnly: boolean, notRun: readonly string[]): Tool[] {
  const offered = operations.values().flatMap((one) => toolOf(one, { readOnly, operations }) ?? []);
  if (notRun.length === 0) return offered;
  const more = ` Tools that ${told(notRun)} may add are listed once a call has loaded it; this one does.`;
  return offered.map((tool) =>
    tool.name === toolName('plugins') ? { ...tool, description: `${tool.description}${more}` } : tool,
  );
}

const mostTold = 10;

/** Names of plugins as they stand in a file that nobody may have read: only those that are none but names, or it could say anything to a model. */
function told(names: readonly string[]): string {
  const plain = names.filter((name) => /^[\w@./~-]{1,100}$/.test(name)).slice(0, mostTold);
  const left = names.length - plain.length;
  return plain.length === 0
    ? 'its own plugins'
    : `${plain.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}
