import { sep } from 'node:path';
import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import {
  coreOperations,
  folderToAgreeTo,
  init,
  isArgusError,
  type Kernel,
  openFolder,
  recordedCommands,
} from '@argusai/core';
import { takeCommand } from './command-line/command.js';
import type { GlobalOptions } from './command-line/global-options.js';
import { usageError } from './command-line/usage-error.js';
import type { Io } from './io.js';
import { openKnown } from './open-project.js';

/** What can be told of commands without running anything that lies in the project. */
export interface Known {
  readonly kernel: Kernel;
  /** What may bring more, and was not asked: a configuration that is a program, or plugins of the project. */
  readonly notRun: readonly string[];
  /** The names of the commands that it brought when a person last ran argus there. */
  readonly remembered: readonly string[];
  /** Why it is only what comes along. */
  readonly broken?: { readonly thrown: unknown };
}

/** What is known of commands here. A project that cannot be read only costs what it says. */
export async function knownWithoutCode(io: Io, options: GlobalOptions): Promise<Known> {
  try {
    const { kernel, configuration, notRun, close } = await openKnown(io, options);
    await close();
    const remembered = notRun.length > 0 ? recordedCommands(folderToAgreeTo(configuration), io.env) : [];
    return { kernel, notRun, remembered };
  } catch (thrown) {
    const { kernel } = await openFolder({ cwd: sep, builtins: builtinPlugins, env: io.env });
    return { kernel, notRun: [], remembered: [], broken: { thrown } };
  }
}

/**
 * Refuses a name that is no command of what comes along, before anything of the project is run for it: it may be a slip. Only what its
 * plugins brought when a person last ran argus there is a command too.
 */
export async function requireCommand(
  words: readonly string[],
  io: Io,
  options: GlobalOptions,
): Promise<void> {
  const [first = ''] = words;
  if (coreOperations.some(({ name, alias }) => name === first || alias === first)) return;
  const known = await knownWithoutCode(io, options);
  try {
    takeCommand({ operations: withRemembered(known) }, words);
  } catch (thrown) {
    throw notAsked(known, thrown);
  }
}

/** What comes along and what is remembered: of that nothing but its names is known, so something else stands in for it. */
function withRemembered({ kernel: { operations }, remembered }: Known): Kernel['operations'] {
  const standIns = remembered.filter((name) => !operations.has(name)).map((name) => ({ ...init, name }));
  const all = [...operations.values(), ...standIns];
  const get = (name: string) => all.find((one) => one.name === name);
  return {
    get,
    has: (name) => get(name) !== undefined,
    ownerOf: (name) => operations.ownerOf(name),
    values: () => all,
    names: () => all.map(({ name }) => name),
  };
}

/**
 * The error of a name that is no known command. Only the project could know whether one of its plugins brings it; one that is nearly that
 * of another command is most likely a slip.
 */
export function notAsked({ notRun, broken }: Pick<Known, 'notRun' | 'broken'>, thrown: unknown): unknown {
  const { reason, suggestion, word } = isArgusError(thrown) ? thrown.error.details : {};
  if (reason !== 'no-command' || suggestion !== undefined) return thrown;
  if (broken) return broken.thrown;
  if (notRun.length === 0) return thrown;
  const message = `There is no command ${word} that comes along; ${notRun.join(', ')} may bring it, and nothing of a project is run to find out`;
  return usageError(message, { word: String(word), notRun: [...notRun], reason: 'not-run' });
}
