import { defineChecker, formatSize } from '@argusai/core';
import { diskSpaceLow } from '../error-codes.js';
import { engineCheck, judge, unseenOutcome, whereabouts } from '../judge.js';
import { type Scope, survey } from '../survey.js';

/** How many bytes should be free, and where in the configuration that stands. */
export interface Threshold {
  readonly bytes: number;
  readonly key: string | undefined;
}

/** Makes `disk.space`: every filesystem has as much free as is wanted. */
export function spaceChecker({ bytes: required, key }: Threshold, scope: Scope) {
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
        const said = { unit: 'bytes', code: diskSpaceLow, free, wanted, key } as const;
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
