import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ArgusConfig } from '../config/schema.js';
import type { Project } from '../model/project.js';

/**
 * Where the state lives: one folder per user and machine, because ports and runs are shared by all projects and
 * worktrees of that user. `ARGUS_STATE_DIR` comes first, then the configuration, then `$XDG_STATE_HOME/argus`.
 */
export function stateDir(
  { state }: Pick<ArgusConfig, 'state'>,
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (env.ARGUS_STATE_DIR) return resolve(env.ARGUS_STATE_DIR);
  if (state.dir) return resolve(project.dir, state.dir);
  return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'argus');
}
