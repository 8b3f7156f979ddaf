import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { nowhere } from '../config/config-origin.js';
import { configError } from '../config/problem.js';
import { realFolder } from '../config/real-folder.js';
import { resolvePlugins } from '../config/resolve-plugins.js';
import { defaultConfig } from '../config/schema.js';
import { createKernel } from '../kernel/create-kernel.js';
import { corePlugin } from '../operations/core-plugin.js';
import type { OpenOptions, OpenProject } from './open-argus.js';

/**
 * Assembles a kernel for a folder as it is, with the plugins that come along: no configuration is read, which may be broken
 * or not be there yet, and nothing is remembered.
 */
export async function openFolder({
  cwd,
  builtins,
  env,
}: Pick<OpenOptions, 'cwd' | 'builtins' | 'env'>): Promise<OpenProject> {
  const dir = realFolder(cwd);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw configError(null, [{ path: [], message: `there is no folder ${dir}`, value: cwd }]);
  }
  const config = defaultConfig();
  const project = { name: basename(dir) || 'root', dir };
  const { plugins } = await resolvePlugins(undefined, { dir, builtins });
  const core = { plugin: corePlugin, options: {}, source: 'core' };
  const kernel = createKernel({ project, config, env, plugins: [core, ...plugins] });
  const configuration = { config, project, plugins, ...nowhere };
  return { kernel, configuration, close: async () => undefined };
}
