import { statSync } from 'node:fs';
import { type Kernel, runsOf } from '@argusai/core';

/** What the environment looks like, in a text that changes when somebody has changed something. */
export async function worldOf({ origin, project, store, circuits }: Kernel): Promise<string> {
  const runs = (await runsOf(store, project.name)).map(({ id, state, services }) => ({
    id,
    state,
    services,
  }));
  const states = (await circuits.states()).map(({ name, state }) => ({ name, state }));
  return JSON.stringify([fileState(origin.file), runs, states]);
}

/** When a file was written last, and how long it is. */
export function fileState(file: unknown): string {
  if (typeof file !== 'string') return '';
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}
