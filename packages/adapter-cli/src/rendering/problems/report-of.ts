import type { StructuredError } from '@argusai/core';

/** Where the report of a crash is, or why there is none. */
export function reportOf({ details: { report, noReport } }: Pick<StructuredError, 'details'>): string[] {
  if (typeof report === 'string') return [`report: ${report}`];
  return typeof noReport === 'string' ? [`report: could not be written: ${noReport}`] : [];
}
