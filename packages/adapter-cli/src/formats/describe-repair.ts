import type { StepOutcome } from '@argusai/core';
import { refusedBy } from '../rendering/recovery/refused-by.js';

/** What became of a step of a repair, in one line. */
export function describeRepair({ action, target, outcome, verdict, refusal, error }: StepOutcome): string {
  const became = outcome === 'applied' ? (verdict ?? outcome) : outcome;
  const reason = refusal ? ` ${refusedBy(refusal)}` : error ? `: ${error.message}` : '';
  return `${action} ${target}: ${became}${reason}`;
}
