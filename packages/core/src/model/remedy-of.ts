import type { ErrorCode, StructuredError } from './error-code.js';
import { shellWord } from './shell-word.js';

/**
 * What a person should do about an occurrence of a code: what helps against its reason, else what helps against the others. `DIR` in it
 * stands for the folder of the details.
 */
export function remedyOf(
  code: Pick<ErrorCode, 'remedy' | 'remedies'> | undefined,
  { reason, folder }: StructuredError['details'],
): string | undefined {
  const { remedy, remedies = {} } = code ?? {};
  const said = typeof reason === 'string' && Object.hasOwn(remedies, reason) ? remedies[reason] : remedy;
  return typeof folder === 'string' ? said?.replace(/\bDIR\b/g, () => shellWord(folder)) : said;
}
