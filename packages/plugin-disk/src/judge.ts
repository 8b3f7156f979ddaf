import { type CheckContext, type CheckOutcome, type ErrorCode, formatSize } from '@argusai/core';
import type { Shortage } from './error-codes.js';
import { criticalOf, grade } from './grade.js';
import type { Unseen } from './look.js';
import type { Filesystem } from './survey.js';
import type { Amount } from './system/measure.js';

/** What is judged on a filesystem, and how to say it. */
export interface Criterion {
  readonly amount: Amount;
  readonly required: number;
  /** What is counted. */
  readonly unit: 'bytes' | 'inodes';
  readonly code: ErrorCode<string, Shortage>;
  /** What there is: `1.2 GB free`. */
  readonly free: string;
  /** What there should be: `2 GB`. */
  readonly wanted: string;
  /** Where in the configuration that stands, if it may be more than there can be. */
  readonly key?: string | undefined;
}

/** Says whether a filesystem has enough: it passes from the threshold on, warns below, and fails below half. */
export function judge(
  { warn, fail, pass }: CheckContext,
  filesystem: Filesystem,
  { amount, required, unit, free, wanted, ...criterion }: Criterion,
): CheckOutcome {
  const code = helpingHere(criterion.code, filesystem);
  const { mount } = filesystem;
  const seen = { ...amount, required, critical: criticalOf(required), unit, ...whereabouts(filesystem) };
  const { key } = criterion;
  const isMistaken = required > amount.total && key !== undefined;
  const details = isMistaken ? { ...seen, ...mistake(key) } : seen;
  const remark = { target: mount, details };
  const message = isMistaken
    ? `${free} on ${mount}, ${wanted} wanted, and it has only ${formatSize(amount.total)} in all`
    : `${free} on ${mount}, ${wanted} wanted`;
  switch (grade(amount.available, required)) {
    case 'pass':
      return pass(`${free} on ${mount}`, remark);
    case 'warn':
      return warn(code, { message, severity: 'warning', ...remark });
    case 'fail':
      return fail(code, { message, severity: 'fatal', ...remark });
  }
}

/** No disk can have more free than it has: what is asked for is a mistake, and the disk need not be full. */
function mistake(key: string) {
  return { reason: 'threshold', where: { key, effect: 'asked for' } } as const;
}

/** Who says that the engine is down: then that its folder could not be looked at is no finding of its own. */
export const engineCheck = 'docker.daemon';

/** Says what could not be looked at. */
export function unseenOutcome(
  { unknown }: Pick<CheckContext, 'unknown'>,
  { target, message, ofEngine }: Unseen,
): CheckOutcome {
  return unknown(message, { target, ...(ofEngine ? { causedBy: { check: engineCheck } } : {}) });
}

/** Images are removed from where the engine keeps them, which makes no room anywhere else. */
function helpingHere(code: Criterion['code'], { paths }: Filesystem): Criterion['code'] {
  if (paths.some(({ use }) => use === 'engine')) return code;
  return { ...code, suggestedActions: code.suggestedActions.filter((action) => action !== 'docker.prune') };
}

/** Where a filesystem is and what is on it, for the details of a result. */
export function whereabouts({ mount, path, paths }: Filesystem) {
  return { mount, path, paths: [...paths] };
}
