import { defineChecker } from '@argusai/core';
import { diskInodesLow } from '../error-codes.js';
import { engineCheck, judge, unseenOutcome, whereabouts } from '../judge.js';
import { type Scope, survey } from '../survey.js';
import type { Amount } from '../system/measure.js';

/** Makes `disk.inodes`: on every filesystem at least `percent` of the inodes are free. */
export function inodesChecker(percent: number, scope: Scope) {
  return defineChecker({
    name: 'disk.inodes',
    description: 'Free inodes where the project, temporary files and the engine of its containers live',
    codes: [diskInodesLow],
    follows: [engineCheck],
    async check(context) {
      const { filesystems, unseen } = await survey(context, scope);
      const outcomes = filesystems.map((filesystem) => {
        const { mount: target, inodes } = filesystem;
        if (inodes === null) {
          return context.pass(`no inode limit on ${target}`, { target, details: whereabouts(filesystem) });
        }
        const required = Math.ceil((inodes.total * percent) / 100);
        const [free, wanted] = [`${shareOf(inodes)}% of the inodes free`, `${percent}%`];
        const said = { unit: 'inodes', code: diskInodesLow, free, wanted } as const;
        return judge(context, filesystem, { amount: inodes, required, ...said });
      });
      return [...outcomes, ...unseen.map((one) => unseenOutcome(context, one))];
    },
  });
}

/** In percent, rounded down so that too few never reads like enough. */
function shareOf({ available, total }: Amount): number {
  return Math.floor((available / total) * 1000) / 10;
}
