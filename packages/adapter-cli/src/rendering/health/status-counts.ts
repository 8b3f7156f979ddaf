import type { CheckStatus } from '@argusai/core';

/** How many checks came to what, the worst first: `1 failed, 4 passed, 2 skipped`. */
export function statusCounts(checks: readonly { readonly status: CheckStatus }[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const passed = count('pass');
  const parts = [
    some(count('fail'), 'failed'),
    some(count('warn'), count('warn') === 1 ? 'warning' : 'warnings'),
    some(count('unknown'), 'could not be determined'),
    `${passed}${passed === checks.length ? (passed === 1 ? ' check' : ' checks') : ''} passed`,
    some(count('skipped'), 'skipped'),
  ];
  return parts.filter(Boolean).join(', ');
}

function some(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count} ${what}`;
}
