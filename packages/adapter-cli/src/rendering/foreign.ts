import type { Line } from './line.js';

/** The part of the removal of what others made that is shown. */
export interface ShownForeign {
  readonly dryRun: boolean;
  readonly removed: readonly { type: string; name: string; runId: string }[];
  readonly failed: readonly { type: string; name: string; error: string }[];
  readonly refused: readonly { name: string; reason: string }[];
}

/** What became of each thing that was named, for people. */
export function foreignLines({ dryRun, removed, failed, refused }: ShownForeign): Line[] {
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
