import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import {
  guardianLauncher,
  init,
  type OpenOptions,
  type OpenProject,
  openFolder,
  openForOperation,
  openWithoutCode,
} from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import type { GlobalOptions } from './command-line/global-options.js';
import { usageError } from './command-line/usage-error.js';
import type { Io } from './io.js';

/** Opens the project that the options and the current folder point to, as far as that runs nothing that lies in it. */
export async function openKnown(io: Io, options: GlobalOptions): ReturnType<typeof openWithoutCode> {
  return openWithoutCode(openOptions(io, options));
}

function openOptions({ cwd, env, secrets, program }: Io, { project, config }: GlobalOptions): OpenOptions {
  requireFolder(cwd, project);
  requireFile(cwd, config);
  const folder = resolve(cwd, project ?? '.');
  return {
    cwd: folder,
    ...(config === undefined ? {} : { file: resolve(cwd, config) }),
    // Without a file it is where the search begins; beside one it can only be the project.
    ...(config === undefined || project === undefined ? {} : { dir: folder }),
    builtins: builtinPlugins,
    openStore: (dir) => createSqliteStore({ dir }),
    env,
    onSecrets: (found) => {
      for (const secret of found) secrets.add(secret);
    },
    ...(program === undefined ? {} : { launchGuardian: guardianLauncher([program], env) }),
  };
}

/** The commands that work on a folder as it is, whatever its configuration says. */
const ofFolder = [init].filter(({ needsConfig }) => needsConfig === false).map(({ name }) => name);

/** Opens what a command works on: the project, as far as the command needs it, or the bare folder. */
export async function openFor(command: string, io: Io, options: GlobalOptions): Promise<OpenProject> {
  if (!ofFolder.includes(command)) return openForOperation(command, openOptions(io, options));
  if (options.config !== undefined) {
    throw usageError(`argus ${command} looks for no configuration, so --config says nothing to it`, {
      command,
      option: '--config',
    });
  }
  return openBareFolder(io, options);
}

/** Opens the folder that the options point to, without its configuration. */
async function openBareFolder({ cwd, env }: Io, { project }: GlobalOptions): Promise<OpenProject> {
  requireFolder(cwd, project);
  return openFolder({ cwd: resolve(cwd, project ?? '.'), builtins: builtinPlugins, env });
}

/** Who names a folder that is not there has mistyped it; no configuration is to blame. */
function requireFolder(cwd: string, project: string | undefined): void {
  if (project === undefined) return;
  const folder = resolve(cwd, project);
  const found = lookAt(folder);
  if (found?.isDirectory()) return;
  const why = found ? `${folder} is no folder` : `There is no folder ${folder}`;
  throw usageError(`${why}, which --project names`, { option: '--project', value: project });
}

function requireFile(cwd: string, config: string | undefined): void {
  if (config === undefined || existsSync(resolve(cwd, config))) return;
  const message = `There is no file ${resolve(cwd, config)}, which --config names`;
  throw usageError(message, { option: '--config', value: config });
}

/** What is at a path. A part of it that is a file is no way to a folder, so there is none either. */
function lookAt(path: string) {
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
}
