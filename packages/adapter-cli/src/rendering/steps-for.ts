import type { Kernel, StructuredError } from '@argusai/core';
import { suggestedCommands } from './suggested-commands.js';

/** What to do about a problem, best first: what to type or, where no command helps, what its code advises. */
export function stepsFor(
  kernel: Kernel,
  error: Pick<StructuredError, 'code' | 'suggestedActions' | 'details'>,
  check?: string,
): string[] {
  const commands = suggestedCommands(kernel, error, check);
  return commands.length > 0 ? commands : [adviceFor(kernel, error.code)];
}

/** What a code advises people to do; where it advises nothing, what tells more about it. */
export function adviceFor({ errorCodes }: Pick<Kernel, 'errorCodes'>, code: string): string {
  return errorCodes.get(code)?.remedy ?? `argus explain ${code}`;
}
