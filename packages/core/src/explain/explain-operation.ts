import type { Kernel } from '../kernel/kernel.js';
import type { Operation } from '../model/operation.js';

/** Explains an operation: what it does, and which codes suggest it. */
export function explainOperation({ operations, errorCodes }: Kernel, operation: Operation) {
  const { name, alias, summary, description, effects } = operation;
  const helped = errorCodes.values().filter(({ suggestedActions }) => suggestedActions.includes(name));
  return {
    kind: 'operation' as const,
    name,
    ...(alias === undefined ? {} : { alias }),
    plugin: operations.ownerOf(name) ?? 'core',
    summary,
    ...(description === undefined ? {} : { description }),
    effects,
    codes: helped.map((code) => ({ code: code.code, summary: code.summary })),
  };
}
