import { join, resolve } from 'node:path';
import { type ArgusConfig, type Project, stateDir } from '@argusai/core';

/** Where processes are kept: the option, or a folder in that of the state. */
export function baseFolder(
  option: string | undefined,
  config: Pick<ArgusConfig, 'state'>,
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (option !== undefined) return resolve(project.dir, option);
  return join(stateDir(config, project, env), 'processes');
}
