import type { HealthCheckResult, JsonObject, Kernel, StructuredError } from '@argusai/core';
import type { Line } from './line.js';
import { stepsFor } from './steps-for.js';

/** Everything there is to say about a check that is not as it should be. */
export function problemLines(kernel: Kernel, check: HealthCheckResult): Line[] {
  const { name, target, error } = check;
  const title = target === undefined ? name : `${name} ${target}`;
  const style = check.status === 'fail' ? 'red' : 'yellow';
  const lines: Line[] = [[[title, style], `: ${error?.message ?? check.message}`]];
  if (!error) return lines;
  return [...lines, ...explain(error), ...tryLines(stepsFor(kernel, error, name))];
}

/** A notice: something that went wrong beside the work itself. */
export function noticeLines(kernel: Kernel | undefined, notice: StructuredError): Line[] {
  return [
    [['notice', 'yellow'], `: ${notice.message}`],
    ...explain(notice),
    ...(kernel ? tryLines(stepsFor(kernel, notice)) : []),
  ];
}

function explain({ code, details }: StructuredError): Line[] {
  const facts = simpleFacts(details);
  return [['  code: ', [code, 'bold']], ...(facts === '' ? [] : [[`  ${facts}`]])];
}

function tryLines(steps: readonly string[]): Line[] {
  return steps.map((step) => ['  try: ', [step, 'cyan']]);
}

/** What was measured and what was wanted, as far as it can be said in a few words. */
function simpleFacts(details: JsonObject): string {
  const simple = Object.entries(details).filter(
    ([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 60,
  );
  return simple
    .slice(0, 6)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
}
