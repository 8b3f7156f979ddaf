import type { StepOutcome } from '@argusai/core';

/** What became of a step of a repair, in one line. */
export function describeRepair({ action, target, outcome, verdict, refusal, error }: StepOutcome): string {
  const became = outcome === 'applied' ? (verdict ?? outcome) : outcome;
  const reason = refusal ? ` by ${refusal.rule}: ${refusal.reason}` : error ? `: ${error.message}` : '';
  return `${action} ${target}: ${became}${reason}`;
}
