import { sep } from 'node:path';
import { builtinPlugins } from '@argusai/adapter-mcp/builtin-plugins';
import {
  coreOperations,
  folderToAgreeTo,
  isAgreedTo,
  isArgusError,
  type Kernel,
  openFolder,
} from '@argusai/core';
import { takeCommand } from './command-line/command.js';
import { groupAlone } from './command-line/command-groups.js';
import type { GlobalOptions } from './command-line/global-options.js';
import { usageError } from './command-line/usage-error.js';
import type { Io } from './io.js';
import { openKnown } from './open-project.js';

/** What can be told of commands without running anything that lies in the project. */
export interface Known {
  readonly kernel: Kernel;
  /** What may bring more, and was not asked: a configuration that is a program, or plugins of the project. */
  readonly notRun: readonly string[];
  /** Whether a person has agreed that it is asked. */
  readonly isAgreed: boolean;
  /** Why it is only what comes along. */
  readonly broken?: { readonly thrown: unknown };
}

/** What is known of commands here. A project that cannot be read only costs what it says. */
export async function knownWithoutCode(io: Io, options: GlobalOptions): Promise<Known> {
  try {
    const { kernel, configuration, notRun, close } = await openKnown(io, options);
    await close();
    return { kernel, notRun, isAgreed: isAgreedTo(folderToAgreeTo(configuration), io.env) };
  } catch (thrown) {
    const { kernel } = await openFolder({ cwd: sep, builtins: builtinPlugins, env: io.env });
    return { kernel, notRun: [], isAgreed: false, broken: { thrown } };
  }
}

/**
 * Refuses a name that is no command of what comes along, before anything of the project is run for it: it may be a slip. Where a
 * person has agreed to that, the plugins of the project are asked.
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
    takeCommand(known.kernel, words);
  } catch (thrown) {
    // It may well be a command of a plugin, which only the project would know.
    if (known.broken) throw known.broken.thrown;
    if (known.notRun.length === 0 || groupAlone(known.kernel, words)) throw thrown;
    if (!known.isAgreed) throw notAsked(first, known, thrown);
  }
}

/** The error of a name that only the project could know. One that is nearly that of another command is most likely a slip. */
export function notAsked(name: string, { notRun }: Pick<Known, 'notRun'>, thrown: unknown): unknown {
  if (isArgusError(thrown) && thrown.error.details.suggestion !== undefined) return thrown;
  const message = `There is no command ${name} that comes along; ${notRun.join(', ')} may bring it, and nothing of a project is run to find out`;
  return usageError(message, { word: name, notRun: [...notRun], reason: 'not-run' });
}
