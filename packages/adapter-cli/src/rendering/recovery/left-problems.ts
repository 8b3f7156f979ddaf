import type { HealthCheckResult, RecoveryReport } from '@argusai/core';
import { problemsWorstFirst } from '../health/worst-first.js';
import { tryLines } from '../problems/problem.js';
import { stepsFor } from '../problems/steps-for.js';
import type { Line } from '../text/line.js';
import type { Scene } from '../view.js';

/** What is still wrong after a repair and that none of its steps was for, with what to do about it. */
export function leftLines({ steps, plan, after }: RecoveryReport, { kernel }: Scene): Line[] {
  const isIn = (
    findings: readonly { check: string; target?: string | undefined }[],
    one: HealthCheckResult,
  ) => findings.some(({ check, target }) => check === one.name && target === one.target);
  const tried = steps.flatMap(({ findings }) => findings);
  const left = problemsWorstFirst.flatMap((status) =>
    after.checks.filter((one) => one.status === status && !isIn(tried, one)),
  );
  return left.flatMap((check): Line[] => {
    const { name, target, error, message, status } = check;
    const title = target === undefined ? name : `${name} ${target}`;
    const word = status === 'unknown' ? 'still unknown' : 'still wrong';
    const problem: Line = [[word, 'yellow'], `: ${title}: ${error?.message ?? message}`];
    if (!error) return [problem];
    // A repair that has no step for it now has none if it is asked again.
    const suggestedActions = isIn(plan.unhandled, check)
      ? error.suggestedActions.filter((action) => kernel.operations.has(action))
      : error.suggestedActions;
    return [problem, ...tryLines(stepsFor(kernel, { ...error, suggestedActions }, { check: name }))];
  });
}
