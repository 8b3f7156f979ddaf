import type { RecoveryReport } from '@argusai/core';
import { summaryLine } from '../health/health-summary.js';
import { noticeLines } from '../problems/problem.js';
import type { Line } from '../text/line.js';
import type { Scene } from '../view.js';
import { leftLines } from './left-problems.js';
import { stepLines, verdictLine } from './recovery-steps.js';

/** What a repair did, for people. */
export function recoveryReportLines(report: RecoveryReport, scene: Scene): Line[] {
  const { after, dryRun, plan } = report;
  const notices = [...plan.notices, ...after.notices];
  return [
    ...stepLines(report, scene),
    ...notices.flatMap((notice) => noticeLines(scene.kernel, notice)),
    ...(dryRun ? [] : leftLines(report, scene)),
    verdictLine(report),
    [dryRun ? 'now ' : 'afterwards ', ...summaryLine(after)],
  ];
}
