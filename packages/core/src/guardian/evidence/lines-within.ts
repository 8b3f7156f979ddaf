import type { LogQuery } from '../../environment/runtime.js';
import type { Evidence } from '../incidents/incident.js';

/** From the start of a service to its end; milliseconds by the clock of its runtime. */
export interface Span {
  /** Left out where nobody knows. */
  readonly since?: number;
  readonly until: number;
}

/** Which lines are read. */
export type Which = Pick<LogQuery, 'since' | 'until'> & { readonly tail: number };

/** What was read, and why not all of it. */
export interface Read {
  readonly lines: Evidence['lines'];
  readonly gap?: string;
}

/** How many of the newest lines are looked through first: that is quick however long the log is, and mostly enough. */
const glance = 2_000;

/**
 * The last lines that a service had printed until it ended, although it prints others by now. Where so many came since that those
 * are out of sight, they are looked for by their time. Nothing without a word why.
 */
export async function linesWithin(
  { since, until }: Span,
  count: number,
  read: (which: Which) => Promise<Read>,
): Promise<Read> {
  const before = ({ lines }: Read) => lines.filter(({ at = 0 }) => at <= until).slice(-count);
  const newest = await read({ tail: glance });
  const seen = before(newest);
  // An engine that is just writing a log may give less of its end than there is.
  const isAll = newest.gap === undefined && newest.lines.length < glance && seen.length > 0;
  if (isAll || seen.length === count) return explained(seen);
  const found = await read({ tail: count, until, ...(since === undefined ? {} : { since }) });
  const { gap } = found;
  const lines = before(found);
  return explained(lines.length > seen.length ? lines : seen, gap);
}

/** A service may have been silent; and a log may have been cut since. */
function explained(lines: Read['lines'], gap?: string): Read {
  const none = lines.length === 0 ? 'the last lines: its log has none of before its end' : undefined;
  const why = gap ?? none;
  return why === undefined ? { lines } : { lines, gap: why };
}
