import { collectSecrets, createRedactor, printableLines } from '@argusai/core';
import type { Io } from '../../io.js';
import type { Outcome } from '../../outcome.js';
import { stacksOf } from '../../stacks-of.js';

/** Where everything was thrown that an outcome knows of, and what caused it, without the secrets that messages may quote. */
export function redactedStacks(
  { thrown, broken = [] }: Pick<Outcome, 'thrown' | 'broken'>,
  { env, secrets }: Pick<Io, 'env' | 'secrets'>,
): string {
  const stacks = broken.flatMap((one) => {
    const [first, ...causes] = stacksOf(one.thrown);
    return first === undefined ? [] : [`${one.by}: ${first}`, ...causes];
  });
  const lines = [...stacks, ...stacksOf(thrown)];
  if (lines.length === 0) return '';
  const redactor = createRedactor({ secrets: [...collectSecrets(env), ...secrets] });
  return `${printableLines(redactor.text(lines.join('\n')))}\n`;
}
