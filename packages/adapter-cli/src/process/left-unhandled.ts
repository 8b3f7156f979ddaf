import { openError } from '@argusai/core';
import { type CrashScene, withCrashReport } from '../crash-report.js';
import { answer } from '../outcome.js';
import { nextSteps } from '../rendering/problems/next-steps.js';
import { redactedStacks } from '../rendering/problems/redacted-stacks.js';
import { reportOf } from '../rendering/problems/report-of.js';

/** Makes what tells of something that a plugin left unhandled. One report is enough: whatever fails again and again would push out others. */
export function leftUnhandled(argv: readonly string[], scene: CrashScene): (thrown: unknown) => string {
  let isFirst = true;
  return (thrown) => {
    const error = openError(thrown, scene.env, scene.secrets);
    const outcome = { ...answer('', null), notice: error, thrown };
    const { notice = error } = isFirst ? withCrashReport(outcome, argv, scene) : outcome;
    isFirst = false;
    const lines = [
      `warning: left unhandled by a plugin: ${notice.message}`,
      `code: ${notice.code}`,
      ...reportOf(notice),
      ...nextSteps(notice, scene).map((step) => `next: ${step}`),
    ];
    const stacks = argv.includes('--debug') ? redactedStacks({ thrown }, scene) : '';
    return `${lines.join('\n')}\n${stacks}`;
  };
}
