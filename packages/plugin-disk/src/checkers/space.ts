import { defineChecker, formatSize } from '@argusai/core';
import { diskSpaceLow } from '../error-codes.js';
import { engineCheck, judge, unseenOutcome, whereabouts } from '../judge.js';
import { type Scope, survey } from '../survey.js';

/** Makes `disk.space`: every filesystem has at least `required` bytes free. */
export function spaceChecker(required: number, scope: Scope) {
  return defineChecker({
    name: 'disk.space',
    description: 'Free disk space where the project, temporary files and the engine of its containers live',
    codes: [diskSpaceLow],
    follows: [engineCheck],
    async check(context) {
      const { filesystems, unseen } = await survey(context, scope);
      const outcomes = filesystems.map((filesystem) => {
        const { mount: target, space } = filesystem;
        if (space === null) {
          const details = whereabouts(filesystem);
          return context.unknown(`${target} does not say how much space it has`, { target, details });
        }
        const [free, wanted] = [describeFree(space.available, required), formatSize(required)];
        const said = { unit: 'bytes', code: diskSpaceLow, free, wanted } as const;
        return judge(context, filesystem, { amount: space, required, ...said });
      });
      return [...outcomes, ...unseen.map((one) => unseenOutcome(context, one))];
    },
  });
}

/** Rounding must not make too little read like enough. */
function describeFree(available: number, required: number): string {
  const amount = formatSize(available);
  return available < required && amount === formatSize(required)
    ? `just under ${amount} free`
    : `${amount} free`;
}
