import {
  ArgusError,
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
import { chooseFolder, whyNever } from './project-folders.js';

/** The tools that work on a folder as it is, whatever its configuration says. */
const ofFolder = [init].map(({ name }) => toolName(name));

/** Opens what a tool works on: the project of the folder, or for one that needs no configuration the bare folder. */
export async function openFor(
  tool: string,
  projectPath: string | undefined,
  surroundings: Surroundings,
): Promise<OpenProject> {
  const { folders, env } = surroundings;
  const choice = chooseFolder(folders, projectPath);
  if ('refusal' in choice) throw refused(choice.refusal, choice.asked, folders.roots);
  const cwd = choice.folder;
  if (ofFolder.includes(tool)) return openFolder({ cwd, builtins: builtinPlugins, env });
  const project = await openForOperation(operationOf(tool), {
    ...{ cwd, env, builtins: builtinPlugins },
    openStore: (dir) => createSqliteStore({ dir }),
    ...(surroundings.guardian ? { launchGuardian: guardianLauncher(surroundings.guardian, env) } : {}),
  });
  const { dir } = project.kernel.project;
  const why = whyNever(dir);
  if (why === undefined) return project;
  await project.close();
  throw refused(`The configuration lies in ${dir}: ${why}, which is never a project`, dir, folders.roots);
}

/** What there is without a project: core's operations and those of the plugins that come along. */
export async function openNothing({ env }: Surroundings): Promise<OpenProject> {
  return openFolder({ cwd: import.meta.dirname, builtins: builtinPlugins, env });
}

function refused(message: string, folder: string, allowed: readonly string[]): ArgusError {
  return new ArgusError(projectRefused, { message, details: { folder, allowed: [...allowed] } });
}
