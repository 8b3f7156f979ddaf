import type { Kernel, StructuredError } from '@argusai/core';
import { suggestedCommands } from './suggested-commands.js';

/** Where a problem is told. */
interface Place {
  /** The check that found it. */
  readonly check?: string | undefined;
  /** The command that it ended, as people type it. */
  readonly command?: string | undefined;
  /** The command that found it and did not fail, as people type it: given again it would find the same. */
  readonly foundBy?: string | undefined;
}

/** What only shows how things are. */
const looking = ['argus check', 'argus status', 'argus config', 'argus plugins', 'argus schema'];

/**
 * What to do about a problem, best first. A command that only looks again, or does the same again, helps when something
 * else was done before; what that is, the code advises.
 */
export function stepsFor(
  kernel: Kernel,
  error: Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>,
  { check, command, foundBy }: Place = {},
): string[] {
  const commands = suggestedCommands(kernel, error, check).filter((one) => one !== `argus ${foundBy}`);
  const advice = remedyFor(error) ?? kernel.errorCodes.get(error.code)?.remedy;
  if (commands.length === 0) return [advice ?? `argus explain ${error.code}`];
  const again = [...looking, `argus ${command}`];
  // To reset a circuit means to try again as well.
  const helps = commands.some((one) => !again.includes(one) && !one.startsWith('argus reset-circuit '));
  return helps || advice === undefined ? commands : [advice, ...commands];
}

/** What helps against this very occurrence, where the remedy of its code is for others: nothing on the disk is to blame for a newer store. */
function remedyFor({ code, details }: Pick<StructuredError, 'code' | 'details'>): string | undefined {
  if (code !== 'STORE_UNAVAILABLE' || details.reason !== 'newer-schema') return undefined;
  return 'Update argus, or name another folder in ARGUS_STATE_DIR; that one knows nothing of what is up.';
}
