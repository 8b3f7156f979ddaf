import type { TurnProcesses } from '../circuit/circuit.js';
import { createCircuits } from '../circuit/circuits.js';
import { type ConfigOrigin, nowhere } from '../config/config-origin.js';
import { type ArgusConfig, defaultConfig } from '../config/schema.js';
import { EventBus } from '../events/event-bus.js';
import { createHooks } from '../hooks/hooks.js';
import { adapterErrorCodes } from '../model/adapter-error-codes.js';
import { coreErrorCodes } from '../model/core-error-codes.js';
import { environmentErrorCodes } from '../model/environment-error-codes.js';
import type { StructuredError } from '../model/error-code.js';
import type { Json } from '../model/json.js';
import type { LoadedPlugin } from '../model/plugin.js';
import type { Project } from '../model/project.js';
import { collectNames } from '../redact/collect-names.js';
import { collectSecrets } from '../redact/collect-secrets.js';
import { eventsWithoutKeys } from '../redact/events-without-keys.js';
import { createRedactor } from '../redact/redactor.js';
import { createRegistries } from '../registry/registries.js';
import { createMemoryStore } from '../state/memory-store.js';
import type { StateStore } from '../state/state-store.js';
import { type Clock, systemClock } from '../time/clock.js';
import { type Random, systemRandom } from '../time/random.js';
import { applyPlugins } from './apply-plugins.js';
import { fitnessOf } from './fitness.js';
import type { Kernel, LaunchGuardian } from './kernel.js';
import { validateReferences } from './validate-references.js';

/** What a kernel is made of. Everything but the project has a default. */
export interface KernelSetup {
  readonly project: Project;
  readonly plugins?: readonly LoadedPlugin[];
  readonly config?: ArgusConfig;
  /** Where the configuration comes from; without it, from nowhere but its defaults. */
  readonly origin?: ConfigOrigin;
  readonly store?: StateStore;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly launchGuardian?: LaunchGuardian;
  /** How circuits that processes share tell whether one of those still lives; without it, only time does. */
  readonly processes?: TurnProcesses;
  /** Why the configuration cannot be used, where the kernel was made without it. */
  readonly configProblem?: StructuredError;
  /** What else has secrets in it, such as a configuration that cannot be used. */
  readonly secretsFrom?: unknown;
  /** Is told all secrets that are known, before any plugin is applied: for whoever tells of what slips past the kernel. */
  readonly onSecrets?: (secrets: readonly string[]) => void;
  /** The variables that argus was started with. Without it plugins see those of this process, and no secrets among them are known. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Applies each plugin, lets it register, validates the whole set, and freezes it. */
export function createKernel(setup: KernelSetup): Kernel {
  const { project, plugins = [], config = defaultConfig(), origin = nowhere } = setup;
  const { clock = systemClock, random = systemRandom, env = {} } = setup;
  const store = setup.store ?? createMemoryStore({ clock });

  const options = plugins.map((plugin) => plugin.options);
  const secrets = collectSecrets({ env, config, options, more: setup.secretsFrom });
  setup.onSecrets?.(secrets);
  const redactor = createRedactor({ secrets, names: collectNames({ config, project }) });
  const withoutKeys = eventsWithoutKeys();
  const events = new EventBus(
    clock,
    (event) => redactor.redact(withoutKeys(event) as unknown as Json) as never,
  );
  const circuits = createCircuits({
    store,
    clock,
    events,
    random,
    config: config.resilience.circuitBreaker,
    redactor,
    processes: setup.processes,
  });

  const hooks = createHooks();
  const registries = createRegistries();
  for (const code of [...coreErrorCodes, ...adapterErrorCodes, ...environmentErrorCodes])
    registries.errorCodes.add(code);
  const { runtimes } = registries;
  const context = {
    hooks,
    project,
    config,
    runtimes,
    circuits,
    store,
    events,
    clock,
    random,
    redactor,
    env: setup.env ?? process.env,
  };
  const taps = applyPlugins(plugins, context, registries);
  validateReferences(registries);

  return Object.freeze({
    project,
    config,
    origin,
    plugins,
    taps,
    hooks,
    circuits,
    store,
    events,
    clock,
    random,
    redactor,
    ...registries,
    fitness: () => fitnessOf({ config, plugins, env }),
    ...(setup.launchGuardian === undefined ? {} : { launchGuardian: setup.launchGuardian }),
    ...(setup.configProblem === undefined ? {} : { configProblem: setup.configProblem }),
  });
}
