import { usePlugin } from '../config/plugin-options.js';
import { type ArgusConfig, configSchema } from '../config/schema.js';
import { createKernel, type KernelSetup } from '../kernel/create-kernel.js';
import type { Kernel } from '../kernel/kernel.js';
import { type Checker, defineChecker } from '../model/checker.js';
import type { ErrorCode } from '../model/error-code.js';
import type { Operation } from '../model/operation.js';
import { definePlugin, type LoadedPlugin, type Plugin } from '../model/plugin.js';
import type { Recoverer } from '../model/recoverer.js';
import { corePlugin } from '../operations/core-plugin.js';
import type { Registrar } from '../registry/registry.js';

/** What a plugin made for a test registers. */
export interface Registrations {
  readonly codes?: readonly ErrorCode[];
  readonly checkers?: readonly Checker[];
  readonly recoverers?: readonly Recoverer[];
  readonly operations?: readonly Operation[];
}

/** What a kernel for a test is made of. */
export interface TestKernel extends Omit<KernelSetup, 'project' | 'plugins' | 'config'> {
  /** Plugins as they are, or with options. */
  readonly plugins?: readonly (Plugin | readonly [Plugin, unknown] | LoadedPlugin)[];
  /** The configuration as a user would write it. */
  readonly config?: Record<string, unknown>;
  /** The folder of the project: the current one when left out. */
  readonly dir?: string;
}

/** Makes a plugin that only registers. */
export function registering(name: string, registrations: Registrations): Plugin {
  const { codes = [], checkers = [], recoverers = [], operations = [] } = registrations;
  return definePlugin({
    name,
    apply({ hooks }) {
      hooks.errorCodes.tap(name, addAll(codes));
      hooks.checkers.tap(name, addAll(checkers));
      hooks.recoverers.tap(name, addAll(recoverers));
      hooks.operations.tap(name, addAll(operations));
    },
  });
}

function addAll<Item>(items: readonly Item[]): (registry: Registrar<Item>) => void {
  return (registry) => {
    for (const item of items) registry.add(item);
  };
}

/** Makes a checker from its name and what it does. */
export function checking(name: string, check: Checker['check'], rest: Partial<Checker> = {}): Checker {
  return defineChecker({ name, check, ...rest });
}

/** Makes a kernel with the given plugins and core's own operations. */
export function buildKernel(setup: TestKernel = {}): Kernel {
  const { plugins = [], config, dir = process.cwd(), ...rest } = setup;
  const parsed: { config?: ArgusConfig } = config === undefined ? {} : { config: configSchema.parse(config) };
  return createKernel({
    project: { name: 'test', dir },
    plugins: [usePlugin(corePlugin, {}, 'core'), ...plugins.map(toLoaded)],
    ...parsed,
    ...rest,
  });
}

function toLoaded(entry: Plugin | readonly [Plugin, unknown] | LoadedPlugin): LoadedPlugin {
  if ('plugin' in entry) return entry;
  return 'apply' in entry ? usePlugin(entry) : usePlugin(entry[0], entry[1]);
}
