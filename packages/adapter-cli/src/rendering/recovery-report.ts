import type { RecoveryReport } from '@argusai/core';
import { summaryLine } from './health-summary.js';
import type { Line } from './line.js';
import { noticeLines } from './problem.js';
import { stepLines, verdictLine } from './recovery-steps.js';
import type { Scene } from './views.js';

/** What a repair did, for people. */
export function recoveryReportLines(report: RecoveryReport, scene: Scene): Line[] {
  const { after, dryRun, plan } = report;
  const notices = [...plan.notices, ...after.notices];
  return [
    ...stepLines(report, scene),
    ...notices.flatMap((notice) => noticeLines(scene.kernel, notice)),
    verdictLine(report),
    [dryRun ? 'now ' : 'afterwards ', ...summaryLine(after)],
  ];
}
