import type { OpenProject } from '@argusai/core';
import type { Tool } from '@modelcontextprotocol/server';
import { openFor, openNothing } from '../project/open-project.js';
import type { Session } from '../session/session.js';
import { ownTools } from './own-tools.js';
import { toolOf } from './tool-of.js';

/** The tools that there are, in the order of registration. A project that cannot be opened only costs those of its plugins. */
export async function listTools({ surroundings }: Session): Promise<Tool[]> {
  const { readOnly } = surroundings;
  const project: OpenProject = await openFor('', undefined, surroundings).catch(() =>
    openNothing(surroundings),
  );
  try {
    const { operations } = project.kernel;
    const offered = operations.values().flatMap((one) => toolOf(one, { readOnly, operations }) ?? []);
    return [...offered, ...ownTools(readOnly)];
  } finally {
    await project.close();
  }
}
