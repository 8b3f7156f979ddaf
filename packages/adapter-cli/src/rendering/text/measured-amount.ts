import type { JsonObject } from '@argusai/core';

/** How much of something there is, how much there should be, and how much there can be. */
export interface MeasuredAmount {
  readonly available: number;
  readonly required?: number;
  /** Below what it is a failure and no longer a warning. */
  readonly critical?: number;
  readonly total?: number;
  /** What is counted, such as `bytes`. */
  readonly unit?: string;
}

/** The amount that the details of a check tell of; nothing when there is none to compare it with. */
export function measuredAmount({
  available,
  required,
  critical,
  total,
  unit,
}: JsonObject): MeasuredAmount | undefined {
  if (typeof available !== 'number') return undefined;
  if (typeof required !== 'number' && typeof total !== 'number') return undefined;
  return {
    available,
    ...(typeof required === 'number' ? { required } : {}),
    ...(typeof critical === 'number' ? { critical } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
  };
}
