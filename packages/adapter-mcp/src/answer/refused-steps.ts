import type { RecoveryPlan, RecoveryReport, StepOutcome } from '@argusai/core';

/** What a repair says of itself: done, tried or only planned. */
interface Repair {
  readonly plan?: RecoveryPlan;
  readonly steps?: readonly StepOutcome[];
  readonly report?: RecoveryReport | null;
  readonly refused?: readonly StepOutcome[];
}

/** The operations that carry out a plan. */
const repairs = ['fix', 'apply-recovery'];

/** The steps of a repair that were refused, or would be; of any other operation none. */
export function refusedSteps(operation: string, data: unknown): readonly StepOutcome[] {
  if (!repairs.includes(operation)) return [];
  const { steps, report, refused = [] } = data as Repair;
  return (steps ?? report?.steps ?? refused).filter(({ outcome }) => outcome === 'refused');
}

/** Whether nothing came of a plan, or would, because every step of it is refused. */
export function isAllRefused(operation: string, data: unknown): boolean {
  const count = refusedSteps(operation, data).length;
  return count > 0 && count === (data as Repair).plan?.steps.length;
}
