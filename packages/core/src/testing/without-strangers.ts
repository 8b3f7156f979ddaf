import type { ErrorCode } from '../model/error-code.js';

/**
 * A code as it is when only a part of its plugin is loaded: without suggestions of the plugin's own that are not
 * there. The kernel would refuse them, and rightly so for a whole plugin.
 */
export function withoutStrangers(code: ErrorCode, plugin: string, loaded: readonly string[] = []): ErrorCode {
  const isThere = (action: string) => !action.startsWith(`${plugin}.`) || loaded.includes(action);
  return { ...code, suggestedActions: code.suggestedActions.filter(isThere) };
}
