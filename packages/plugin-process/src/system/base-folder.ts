import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ArgusConfig, Project } from '@argusai/core';

/**
 * Where processes are kept: the option, or a folder in that of the state, which is found in the same way as by core
 * (`ARGUS_STATE_DIR`, the configuration, `$XDG_STATE_HOME/argus`).
 */
export function baseFolder(
  option: string | undefined,
  { state }: Pick<ArgusConfig, 'state'>,
  project: Project,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (option !== undefined) return resolve(project.dir, option);
  if (env.ARGUS_STATE_DIR) return join(resolve(env.ARGUS_STATE_DIR), 'processes');
  if (state.dir) return join(resolve(project.dir, state.dir), 'processes');
  return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'argus', 'processes');
}
