import { formatDuration } from '@argusai/core';

/** A duration as it is shown: `<1 ms`, `12 ms`, `1.5 s`, `2m10s`. */
export function took(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${Math.round(milliseconds / 100) / 10} s`;
  return formatDuration(milliseconds);
}
