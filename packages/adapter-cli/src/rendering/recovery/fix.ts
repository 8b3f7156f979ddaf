import type { Fix, RecoveryReport } from '@argusai/core';
import { exitCodeOfCheck, exitCodeOfRecovery } from '../../exit-code.js';
import { summaryLine } from '../health/health-summary.js';
import { noticeLines } from '../problems/problem.js';
import { filterArguments } from '../problems/suggested-commands.js';
import type { Line } from '../text/line.js';
import type { Scene } from '../view.js';
import { leftLines } from './left-problems.js';
import { planLines, refusedLines } from './recovery-plan.js';
import { stepLines, verdictLine } from './recovery-steps.js';

/** A repair for people: what was planned, what was done, and how it was before and after. */
export function fixLines(fix: Fix, scene: Scene): Line[] {
  const { plan, before, stopped, report, refused = [] } = fix;
  const notices = [...plan.notices, ...(report?.after.notices ?? [])];
  const told = notices.flatMap((notice) => noticeLines(scene.kernel, notice));
  // Whoever has said no has just read the plan.
  if (stopped === 'declined') return [...told, ['Nothing was done.']];
  if (!report)
    return [
      ...planLines(plan, scene, before.checks),
      ...told,
      ...refusedLines(refused),
      ...stoppedLines(fix, scene),
    ];
  return [
    ...stepLines(report, scene),
    ...told,
    ...unaskedLines(report, scene),
    ...leftLines(report, scene),
    [],
    verdictLine(report),
    [['before ', 'dim'], ...summaryLine(before)],
    [['after  ', 'dim'], ...summaryLine(report.after)],
  ];
}

/** What carries out the steps that nobody could be asked about. */
function unaskedLines({ steps }: RecoveryReport, { input }: Scene): Line[] {
  if (!steps.some(({ refusal }) => refusal?.rule === 'unasked')) return [];
  return [['To carry out what nobody could be asked about: ', [yes(input), 'cyan']]];
}

const yes = (input: Scene['input']) => `argus fix --yes${filterArguments(input)}`;

function stoppedLines({ plan, stopped, before, refused = [] }: Fix, scene: Scene): Line[] {
  const { hash, steps } = plan;
  const filter = filterArguments(scene.input);
  // Where nobody can be asked, the hash alone leaves undone what is destructive.
  const isUnasked = steps.some(({ risk }) => risk === 'destructive') && !scene.canAsk?.();
  const exactly = `argus fix --apply ${hash}${filter}${isUnasked ? ' --yes' : ''}`;
  switch (stopped) {
    case 'only-planned':
      // A command that can only be refused helps nobody.
      if (refused.length === steps.length) return [['Nothing of this would be carried out.']];
      return [['To carry out exactly this: ', [exactly, 'cyan']]];
    case 'nobody-to-ask':
      return [
        [['Nothing was done', 'yellow'], ', because nobody could be asked.'],
        [
          'To carry out exactly this: ',
          [exactly, 'cyan'],
          ', or whatever there is to do: ',
          [yes(scene.input), 'cyan'],
        ],
      ];
    default:
      return [
        [
          before.overall === 'healthy' ? 'There is nothing to repair: ' : 'Nobody can repair it: ',
          ...summaryLine(before),
        ],
      ];
  }
}

/** The exit code of a repair: fine when all is well in the end and every step that was wanted worked. */
export function exitCodeOfFix({ before, stopped, report }: Fix): number {
  if (stopped === 'only-planned') return 0;
  if (stopped === 'nobody-to-ask') return 1;
  if (!report) return exitCodeOfCheck(before);
  const wanted = report.steps.filter(({ refusal }) => refusal?.rule !== 'declined');
  return exitCodeOfRecovery({ steps: wanted }) || exitCodeOfCheck(report.after);
}
