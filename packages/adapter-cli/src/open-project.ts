import { resolve } from 'node:path';
import { type OpenProject, openArgus } from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import { builtinPlugins } from './builtin-plugins.js';
import type { GlobalOptions } from './command-line/global-options.js';
import type { Io } from './io.js';
import { guardianLauncher } from './process/guardian-launcher.js';

/** Opens the project that the options and the current folder point to. */
export function openProject(
  { cwd, env, program }: Io,
  { project, config }: GlobalOptions,
): Promise<OpenProject> {
  return openArgus({
    cwd: project === undefined ? cwd : resolve(cwd, project),
    ...(config === undefined ? {} : { file: resolve(cwd, config) }),
    builtins: builtinPlugins,
    openStore: (dir) => createSqliteStore({ dir }),
    env,
    ...(program === undefined ? {} : { launchGuardian: guardianLauncher(program, env) }),
  });
}
