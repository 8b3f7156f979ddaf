import { categories, type StructuredError, severities } from './error-code.js';

/** Whether an error has everything that programs act on. Throws where even to look at it breaks. */
export function isStructuredError(error: unknown): error is StructuredError {
  if (typeof error !== 'object' || error === null) return false;
  const { code, category, severity, message, details, suggestedActions, timestamp } =
    error as StructuredError;
  return (
    typeof code === 'string' &&
    categories.includes(category) &&
    severities.includes(severity) &&
    typeof message === 'string' &&
    typeof details === 'object' &&
    details !== null &&
    Array.isArray(suggestedActions) &&
    typeof timestamp === 'number'
  );
}
