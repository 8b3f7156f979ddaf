import { collectSecrets, createRedactor } from '@argusai/core';
import type { Io } from '../../io.js';

/** Where something was thrown, without the secrets that its message may quote. */
export function redactedStack(error: Error, { env, secrets }: Pick<Io, 'env' | 'secrets'>): string {
  const redactor = createRedactor({ secrets: [...collectSecrets(env), ...secrets] });
  return redactor.text(error.stack ?? error.message);
}
