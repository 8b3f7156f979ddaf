import type { Finding } from './findings.js';

/** What was looked at: the check and, when it looks at more than one thing, which of them. */
export function findingTitle({ check, target }: Pick<Finding, 'check' | 'target'>): string {
  return target === undefined ? check : `${check} ${target}`;
}
