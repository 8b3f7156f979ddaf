import { helpsAfterwards, type Kernel, remedyOf, type StructuredError } from '@argusai/core';
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
  const advice = remedyOf(kernel.errorCodes.get(error.code), error.details);
  if (commands.length === 0) return [advice ?? `argus explain ${error.code}`];
  const afterwards = helpsAfterwards(error.code).map((name) => kernel.operations.get(name)?.alias ?? name);
  const again = [...afterwards, command].map((one) => `argus ${one}`);
  // To reset a circuit means to try again as well.
  const helps = commands.some((one) => !again.includes(one) && !one.startsWith('argus reset-circuit '));
  return helps || advice === undefined ? commands : [advice, ...commands];
}
