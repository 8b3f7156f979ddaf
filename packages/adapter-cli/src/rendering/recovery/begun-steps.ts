import type { StepOutcome, StructuredError } from '@argusai/core';
import type { Line } from '../text/line.js';

/** The steps of a recovery that had begun when it was cancelled, with what the check afterwards says of each. */
export function begunStepLines(error: Pick<StructuredError, 'details'>): Line[] {
  return begunSteps(error).map(({ action, target, verdict }) => [
    `  ${action} ${target}: `,
    [verdict === undefined ? 'not checked afterwards' : sayings[verdict], 'yellow'],
  ]);
}

const sayings: Readonly<Record<NonNullable<StepOutcome['verdict']>, string>> = {
  recovered: 'the check afterwards no longer finds the problem',
  ineffective: 'the check afterwards still finds the problem',
  worse: 'the check afterwards finds more than before',
};

/** Those of them that nobody can say of how far they came. */
export function begunSteps({ details }: Pick<StructuredError, 'details'>): StepOutcome[] {
  const steps = Array.isArray(details.steps) ? (details.steps as unknown as StepOutcome[]) : [];
  return steps.filter((step) => step?.outcome === 'interrupted');
}
