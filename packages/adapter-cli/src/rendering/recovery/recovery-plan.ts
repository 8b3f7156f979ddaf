import type {
  FindingReference,
  HealthCheckResult,
  Kernel,
  PlannedStep,
  RecoveryPlan,
  StepOutcome,
} from '@argusai/core';
import { noticeLines, tryLines } from '../problems/problem.js';
import { stepsFor } from '../problems/steps-for.js';
import { filterArguments } from '../problems/suggested-commands.js';
import type { Line } from '../text/line.js';
import type { Scene } from '../view.js';
import { refusedBy } from './refused-by.js';

/** A plan for people: each step, what nobody has a step for, and the command that carries out exactly this. */
export function recoveryPlanLines(plan: RecoveryPlan, scene: Scene): Line[] {
  const { hash, steps, notices } = plan;
  return [
    ...planLines(plan, scene),
    ...notices.flatMap((notice) => noticeLines(scene.kernel, notice)),
    lastLine(hash, steps.length, notices.length > 0, scene),
  ];
}

/** The steps of a plan, and what nobody has a step for, with what people can do about it where that is known. */
export function planLines(
  { steps, unhandled }: RecoveryPlan,
  { kernel }: Partial<Pick<Scene, 'kernel'>> = {},
  found: readonly HealthCheckResult[] = [],
): Line[] {
  return [
    ...steps.flatMap((step, index): Line[] => [
      [`${index + 1}. `, [step.action, 'bold'], ` ${step.target}`, [`  ${describeStep(step)}`, 'dim']],
      ['   ', step.description],
      ...(step.findings.length === 0 ? [] : [[`   for ${step.findings.map(describeFinding).join(', ')}`]]),
    ]),
    ...unhandled.flatMap((finding): Line[] => [
      [['nobody can repair ', 'yellow'], describeFinding(finding)],
      ...(kernel ? tryLines(stepsByHand(kernel, finding, found)) : []),
    ]),
  ];
}

/** The steps of a plan that would be refused, and why. */
export function refusedLines(refused: readonly StepOutcome[]): Line[] {
  return refused.map(({ action, target, refusal }) => [
    ['would be refused: ', 'yellow'],
    `${action} ${target}${refusal ? `, ${refusedBy(refusal)}` : ''}`,
  ]);
}

/** What people can do about a problem that no recoverer has a step for. Without the report, what its code says of all. */
function stepsByHand(
  kernel: Kernel,
  { check, target, code }: FindingReference,
  found: readonly HealthCheckResult[],
): string[] {
  const result = found.find((one) => one.name === check && one.target === target);
  const suggested = (result?.error ?? kernel.errorCodes.get(code))?.suggestedActions ?? [];
  const suggestedActions = suggested.filter((action) => kernel.operations.has(action));
  return stepsFor(kernel, { code, suggestedActions, details: result?.error?.details ?? {} }, { check });
}

function lastLine(hash: string | null, count: number, broken: boolean, { input }: Scene): Line {
  if (hash === null) return [broken ? 'No plan could be made' : 'There is nothing to do'];
  const command = `argus apply-recovery ${hash}${filterArguments(input)} --confirm`;
  return [`${count === 1 ? 'One step' : `${count} steps`}. To carry out exactly this: `, [command, 'cyan']];
}

/** Who would do it, what it can cost, and whether it can be undone. */
export function describeStep({ recoverer, risk, reversible }: PlannedStep): string {
  return `${recoverer}, ${risk}, ${reversible ? 'can be undone' : 'cannot be undone'}`;
}

function describeFinding({ check, target, code }: FindingReference): string {
  return `${target === undefined ? check : `${check} ${target}`} (${code})`;
}
