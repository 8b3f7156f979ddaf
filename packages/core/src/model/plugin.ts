import type * as z from 'zod';
import type { Circuits } from '../circuit/circuits.js';
import type { ArgusConfig } from '../config/schema.js';
import type { Runtime } from '../environment/runtime.js';
import type { EventBus } from '../events/event-bus.js';
import type { Hooks } from '../hooks/hooks.js';
import type { Redactor } from '../redact/redactor.js';
import type { ReadonlyRegistry } from '../registry/registry.js';
import type { StateStore } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import type { Random } from '../time/random.js';
import { coreMark } from './core-mark.js';
import type { Project } from './project.js';

/** What a plugin is given when it is applied. */
export interface PluginContext {
  /** Where it registers and observes. */
  readonly hooks: Hooks;
  readonly project: Project;
  /** The whole validated configuration, for settings that are not the plugin's own. */
  readonly config: ArgusConfig;
  /** The runtimes of all plugins; complete once every plugin was applied. */
  readonly runtimes: ReadonlyRegistry<Runtime>;
  readonly circuits: Circuits;
  readonly store: StateStore;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly random: Random;
  /** Removes secrets. What a plugin hands over has them removed anyway; what it shortens it has to give to this first. */
  readonly redactor: Redactor;
  /** The variables that argus was started with. Whoever opens a project in code may give others than those of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the plugin's options stand in the configuration, for problems that they cause: `plugins[2][1]`. */
  readonly optionsKey?: string | undefined;
}

/** A plugin: a name, the schema of its options, and what it registers. */
export interface Plugin<Options extends z.ZodType = z.ZodType> {
  /** In kebab case. Everything the plugin registers is called `<name>.<something>`. */
  readonly name: string;
  /** The plugin's own version, for people. */
  readonly version?: string;
  /** The schema of its options. Without it the plugin takes none. */
  readonly options?: Options;
  /** Registers with the hooks. It runs once, before anything is checked, and does no work of its own. */
  apply(context: PluginContext, options: z.output<Options>): void;
}

/** Declares a plugin, and marks it as made by this release of core: another major of it refuses to load the plugin. */
export function definePlugin<Options extends z.ZodType>(plugin: Plugin<Options>): Plugin<Options> {
  return Object.freeze({ ...plugin, ...coreMark });
}

/** A plugin that is ready to be applied: found, its options parsed. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  /** The options as its schema gave them back. */
  readonly options: unknown;
  /** Where it came from: a package name, a path, `built-in`, `core`, or `code`. */
  readonly source: string;
  /** The file that it was loaded from, if from one of its own. */
  readonly file?: string;
  /** Where its options stand in the configuration. */
  readonly optionsKey?: string;
}

/** Whether a plugin is a part of argus, as opposed to one of the project or of third parties. */
export function isBundled({ source }: Pick<LoadedPlugin, 'source'>): boolean {
  return source === 'core' || source === 'built-in';
}
