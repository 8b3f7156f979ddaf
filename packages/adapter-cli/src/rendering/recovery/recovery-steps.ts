import { counted, type RecoveryReport, type StepOutcome } from '@argusai/core';
import { exitCodeOfRecovery } from '../../exit-code.js';
import type { Line } from '../text/line.js';
import { type MarkedState, markOf } from '../text/mark.js';
import type { Scene } from '../view.js';
import { afterStepLines } from './after-step.js';
import { describeStep } from './recovery-plan.js';
import { refusedBy } from './refused-by.js';

/** The steps of a repair with what became of each, and what to do where it was not carried out. */
export function stepLines({ steps, plan }: RecoveryReport, scene: Scene): Line[] {
  if (steps.length === 0) return plan.notices.length > 0 ? [] : [['There is nothing to repair']];
  return steps.flatMap((step): Line[] => {
    const { action, target, refusal, error } = step;
    const became = step.outcome === 'applied' ? (step.verdict ?? 'applied') : step.outcome;
    const title = `${action} ${target}: ${became}`;
    return [
      [markOf(stateOf(step), scene.columns !== undefined), ' ', title, [`  ${describeStep(step)}`, 'dim']],
      ...(refusal ? [[`    refused ${refusedBy(refusal)}`]] : []),
      ...(error ? [[`    ${error.message}`]] : []),
      ...afterStepLines(step, scene),
    ];
  });
}

function stateOf({ outcome, verdict }: StepOutcome): MarkedState {
  if (outcome === 'failed' || verdict === 'worse') return 'fail';
  if (outcome === 'refused' || outcome === 'interrupted' || verdict === 'ineffective') return 'warn';
  if (outcome === 'planned') return 'planned';
  return outcome === 'applied' ? 'pass' : 'skipped';
}

/** What a repair came to, in one line. */
export function verdictLine(report: RecoveryReport): Line {
  const { steps, dryRun, after } = report;
  const count = steps.filter(({ verdict }) => verdict === 'recovered').length;
  if (dryRun) {
    const planned = steps.filter(({ outcome }) => outcome === 'planned').length;
    return [`dry run: ${planned} of ${counted(steps.length, 'step')} would be carried out`];
  }
  if (steps.length === 0) return ['nothing was done'];
  // Steps that did what they were for are no recovery as long as something is still wrong.
  const isFine = exitCodeOfRecovery(report) === 0 && after.overall !== 'unhealthy';
  return [
    [isFine ? 'recovered' : 'not recovered', isFine ? 'green' : 'red'],
    `: ${count} of ${counted(steps.length, 'step')} worked`,
  ];
}
