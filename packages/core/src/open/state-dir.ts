import { lstatSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { ArgusConfig } from '../config/schema.js';
import type { Project } from '../model/project.js';
import { requireUserStateFolder } from '../model/user-state-folder.js';
import { unsafeFolder } from '../state/own-files.js';

/**
 * Where the state lives: one folder per user and machine, because ports and runs are shared by all projects and
 * worktrees of that user. `ARGUS_STATE_DIR` comes first, then the configuration, then `$XDG_STATE_HOME/argus`. Where nobody says it
 * and the user has no home folder, that is thrown.
 */
export function stateDir(
  { state }: Pick<ArgusConfig, 'state'>,
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (state.dir && !env.ARGUS_STATE_DIR) return withoutLinks(project.dir, resolve(project.dir, state.dir));
  return requireUserStateFolder(env);
}

/** A folder in that of the project. A link on the way, which a repository can bring along, leads anywhere. */
function withoutLinks(top: string, dir: string): string {
  const parts = relative(top, dir).split(sep);
  if (parts[0] === '..') return dir;
  for (let place = top; parts.length > 0; ) {
    place = join(place, parts.shift() ?? '');
    if (place !== top && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw unsafeFolder(place, 'is a link');
  }
  return dir;
}
