import { dirname } from 'node:path';
import type { LoadedPlugin } from '../model/plugin.js';
import type { Project } from '../model/project.js';
import { property } from '../model/property.js';
import { type ConfigOrigin, nowhere } from './config-origin.js';
import { findConfig } from './find-config.js';
import { configError } from './problem.js';
import { projectName } from './project-name.js';
import { type ReadConfig, readTrusted } from './read-config.js';
import { projectFolder, realFolder } from './real-folder.js';
import { type Builtins, resolvePlugins } from './resolve-plugins.js';
import { type ArgusConfig, configSchema } from './schema.js';
import { unreadablePlaces } from './unreadable-places.js';
import { validate } from './validate.js';

/** Where to look for a configuration and what comes along. */
export interface LoadConfigOptions {
  /** The folder to begin in. */
  readonly cwd: string;
  /** The file to take instead of searching, relative to that folder. */
  readonly file?: string;
  /** The project's folder, where it is not that of the configuration file: one file can serve several worktrees. */
  readonly dir?: string;
  /** The plugins that come along, by package name. */
  readonly builtins: Builtins;
  /** Says what is trusted beside what is one's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A configuration that is ready to be used. */
export interface LoadedConfig extends ConfigOrigin {
  readonly config: ArgusConfig;
  readonly project: Project;
  readonly plugins: LoadedPlugin[];
}

const nothing: ReadConfig = { data: {}, findLine: nowhere.findLine };

/** Finds the configuration, validates it and loads its plugins; tells everything that is wrong at once. */
export async function loadConfig({
  cwd,
  file,
  builtins,
  env = {},
  ...named
}: LoadConfigOptions): Promise<LoadedConfig> {
  const found = await findConfig({ cwd, file });
  const { data, findLine } = found ? await readTrusted(found, env) : nothing;
  const dir = projectFolder({ cwd, ...named }, found?.file ?? null);
  const fileDir = found ? dirname(found.file) : realFolder(cwd);

  // Options of plugins may be anything that code can make.
  const unreadable = unreadablePlaces(data, 'plugins');
  if (unreadable.length > 0) throw configError(found?.file ?? null, unreadable, await findLine());
  const { value: config, problems } = validate(configSchema, data);
  const resolved = await resolvePlugins(property(data, 'plugins'), { dir, fileDir, builtins, env });
  const all = [...problems, ...resolved.problems];
  if (config === undefined || all.length > 0) {
    throw configError(found?.file ?? null, all, await findLine());
  }

  const name = config.project.name ?? projectName(dir);
  const { passedOver = [] } = found ?? {};
  const origin = { file: found?.file ?? null, passedOver, raw: data, findLine };
  return { config, project: { name, dir }, plugins: resolved.plugins, ...origin };
}
