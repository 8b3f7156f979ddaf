import * as z from 'zod';

/** Ports from one number to another, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Below it only root may bind, and well-known services live there. */
export const firstOrdinaryPort = 1_024;

const expected = 'two ports such as "20000-29999", the first of them 1024 or more';

/** The schema of a range: `20000-29999`. */
export function portRange() {
  return z.string({ error: `expected ${expected}` }).transform((text, context): PortRange => {
    const [, first, last] = /^\s*(\d{1,5})\s*-\s*(\d{1,5})\s*$/.exec(text) ?? [];
    const range = { first: Number(first), last: Number(last) };
    if (range.first >= firstOrdinaryPort && range.first <= range.last && range.last <= 65_535) return range;
    const message = `${JSON.stringify(text)} is not a range of ports, expected ${expected}`;
    context.issues.push({ code: 'custom', input: text, message, params: { expected } });
    return z.NEVER;
  });
}

/** How many ports are in a range. */
export function sizeOf({ first, last }: PortRange): number {
  return last - first + 1;
}

/**
 * All ports of a range: upwards from the one after the wished, then from the beginning. Instead of a well-known
 * port, the one that people know as its double comes first: 8080 for 80, 8443 for 443.
 */
export function* portsNear(wished: number, { first, last }: PortRange): Generator<number> {
  const near = wished < firstOrdinaryPort ? wished + 8_000 : wished + 1;
  const start = near >= first && near <= last ? near : first;
  for (let port = start; port <= last; port += 1) yield port;
  for (let port = first; port < start; port += 1) yield port;
}
