import type { Line } from './line.js';

/** The part of a clean's result that is shown. */
export interface ShownClean {
  readonly dryRun: boolean;
  readonly removed: readonly { type: string; name: string }[];
  readonly failed: readonly {
    type: string;
    name: string;
    error: { message: string; details?: Readonly<Record<string, unknown>> };
  }[];
  /** The run of this folder, where it was not meant. */
  readonly kept?: string;
  readonly usedBy?: readonly { host: string; pid: number; suites: readonly string[] }[];
}

/** What was removed, for people: only how much, because each was told of when it went; and what takes down the rest. */
export function cleanLines({ usedBy = [], kept, ...clean }: ShownClean, again = 'argus clean'): Line[] {
  return [
    ...usedBy.map((user) => userLine(user, clean.dryRun)),
    ...removalLines(clean, again),
    ...(kept === undefined ? [] : [[`run ${kept} is up in this folder; argus clean takes it down`]]),
  ];
}

/** Tests that use what is taken down: whoever runs them should be told. */
function userLine({ pid, suites }: NonNullable<ShownClean['usedBy']>[number], dryRun: boolean): Line {
  const is = dryRun ? 'is' : 'was';
  const what = suites.length === 0 ? `${is} using it` : `${is} running ${suites.join(', ')} with it`;
  return [['notice: ', 'yellow'], `argus run, process ${pid}, ${what}`];
}

function removalLines({ dryRun, removed, failed }: ShownClean, again: string): Line[] {
  if (dryRun && removed.length > 0)
    return removed.map(({ type, name }): Line => [`would remove ${type} ${name}`]);
  if (removed.length + failed.length === 0) return [['There was nothing to remove']];
  const gone = removed.length > 0 ? `${countOf(removed)} removed` : 'nothing removed';
  if (failed.length === 0) return [[['down', 'green'], `: ${gone}`]];
  return [
    ...failed.map(({ type, name, error: { message, details } }): Line => {
      const reason = typeof details?.reason === 'string' ? details.reason : message;
      return [['could not remove', 'red'], ` ${type} ${name}: ${reason}`];
    }),
    [['not down', 'red'], `: ${gone}, ${failed.length} not; ${again} takes down the rest`],
  ];
}

/** `2 containers and 1 network`. */
function countOf(resources: readonly { type: string }[]): string {
  const types = [...new Set(resources.map(({ type }) => type))];
  const counts = types.map((type) => {
    const count = resources.filter((one) => one.type === type).length;
    return `${count} ${count === 1 ? type : `${type}${type.endsWith('s') ? 'es' : 's'}`}`;
  });
  return counts.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
