import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ConfigWithoutCode, configWithoutCode } from '../config/config-without-code.js';
import type { Builtins } from '../config/find-plugin.js';
import { type LoadedConfig, loadConfig } from '../config/load-config.js';
import { turnProcesses } from '../environment/ownership/turn-processes.js';
import { createKernel } from '../kernel/create-kernel.js';
import type { Kernel } from '../kernel/kernel.js';
import { isArgusError, thrownAs } from '../model/argus-error.js';
import { corePlugin } from '../operations/core-plugin.js';
import type { StateStore } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import { closeKernel } from './close-kernel.js';
import { openError } from './open-error.js';
import { stateDir } from './state-dir.js';

/** What an adapter says about where it runs and what it brings along. */
export interface OpenOptions {
  /** The folder to start looking for the configuration in. */
  readonly cwd: string;
  /** The configuration file, when it is named. */
  readonly file?: string;
  /** The project's folder, when it is named beside the file; else it is that of the configuration. */
  readonly dir?: string;
  /** The plugins that run when the configuration names none. */
  readonly builtins: Builtins;
  /** Opens the state store in a folder; nothing is touched before it is used. */
  readonly openStore: (dir: string) => StateStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Is told the secrets of the environment, the configuration and the options of its plugins, before any plugin is applied. */
  readonly onSecrets?: (secrets: readonly string[]) => void;
  /** Starts the program again as a background guardian of a run; without it there are none. */
  readonly launchGuardian?: (request: GuardianRequest) => Promise<void>;
}

/** What a background guardian is started with. */
export interface GuardianRequest {
  readonly runId: string;
  /** The folder of the project. */
  readonly dir: string;
  /** The configuration file, or null when there is none. */
  readonly file: string | null;
  /** Where it writes what goes wrong. */
  readonly log: string;
}

/** A project that is ready to be worked on. */
export interface OpenProject {
  readonly kernel: Kernel;
  readonly configuration: LoadedConfig;
  /** Gives back what others wait for, and releases the store. */
  close(): Promise<void>;
}

/** Loads the configuration, resolves its plugins, and assembles the kernel with the state of this machine. */
export async function openArgus(options: OpenOptions): Promise<OpenProject> {
  return assemble(await loadConfig(options), options);
}

/** Opens a project as far as that runs nothing that lies in it: for help, completion and lists of what there is. */
export async function openWithoutCode(
  options: OpenOptions,
): Promise<OpenProject & Pick<ConfigWithoutCode, 'notRun'>> {
  const configuration = await configWithoutCode(options);
  return { ...(await assemble(configuration, options)), notRun: configuration.notRun };
}

async function assemble(configuration: LoadedConfig, options: OpenOptions): Promise<OpenProject> {
  const { openStore, env, clock, onSecrets, launchGuardian } = options;
  const { config, project, plugins } = configuration;
  const state = stateDir(config, project, env);
  const store = openStore(state);
  const launch = async (runId: string) => {
    // One for each folder, so that there are never more of them than projects.
    const folder = createHash('sha256').update(project.dir).digest('hex').slice(0, 12);
    const log = join(state, `guardian-${folder}.log`);
    await launchGuardian?.({ runId, dir: project.dir, file: configuration.file, log });
    return { log };
  };
  const core = { plugin: corePlugin, options: {}, source: 'core' };
  try {
    const kernel = createKernel({
      project,
      config,
      origin: configuration,
      plugins: [core, ...plugins],
      store,
      env,
      processes: turnProcesses,
      ...(clock === undefined ? {} : { clock }),
      ...(onSecrets === undefined ? {} : { onSecrets }),
      ...(launchGuardian === undefined ? {} : { launchGuardian: launch }),
    });
    return { kernel, configuration, close: () => closeKernel(kernel) };
  } catch (thrown) {
    await store.close();
    // There is no kernel to remove secrets, and a plugin may have thrown its own options or what else it was given.
    const secretsFrom = { env, config, options: plugins.map((plugin) => plugin.options) };
    // What a plugin has thrown lies below our own error, which says no more than the new one.
    const cause = isArgusError(thrown) ? thrown.cause : thrown;
    throw thrownAs(openError(thrown, secretsFrom), { cause });
  }
}
