import type { StructuredError } from './error-code.js';

/** Whether an error says that nothing works until it is solved, whoever asks for whatever: an engine that is away. */
export function isOutage({ category, severity }: Pick<StructuredError, 'category' | 'severity'>): boolean {
  return category === 'infrastructure' && severity === 'fatal';
}
