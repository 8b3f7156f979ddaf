import { sayNotTakenDown } from '../environment/removal/remnants.js';
import { ArgusError } from '../model/argus-error.js';
import { cancelled } from '../model/core-error-codes.js';
import { toJson } from '../model/json.js';
import type { RunReport, SuiteResult } from './run-report.js';

/** The error of tests that were stopped: where, and what became of the environment. */
export function stopped(
  runId: string,
  suites: readonly SuiteResult[],
  { takenDown, removedMeanwhile }: Pick<RunReport, 'takenDown' | 'removedMeanwhile'>,
): ArgusError {
  const last = suites.at(-1);
  const where =
    last === undefined
      ? 'before the first suite'
      : `${last.outcome === 'interrupted' ? 'during' : 'after'} ${last.id}`;
  const removed = takenDown?.removed.map(({ type, name }) => `${type} ${name}`) ?? [];
  const failed = takenDown?.failed.map(sayNotTakenDown) ?? [];
  const end =
    takenDown === null
      ? removedMeanwhile
        ? 'the environment had been taken down by somebody else'
        : 'the environment is still up'
      : failed.length === 0
        ? 'everything was taken down'
        : `not everything could be taken down: ${failed.join('; ')}`;
  return new ArgusError(cancelled, {
    message: `The tests were stopped ${where}; ${end}`,
    details: {
      runId,
      suites: toJson(suites),
      removedMeanwhile,
      takenDown: takenDown === null ? null : { removed, failed },
    },
  });
}
