import type { ErrorCode } from './error-code.js';

/** A code whose occurrence suggests something else first, such as what was found to help. */
export function suggesting<Code extends Pick<ErrorCode, 'suggestedActions'>>(
  code: Code,
  actions: readonly string[],
): Code {
  return { ...code, suggestedActions: [...new Set([...actions, ...code.suggestedActions])] };
}
