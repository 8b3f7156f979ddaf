import type { ForeignCleanup } from '@argusai/plugin-orphans';
import type { Line } from '../text/line.js';

/** What became of each thing that was named, for people. */
export function foreignLines({ dryRun, removed, failed, refused }: ForeignCleanup): Line[] {
  const done = dryRun ? 'would remove' : 'removed';
  return [
    ...removed.map(
      ({ type, name, runId }): Line => [[done, 'green'], ` ${type} ${name} of the run ${runId}`],
    ),
    ...failed.map(
      ({ type, name, error }): Line => [['could not remove', 'red'], ` ${type} ${name}: ${error}`],
    ),
    ...refused.map(({ name, reason }): Line => [['left alone', 'yellow'], ` ${name}: ${reason}`]),
  ];
}
