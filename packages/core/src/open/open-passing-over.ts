import { dirname } from 'node:path';
import { nowhere } from '../config/config-origin.js';
import { projectFolder, realFolder } from '../config/real-folder.js';
import { resolvePlugins } from '../config/resolve-plugins.js';
import { defaultConfig } from '../config/schema.js';
import { createKernel } from '../kernel/create-kernel.js';
import type { StructuredError } from '../model/error-code.js';
import type { LoadedPlugin } from '../model/plugin.js';
import { property } from '../model/property.js';
import { corePlugin } from '../operations/core-plugin.js';
import type { OpenOptions, OpenProject } from './open-argus.js';
import { openError } from './open-error.js';
import { readWhatCan, secretsOf } from './read-what-can.js';

/**
 * Opens a folder whose configuration cannot be used, for what helps to mend it: to learn what a code means or what is allowed must
 * not need what is broken. It has the plugins that come along and those of the configuration that can be loaded, and
 * remembers nothing.
 */
export async function openPassingOver(options: OpenOptions, thrown: unknown): Promise<OpenProject> {
  const { cwd, builtins, env, onSecrets } = options;
  const problem = openError(thrown, env);
  const written = await readWhatCan(options, problem);
  const fileDir = written.file === null ? realFolder(cwd) : dirname(written.file);
  const dir = projectFolder(options, written.file);
  const places = { dir, fileDir, builtins, env };
  const { plugins: own } = await resolvePlugins(undefined, places);
  const theirs = await loadable(property(written.data, 'plugins'), places);
  const open = (plugins: LoadedPlugin[]) => {
    const config = defaultConfig();
    const project = { name: '', dir };
    const kernel = createKernel({
      project,
      config,
      env,
      plugins: [{ plugin: corePlugin, options: {}, source: 'core' }, ...plugins],
      secretsFrom: secretsOf(written),
      configProblem: passedOver(problem),
      ...(onSecrets === undefined ? {} : { onSecrets }),
    });
    return { kernel, configuration: { config, project, plugins, ...nowhere }, close: async () => undefined };
  };
  try {
    return open(unique([...theirs, ...own]));
  } catch {
    // One of them may be the very mistake that is told.
    return open(own);
  }
}

/** The plugins that a configuration names, as far as they can be loaded: also those whose options are what is wrong. */
async function loadable(
  entries: unknown,
  places: Parameters<typeof resolvePlugins>[1],
): Promise<LoadedPlugin[]> {
  if (!Array.isArray(entries)) return [];
  const loaded = await Promise.all(
    entries.map(async (entry: unknown) => {
      try {
        const { plugins } = await resolvePlugins([entry], places);
        if (plugins.length > 0 || !Array.isArray(entry)) return plugins;
        return (await resolvePlugins([entry[0]], places)).plugins;
      } catch {
        // Others could have put it there, which is what is told.
        return [];
      }
    }),
  );
  return loaded.flat();
}

function unique(plugins: readonly LoadedPlugin[]): LoadedPlugin[] {
  return [...new Map([...plugins].reverse().map((one) => [one.plugin.name, one])).values()].reverse();
}

function passedOver(problem: StructuredError): StructuredError {
  return { ...problem, message: `The configuration was passed over: ${problem.message}` };
}
