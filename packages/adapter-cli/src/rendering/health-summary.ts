import type { CheckStatus, HealthReport } from '@argusai/core';
import type { Line, Style } from './line.js';
import { took } from './took.js';

const overallStyles: Record<HealthReport['overall'], Style> = {
  healthy: 'green',
  degraded: 'yellow',
  unhealthy: 'red',
};

/** The verdict with its reasons. */
export function summaryLine({ overall, checks, duration }: HealthReport): Line {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const passed = count('pass');
  const parts = [
    some(count('fail'), 'failed'),
    some(count('warn'), count('warn') === 1 ? 'warning' : 'warnings'),
    some(count('unknown'), 'could not be determined'),
    `${passed}${passed === checks.length ? (passed === 1 ? ' check' : ' checks') : ''} passed`,
    some(count('skipped'), 'skipped'),
  ];
  return [[overall, overallStyles[overall]], `: ${parts.filter(Boolean).join(', ')} in ${took(duration)}`];
}

function some(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count} ${what}`;
}
