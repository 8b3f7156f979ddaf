import type { CheckStatus } from '@argusai/core';

/** What is wrong, the worst first: a problem that is known comes before one that could not be looked at, as in the monitoring plugins. */
export const problemsWorstFirst: readonly CheckStatus[] = ['fail', 'warn', 'unknown'];

/** All that a check can come to, the worst first. */
export const worstFirst: readonly CheckStatus[] = [...problemsWorstFirst, 'pass', 'skipped'];
