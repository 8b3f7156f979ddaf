import { dirname } from 'node:path';
import {
  ArgusError,
  findConfig,
  guardianLauncher,
  init,
  type OpenOptions,
  type OpenProject,
  openFolder,
  openForOperation,
  openWithoutCode,
  projectRefused,
  requireAgreement,
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
  const { folders, env } = surroundings;
  const cwd = folderOf(projectPath, folders);
  if (ofFolder.includes(tool)) return openFolder({ cwd, builtins: builtinPlugins, env });
  const dir = await configuredIn(cwd, folders);
  // To its own project the server's entry in the host is the consent. What lies below may have been unpacked there.
  if (dir !== (await ownProject(folders))) requireAgreement(dir, env);
  return openForOperation(operationOf(tool), openOptions(cwd, surroundings));
}

/** Opens the server's own project as far as that runs nothing that lies in it. */
export async function openListed(surroundings: Surroundings): ReturnType<typeof openWithoutCode> {
  const cwd = folderOf(undefined, surroundings.folders);
  await configuredIn(cwd, surroundings.folders);
  return openWithoutCode(openOptions(cwd, surroundings));
}

/** The folder of the configuration of the server's own project; nothing where its folder is none to work in. */
function ownProject(folders: ProjectFolders): Promise<string | undefined> {
  const { main } = folders;
  const choice = chooseFolder({ main, roots: [main] });
  return 'folder' in choice
    ? configuredIn(choice.folder, folders).catch(() => undefined)
    : Promise.resolve(undefined);
}

function folderOf(projectPath: string | undefined, folders: ProjectFolders): string {
  const choice = chooseFolder(folders, projectPath);
  if ('refusal' in choice) throw refused(choice.refusal, choice.asked, folders.roots);
  return choice.folder;
}

function openOptions(cwd: string, { env, secrets, guardian }: Surroundings): OpenOptions {
  return {
    cwd,
    env,
    builtins: builtinPlugins,
    openStore: (dir) => createSqliteStore({ dir }),
    onSecrets: (found) => {
      for (const secret of found) secrets.add(secret);
    },
    ...(guardian ? { launchGuardian: guardianLauncher(guardian, env) } : {}),
  };
}

/**
 * The folder of the configuration that counts in a folder. One that lies above the folders that are allowed is refused, before anything
 * of it is run: the search for one goes up to the root of the repository. To pass over it would be to work on another project than the
 * command line does.
 */
async function configuredIn(cwd: string, { roots }: ProjectFolders): Promise<string> {
  // What cannot be read is told when it is opened.
  const found = await findConfig({ cwd }).catch(() => null);
  const dir = found ? dirname(found.file) : cwd;
  const why = whyNever(dir);
  const where = `The configuration of ${cwd} lies in ${dir}`;
  if (why !== undefined) throw refused(`${where}: ${why}, which is never a project`, dir, roots);
  if (isAllowed(dir, roots)) return dir;
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
