import type { CheckStatus } from '@argusai/core';
import type { MarkedState } from '../text/mark.js';
import { worstFirst } from './worst-first.js';

/** One thing that a checker has looked at. */
export interface LookedAt {
  readonly status: CheckStatus;
  readonly message: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** What the line of a checker says. */
export interface CheckRow {
  readonly state: MarkedState;
  readonly message: string;
  /** What follows the message, whole or not at all. */
  readonly more?: string;
  /** Milliseconds. */
  readonly duration?: number;
}

/** What a checker found, however many things it has looked at, in one line: the worst of it, and how much there is. */
export function checkRow(results: readonly LookedAt[]): CheckRow {
  const status = worstFirst.find((one) => results.some((result) => result.status === one)) ?? 'skipped';
  const worst = results.filter((result) => result.status === status);
  const message = worst[0]?.message ?? '';
  const duration = Math.max(0, ...results.map((result) => result.duration));
  // What was never begun took no time.
  const time = status === 'skipped' && duration === 0 ? {} : { duration };
  if (results.length < 2) return { state: status, message, ...time };
  if (status === 'pass' || status === 'skipped') {
    return { state: status, message, more: ` (and ${results.length - 1} more)`, ...time };
  }
  return { state: status, message: `${worst.length} of ${results.length}: ${message}`, ...time };
}
