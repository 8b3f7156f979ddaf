import type { SyncHook } from 'tapable';
import { changesToGlobals, reasonToRefuse, rememberGlobals } from '../config/intact-globals.js';
import type { Hooks } from '../hooks/hooks.js';
import { noteOwner, ownerOfTap } from '../hooks/tap-owner.js';
import { ArgusError, isArgusError } from '../model/argus-error.js';
import { pluginInvalid } from '../model/core-error-codes.js';
import { messageOf } from '../model/message-of.js';
import { isBundled, type LoadedPlugin, type PluginContext } from '../model/plugin.js';
import type { Registries } from '../registry/registries.js';
import type { Registrar, Registry } from '../registry/registry.js';

/** Which hooks each plugin has tapped, by the name of the plugin. */
export type Taps = ReadonlyMap<string, ReadonlySet<string>>;

/** Applies each plugin, lets all of them register, and closes the hooks and registries for good. */
export function applyPlugins(
  plugins: readonly LoadedPlugin[],
  context: Omit<PluginContext, 'optionsKey'>,
  registries: Registries,
): Taps {
  const tapping = observeTaps(context.hooks);
  const names = new Set<string>();
  const thirdParty = new Set(plugins.filter((one) => !isBundled(one)).map(({ plugin }) => plugin.name));
  const blaming = blamer(thirdParty);
  for (const { plugin, options, optionsKey } of plugins) {
    tapping.by(plugin.name);
    blaming(plugin.name, () => {
      // What each of them registers could not be told apart.
      if (names.has(plugin.name))
        throw new Error(
          plugin.name === 'core'
            ? 'core is the name of argus itself'
            : 'another plugin has that name already',
        );
      names.add(plugin.name);
      if (!pluginName.test(plugin.name))
        throw new Error('its name is not in kebab case, such as licence-server');
      const returned: unknown = plugin.apply({ ...context, optionsKey }, options);
      // Nobody would wait for it, and what it throws would be lost.
      if (isPromise(returned)) {
        returned.then(undefined, () => undefined);
        throw new Error('its apply is asynchronous; it may only register');
      }
    });
  }
  register(context.hooks.errorCodes, registries.errorCodes, blaming);
  register(context.hooks.checkers, registries.checkers, blaming);
  register(context.hooks.recoverers, registries.recoverers, blaming);
  register(context.hooks.operations, registries.operations, blaming);
  register(context.hooks.runtimes, registries.runtimes, blaming);
  tapping.close();
  return tapping.taps;
}

const pluginName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Lets every tap of a registration hook add its items, each in the name of the plugin that tapped. The taps are called one
 * by one: that says who is at fault, and tapable need not write a function for a hook that is called once.
 */
function register<Item>(hook: SyncHook<[Registrar<Item>]>, registry: Registry<Item>, blaming: Blaming): void {
  for (const tap of hook.taps) {
    const owner = ownerOfTap(tap);
    registry.addingFor(owner);
    blaming(owner, () => tap.fn(registry));
  }
  registry.freeze();
}

/** Watches which plugin taps what. */
interface Tapping {
  readonly taps: Taps;
  by(plugin: string): void;
  close(): void;
}

function observeTaps(hooks: Hooks): Tapping {
  const taps = new Map<string, Set<string>>();
  let owner = 'core';
  let closed = false;
  for (const [name, hook] of Object.entries(hooks)) {
    hook.intercept({
      register: (tap: { name: string }) => {
        if (closed) throw invalid(tap.name, `taps the hook ${name} after the kernel was assembled`);
        noteOwner(tap, owner);
        taps.set(owner, (taps.get(owner) ?? new Set()).add(name));
        return tap;
      },
    } as never);
  }
  return {
    taps,
    by: (plugin) => {
      owner = plugin;
    },
    close: () => {
      closed = true;
    },
  };
}

/** Runs a plugin's code; whatever it throws becomes an error that names the plugin. */
type Blaming = (plugin: string, run: () => void) => void;

/** What others wrote may besides change nothing that everybody uses. */
function blamer(thirdParty: ReadonlySet<string>): Blaming {
  if (thirdParty.size > 0) rememberGlobals();
  return (plugin, run) => {
    try {
      run();
      const reason = thirdParty.has(plugin) ? reasonToRefuse() : undefined;
      if (reason !== undefined) throw invalid(plugin, reason);
    } catch (thrown) {
      changesToGlobals();
      if (isArgusError(thrown) && thrown.code === pluginInvalid.code) throw thrown;
      throw invalid(plugin, messageOf(thrown), thrown);
    }
  };
}

function invalid(plugin: string, problem: string, cause?: unknown): ArgusError {
  return new ArgusError(pluginInvalid, {
    message: `Plugin ${plugin}: ${problem}`,
    details: { plugin, problems: [problem] },
    ...(cause === undefined ? {} : { cause }),
  });
}
