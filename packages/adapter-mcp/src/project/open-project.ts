import { dirname } from 'node:path';
import {
  ArgusError,
  findConfig,
  guardianLauncher,
  init,
  type OpenProject,
  openFolder,
  openForOperation,
  projectRefused,
} from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import type { Surroundings } from '../session/session.js';
import { operationOf, toolName } from '../tools/tool-name.js';
import { builtinPlugins } from './builtin-plugins.js';
import { chooseFolder, isAllowed, type ProjectFolders, whyNever, workable } from './project-folders.js';

/** The tools that work on a folder as it is, whatever its configuration says. */
const ofFolder = [init].map(({ name }) => toolName(name));

/** Opens what a tool works on: the project of the folder, or for one that needs no configuration the bare folder. */
export async function openFor(
  tool: string,
  projectPath: string | undefined,
  surroundings: Surroundings,
): Promise<OpenProject> {
  const { folders, env, secrets } = surroundings;
  const choice = chooseFolder(folders, projectPath);
  if ('refusal' in choice) throw refused(choice.refusal, choice.asked, folders.roots);
  const cwd = choice.folder;
  if (ofFolder.includes(tool)) return openFolder({ cwd, builtins: builtinPlugins, env });
  await refuseOutside(cwd, folders);
  return openForOperation(operationOf(tool), {
    cwd,
    env,
    builtins: builtinPlugins,
    openStore: (dir) => createSqliteStore({ dir }),
    onSecrets: (found) => {
      for (const secret of found) secrets.add(secret);
    },
    ...(surroundings.guardian ? { launchGuardian: guardianLauncher(surroundings.guardian, env) } : {}),
  });
}

/**
 * Refuses a configuration that lies above the folders that are allowed, before anything of it is run: the search for one goes up to
 * the root of the repository. To pass over it would be to work on another project than the command line does.
 */
async function refuseOutside(cwd: string, { roots }: ProjectFolders): Promise<void> {
  // What cannot be read is told when it is opened.
  const found = await findConfig({ cwd }).catch(() => null);
  const dir = found ? dirname(found.file) : cwd;
  const why = whyNever(dir);
  const where = `The configuration of ${cwd} lies in ${dir}`;
  if (why !== undefined) throw refused(`${where}: ${why}, which is never a project`, dir, roots);
  if (isAllowed(dir, roots)) return;
  const help = `start the server with --project ${dir}, or with --allow ${dir} beside what it has`;
  throw refused(`${where}, outside the folders that are allowed: ${help}`, dir, roots);
}

/** What there is without a project: core's operations and those of the plugins that come along. */
export async function openNothing({ env }: Surroundings): Promise<OpenProject> {
  return openFolder({ cwd: import.meta.dirname, builtins: builtinPlugins, env });
}

function refused(message: string, folder: string, allowed: readonly string[]): ArgusError {
  return new ArgusError(projectRefused, { message, details: { folder, allowed: workable(allowed) } });
}
