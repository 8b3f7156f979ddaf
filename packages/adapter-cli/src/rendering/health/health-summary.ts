import type { HealthReport } from '@argusai/core';
import type { Line, Style } from '../text/line.js';
import { took } from '../text/took.js';
import { statusCounts } from './status-counts.js';

const overallStyles: Record<HealthReport['overall'], Style> = {
  healthy: 'green',
  degraded: 'yellow',
  unhealthy: 'red',
};

/** The verdict with its reasons, and what follows from it before them. */
export function summaryLine({ overall, checks, duration }: HealthReport, so = ''): Line {
  return [[overall, overallStyles[overall]], `: ${so}${statusCounts(checks)} in ${took(duration)}`];
}
