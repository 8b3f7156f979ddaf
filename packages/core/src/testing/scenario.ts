import type { Json } from '../model/json.js';
import type { Plugin } from '../model/plugin.js';
import type { TestKernel } from './build-kernel.js';

/** How the thing under test is loaded. */
export interface Loading extends Pick<TestKernel, 'plugins' | 'config' | 'dir' | 'env' | 'store'> {
  /** The plugin's options, as a user would write them. */
  readonly options?: unknown;
}

/** A state of the world in which the rules are tried. It is brought about anew for every rule. */
export interface Scenario {
  /** What is the matter: `a server that never answers`. */
  readonly name: string;
  /** Brings it about. What it returns is added to how the plugin is loaded: the port of a server, a folder. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to add.
  prepare?(): Loading | void | Promise<Loading | void>;
  /** Takes everything away again, also after a broken rule. */
  cleanup?(): void | Promise<void>;
  /**
   * What the world is like now, for comparing: the files of a folder, a list of containers. It lets the suite see
   * changes that no checker reports.
   */
  observe?(): Json | Promise<Json>;
  /** The recoverer that must be able to repair it. The rules for recoverers are tried only where there is one. */
  readonly repairedBy?: string;
}

/** What a suite needs besides the thing under test. */
export interface Suite extends Loading {
  /** States of the world to bring about. The world as it is comes first in any case. */
  readonly scenarios?: readonly Scenario[];
  /** How soon something must end that was told to stop, in milliseconds: 2000 unless said otherwise. */
  readonly patienceMs?: number;
}

/** A plugin with what its suite needs. */
export interface Subject {
  readonly plugin: Plugin;
  readonly suite: Suite;
}

/** The world as it is, with nothing brought about. */
export const asThingsAre: Scenario = { name: 'as things are' };
