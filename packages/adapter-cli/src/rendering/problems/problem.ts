import type { HealthCheckResult, Kernel, StructuredError } from '@argusai/core';
import { factsOf } from '../text/facts.js';
import type { Line, Span } from '../text/line.js';
import { shortened } from '../text/shortened.js';
import { reportOf } from './report-of.js';
import { type Place, stepsFor } from './steps-for.js';

/** How a problem is shown on a terminal: with its mark, and with what could not be looked at because of it. */
export interface ProblemLook {
  readonly mark: Span;
  readonly consequences: readonly string[];
}

/** Everything there is to say about what `argus check` found that is not as it should be. */
export function problemLines(kernel: Kernel, check: HealthCheckResult, look?: ProblemLook): Line[] {
  const { name, target, error } = check;
  const title = target === undefined ? name : `${name} ${target}`;
  const style = check.status === 'fail' ? 'red' : 'yellow';
  const consequences = look?.consequences ?? [];
  return shortened([
    [...(look ? [look.mark, ' '] : []), [title, style], `: ${error?.message ?? check.message}`],
    ...(error ? explain(error) : []),
    ...(consequences.length === 0
      ? []
      : [[[`  skipped because of it: ${consequences.join(', ')}`, 'dim']] satisfies Line]),
    ...(error ? tryLines(stepsFor(kernel, error, { check: name, foundBy: 'check' })) : []),
  ]);
}

/** A notice: something that went wrong beside the work itself. */
export function noticeLines(kernel: Kernel | undefined, notice: StructuredError, place: Place = {}): Line[] {
  return shortened([
    [['notice', 'yellow'], `: ${notice.message}`],
    ...explain(withoutReport(notice)),
    ...reportOf(notice).map((report): Line => [`  ${report}`]),
    ...(kernel ? tryLines(stepsFor(kernel, notice, place)) : []),
  ]);
}

/** Where a report is has a line of its own, however long it is. */
function withoutReport({ details, ...notice }: StructuredError): StructuredError {
  const { report, noReport, ...rest } = details;
  return { ...notice, details: rest };
}

function explain({ code, details }: StructuredError): Line[] {
  return [['  code: ', [code, 'bold']], ...factsOf(details).map((fact): Line => [`  ${fact}`])];
}

/** What to type, a line each. */
export function tryLines(steps: readonly string[]): Line[] {
  return steps.map((step) => ['  try: ', [step, 'cyan']]);
}
