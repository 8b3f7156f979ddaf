import { nowhere } from '../config/config-origin.js';
import { projectName } from '../config/project-name.js';
import { projectFolder } from '../config/real-folder.js';
import { resolvePlugins } from '../config/resolve-plugins.js';
import { defaultConfig } from '../config/schema.js';
import { turnProcesses } from '../environment/ownership/turn-processes.js';
import { runsIn } from '../environment/runs/runs.js';
import { createKernel } from '../kernel/create-kernel.js';
import { thrownAs } from '../model/argus-error.js';
import { property } from '../model/property.js';
import { corePlugin } from '../operations/core-plugin.js';
import type { StateStore } from '../state/state-store.js';
import { closeKernel } from './close-kernel.js';
import type { OpenOptions, OpenProject } from './open-argus.js';
import { openError } from './open-error.js';
import { readWhatCan, secretsOf, type Written } from './read-what-can.js';
import { stateDir } from './state-dir.js';

/**
 * Opens a folder whose configuration cannot be used, with what is recorded of it: nobody may be locked out of what runs because of
 * a mistake in a file. Which project it is says the file, as far as it can be read, or else the records of this very folder. Where
 * nothing is recorded, what is wrong with the configuration is thrown.
 */
export async function openRecorded(options: OpenOptions, thrown: unknown): Promise<OpenProject> {
  const { builtins, openStore, env, clock, onSecrets } = options;
  const problem = openError(thrown, env);
  const written = await readWhatCan(options, problem);
  const dir = projectFolder(options, written.file);
  const given = property(property(written.data, 'state'), 'dir');
  const base = { ...defaultConfig(), ...(typeof given === 'string' ? { state: { dir: given } } : {}) };
  const store = openStore(stateDir(base, { name: '', dir }, env));
  try {
    const name = await projectOf(store, dir, written);
    if (name === undefined) throw thrownAs(problem, { cause: property(thrown, 'cause') });
    const project = { name, dir };
    // Its own plugins may be the mistake. Those that come along bring every runtime that has no other owner.
    const { plugins } = await resolvePlugins(undefined, { dir, builtins });
    const kernel = createKernel({
      project,
      config: base,
      env,
      store,
      processes: turnProcesses,
      configProblem: problem,
      plugins: [{ plugin: corePlugin, options: {}, source: 'core' }, ...plugins],
      secretsFrom: secretsOf(written),
      ...(clock === undefined ? {} : { clock }),
      ...(onSecrets === undefined ? {} : { onSecrets }),
    });
    const configuration = { config: base, project, plugins, ...nowhere };
    return { kernel, configuration, close: () => closeKernel(kernel) };
  } catch (failure) {
    await store.close();
    throw failure;
  }
}

/**
 * The name of the project: as it is written, if something of it can be shown; else the only one that was set up here. Of several
 * none is chosen: an empty name is nobody's.
 */
async function projectOf(store: StateStore, dir: string, { data }: Written): Promise<string | undefined> {
  const runs = await runsIn(store, dir).catch(() => []);
  const names = [...new Set(runs.map(({ project }) => project))];
  const hasLost = ((await store.formerIds?.().catch(() => [])) ?? []).length > 0;
  if (data !== undefined && (names.length > 0 || hasLost)) {
    const given = property(property(data, 'project'), 'name');
    if (typeof given === 'string' && given !== '') return given;
    if (given === undefined) return projectName(dir);
  }
  return names.length > 1 ? '' : names[0];
}
