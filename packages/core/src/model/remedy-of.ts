import type { ErrorCode, StructuredError } from './error-code.js';

/** What a person should do about an occurrence of a code: what helps against its reason, else what helps against the others. */
export function remedyOf(
  code: Pick<ErrorCode, 'remedy' | 'remedies'> | undefined,
  { reason }: StructuredError['details'],
): string | undefined {
  const { remedy, remedies = {} } = code ?? {};
  return typeof reason === 'string' && Object.hasOwn(remedies, reason) ? remedies[reason] : remedy;
}
