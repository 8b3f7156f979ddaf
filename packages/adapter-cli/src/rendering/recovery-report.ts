import type { RecoveryReport } from '@argusai/core';
import { exitCodeOfRecovery } from '../exit-code.js';
import { summaryLine } from './health-summary.js';
import type { Line } from './line.js';
import { noticeLines } from './problem.js';
import { stepLines } from './recovery-steps.js';
import type { Scene } from './views.js';

/** What a repair did, for people. */
export function recoveryReportLines(report: RecoveryReport, scene: Scene): Line[] {
  const { after, dryRun, plan } = report;
  const notices = [...plan.notices, ...after.notices];
  return [
    ...stepLines(report, scene),
    ...notices.flatMap((notice) => noticeLines(scene.kernel, notice)),
    [dryRun ? 'now ' : 'afterwards ', ...summaryLine(after)],
    verdictLine(report),
  ];
}

function verdictLine(report: RecoveryReport): Line {
  const { steps, dryRun } = report;
  const count = steps.filter(({ verdict }) => verdict === 'recovered').length;
  if (dryRun) {
    const planned = steps.filter(({ outcome }) => outcome === 'planned').length;
    return [`dry run: ${planned} of ${steps.length} steps would be carried out`];
  }
  if (steps.length === 0) return ['nothing was done'];
  const isFine = exitCodeOfRecovery(report) === 0;
  return [
    [isFine ? 'recovered' : 'not recovered', isFine ? 'green' : 'red'],
    `: ${count} of ${steps.length} steps worked`,
  ];
}
