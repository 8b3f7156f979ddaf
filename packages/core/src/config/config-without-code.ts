import { basename, dirname } from 'node:path';
import type { Json } from '../model/json.js';
import { property } from '../model/property.js';
import { nowhere } from './config-origin.js';
import { type FoundConfig, findConfig } from './find-config.js';
import type { LoadConfigOptions, LoadedConfig } from './load-config.js';
import { configError } from './problem.js';
import { projectName } from './project-name.js';
import { isCode, type ReadConfig, readTrusted } from './read-config.js';
import { projectFolder } from './real-folder.js';
import { resolvePlugins } from './resolve-plugins.js';
import { configSchema } from './schema.js';
import { validate } from './validate.js';

/** What a configuration says without any of its code being run. */
export interface ConfigWithoutCode extends LoadedConfig {
  /** What was left alone: the configuration that is a program, or the plugins that do not come along. */
  readonly notRun: readonly string[];
}

/**
 * Reads of a configuration what can be read without running anything that lies in the project: data, and of the plugins those that come
 * along, as they come along. A plugin of the project, also one that stands in for one of these, is named and not loaded.
 */
export async function configWithoutCode({
  cwd,
  file: named,
  builtins,
  env = {},
  ...rest
}: LoadConfigOptions): Promise<ConfigWithoutCode> {
  const found = await findConfig({ cwd, file: named });
  const file = found?.file ?? null;
  const dir = projectFolder({ cwd, ...rest }, file);
  const { data, findLine, notRun } = await dataOf(found, env);
  const { value: config, problems } = validate(configSchema, data);
  if (config === undefined || problems.length > 0) throw configError(file, problems, await findLine());
  const entries = property(data, 'plugins');
  const names = Array.isArray(entries) ? entries.map(nameOf) : Object.keys(builtins);
  const ours = Object.fromEntries(Object.entries(builtins).filter(([name]) => names.includes(name)));
  const { plugins } = await resolvePlugins(undefined, { dir, builtins: ours });
  const strange = names.filter((name) => !Object.hasOwn(builtins, name));
  const project = { name: config.project.name ?? projectName(dir), dir };
  return { config, project, plugins, file, raw: data, findLine, notRun: [...notRun, ...strange] };
}

async function dataOf(
  found: FoundConfig | null,
  env: NonNullable<LoadConfigOptions['env']>,
): Promise<ReadConfig & Pick<ConfigWithoutCode, 'notRun'>> {
  const nothing = { data: {} satisfies Json, findLine: nowhere.findLine };
  if (!found) return { ...nothing, notRun: [] };
  if (isCode(found.file)) return { ...nothing, notRun: [basename(found.file)] };
  return { ...(await readTrusted(found, env)), notRun: [] };
}

function nameOf(entry: unknown): string {
  return String(Array.isArray(entry) ? entry[0] : entry);
}

/** The folder whose owner has to agree before anything of a configuration is run. */
export function folderToAgreeTo({ file, project }: Pick<LoadedConfig, 'file' | 'project'>): string {
  return file === null ? project.dir : dirname(file);
}
