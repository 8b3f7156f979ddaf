import { collectSecrets, createRedactor } from '@argusai/core';

/** Where something was thrown, without the secrets of the environment that its message may quote. */
export function redactedStack(error: Error, env: Readonly<Record<string, string | undefined>>): string {
  return createRedactor({ secrets: collectSecrets(env) }).text(error.stack ?? error.message);
}
