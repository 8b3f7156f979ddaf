import * as z from 'zod';

/** From one status to another, both included. */
export type StatusRange = readonly [number, number];

const expected = 'a status such as 200, a range such as "200-299", or a list of these';

/** Reads a status or a range of them. Throws what it does not understand. */
function parseStatusRange(text: string | number): StatusRange {
  const [, from = '', to = from] = /^\s*(\d{3})(?:\s*-\s*(\d{3}))?\s*$/.exec(String(text)) ?? [];
  const range: StatusRange = [Number(from), Number(to)];
  if (from === '' || range[0] < 100 || range[1] > 599 || range[0] > range[1]) {
    throw new Error(`${JSON.stringify(text)} is not a status, expected ${expected}`);
  }
  return range;
}

/** Whether a status is in one of the ranges. */
export function isInRanges(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(([from, to]) => status >= from && status <= to);
}

/** Ranges for people: `200-299 or 304`. */
export function formatRanges(ranges: readonly StatusRange[]): string {
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' or ');
}

/** The schema of what status is expected; ranges come out. */
export function statusRanges() {
  const one = z.union([z.string(), z.number()]);
  return z
    .union([one, z.array(one).min(1)], { error: `expected ${expected}` })
    .transform((value, context): StatusRange[] => {
      try {
        return [value].flat().map(parseStatusRange);
      } catch (error) {
        context.issues.push({ code: 'custom', input: value, message: (error as Error).message });
        return z.NEVER;
      }
    });
}
