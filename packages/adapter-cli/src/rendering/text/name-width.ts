import { textWidth } from './line.js';

/** Names of services are not given more room than this. */
export const longestName = 24;

/** How wide a column of names is. */
export function nameWidth(names: readonly string[]): number {
  return Math.min(longestName, Math.max(0, ...names.map((name) => textWidth(name))));
}
