import type { Circuits } from '../circuit/circuits.js';
import type { ConfigOrigin } from '../config/config-origin.js';
import type { ArgusConfig } from '../config/schema.js';
import type { Runtime } from '../environment/runtime.js';
import type { EventBus } from '../events/event-bus.js';
import type { Hooks } from '../hooks/hooks.js';
import type { Checker } from '../model/checker.js';
import type { ErrorCode, StructuredError } from '../model/error-code.js';
import type { Operation } from '../model/operation.js';
import type { LoadedPlugin } from '../model/plugin.js';
import type { Project } from '../model/project.js';
import type { Recoverer } from '../model/recoverer.js';
import type { Redactor } from '../redact/redactor.js';
import type { ReadonlyRegistry } from '../registry/registry.js';
import type { StateStore } from '../state/state-store.js';
import type { Clock } from '../time/clock.js';
import type { Random } from '../time/random.js';
import type { Taps } from './apply-plugins.js';

/** Starts a process that guards a run in the background, and does not wait for it. Gives where it writes its complaints. */
export type LaunchGuardian = (runId: string) => Promise<{ readonly log: string }>;

/** An assembled set of plugins, validated and frozen. Everything that runs is given one. */
export interface Kernel {
  readonly project: Project;
  readonly config: ArgusConfig;
  /** Where the configuration comes from. */
  readonly origin: ConfigOrigin;
  readonly plugins: readonly LoadedPlugin[];
  /** Which hooks each plugin has tapped. */
  readonly taps: Taps;
  readonly hooks: Hooks;
  readonly errorCodes: ReadonlyRegistry<ErrorCode>;
  readonly checkers: ReadonlyRegistry<Checker>;
  readonly recoverers: ReadonlyRegistry<Recoverer>;
  readonly operations: ReadonlyRegistry<Operation>;
  readonly runtimes: ReadonlyRegistry<Runtime>;
  readonly circuits: Circuits;
  readonly store: StateStore;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly random: Random;
  /** Starts a process of its own that guards a run; missing where nobody has said how. */
  readonly launchGuardian?: LaunchGuardian;
  /** Why the configuration of this folder cannot be used: then only what is recorded is known. */
  readonly configProblem?: StructuredError;
  /** Names what a guardian with this kernel works by; another name means that it would guard differently. */
  fitness(): string;
  /** Removes secrets from whatever leaves the kernel. */
  readonly redactor: Redactor;
}
