import type { FindingReference } from '../../../model/recovery-plan.js';

/** What tells one problem from another over several check runs: who found it, and on what. */
export type FindingName = Pick<FindingReference, 'check' | 'target'>;

/** The key of a problem: the checker's name, and the target after a space where there is one. */
export function findingKey({ check, target }: FindingName): string {
  return target === undefined ? check : `${check} ${target}`;
}

/** The checker's name in a key. Names hold no space. */
export function checkerOf(key: string): string {
  const end = key.indexOf(' ');
  return end === -1 ? key : key.slice(0, end);
}
