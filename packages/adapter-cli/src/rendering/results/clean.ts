import type { Kernel, ResultOf } from '@argusai/core';
import { suggestedCommands } from '../problems/suggested-commands.js';
import type { Line } from '../text/line.js';

type Clean = ResultOf<'clean'>;
type TakenDown = NonNullable<ResultOf<'run'>['takenDown']>;
type Failure = (Clean | TakenDown)['failed'][number];

/** The part that is shown of a clean's result, or of what a run has taken down. */
export interface ShownClean
  extends Pick<Clean, 'dryRun'>,
    Partial<Pick<Clean, 'usedBy' | 'kept' | 'foreign' | 'killed'>> {
  readonly removed: readonly Pick<(Clean | TakenDown)['removed'][number], 'type' | 'name'>[];
  readonly failed: readonly (Pick<Failure, 'type' | 'name'> & {
    readonly unlooked?: boolean | undefined;
    readonly error: Pick<Failure['error'], 'message'> & Partial<Failure['error']>;
  })[];
}

/** What was removed, for people: only how much, because each was told of when it went; and what takes down the rest. */
export function cleanLines(
  { usedBy = [], kept, killed = [], ...clean }: ShownClean,
  again = 'argus clean',
  kernel?: Kernel,
): Line[] {
  return [
    ...usedBy.map((user) => userLine(user, clean.dryRun)),
    ...(killed.length === 0 ? [] : [killedLine(killed)]),
    ...removalLines(clean, [...(kernel ? firstSteps(kernel, clean.failed) : []), again].join(', then ')),
    ...(kept === undefined ? [] : [[`run ${kept} is up in this folder; argus clean takes it down`]]),
  ];
}

/** Who costs everybody the time that is given to end. */
function killedLine(services: readonly string[]): Line {
  return [['notice: ', 'yellow'], `${services.join(', ')} did not end on SIGTERM and had to be killed`];
}

/** Tests that use what is taken down: whoever runs them should be told. */
function userLine({ pid, suites }: NonNullable<ShownClean['usedBy']>[number], dryRun: boolean): Line {
  const is = dryRun ? 'is' : 'was';
  const what = suites.length === 0 ? `${is} using it` : `${is} running ${suites.join(', ')} with it`;
  return [['notice: ', 'yellow'], `argus run, process ${pid}, ${what}`];
}

function removalLines({ dryRun, removed, failed, foreign = [] }: ShownClean, again: string): Line[] {
  if (dryRun && removed.length + failed.length > 0)
    return [
      ...removed.map(({ type, name }): Line => [`would remove ${type} ${name}`]),
      ...unlookedLines(failed),
    ];
  if (removed.length + failed.length === 0 && foreign.length > 0)
    return [['Nothing was removed: what is here was set up with another state folder']];
  if (removed.length + failed.length === 0) return [['There was nothing to remove']];
  const gone = removed.length > 0 ? `${countOf(removed)} removed` : 'nothing removed';
  if (failed.length === 0) return [[['down', 'green'], `: ${gone}`]];
  const left = failed.filter(({ unlooked }) => !unlooked);
  const unknown = failed.length - left.length;
  const counts = [
    gone,
    ...(left.length > 0 ? [`${left.length} not`] : []),
    ...(unknown > 0 ? [`${unknown} not looked at`] : []),
  ];
  return [
    ...left.map((one): Line => [['could not remove', 'red'], ` ${one.type} ${one.name}: ${reasonOf(one)}`]),
    ...unlookedLines(failed),
    [
      left.length > 0 ? ['not down', 'red'] : ['unknown', 'yellow'],
      `: ${counts.join(', ')}; ${again} takes down the rest`,
    ],
  ];
}

/** What may be left where nobody could look: in one line for each reason. */
function unlookedLines(failed: ShownClean['failed']): Line[] {
  const unlooked = failed.filter((one) => one.unlooked);
  return [...new Set(unlooked.map(reasonOf))].map((reason): Line => {
    const names = unlooked.filter((one) => reasonOf(one) === reason);
    const listed = names.map(({ type, name }) => `${type} ${name}`).join(', ');
    return [['could not look', 'yellow'], `: ${reason}; this may be left: ${listed}`];
  });
}

function reasonOf({ error: { message, details } }: ShownClean['failed'][number]): string {
  return typeof details?.reason === 'string' ? details.reason : message;
}

/** What must be done before the rest can go: what holds it back is told, and how to end that. */
function firstSteps(kernel: Kernel, failed: ShownClean['failed']): string[] {
  const commands = failed.flatMap(({ error: { code = '', suggestedActions = [], details = {} } }) =>
    suggestedCommands(kernel, { code, suggestedActions, details }),
  );
  return [...new Set(commands)].filter((one) => one.startsWith('argus reset-circuit '));
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
