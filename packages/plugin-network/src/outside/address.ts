import * as z from 'zod';

/** A host and a port. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** As it was written. */
  readonly text: string;
}

const expected = 'a host and a port, such as db.example.com:5432 or [::1]:5432';
const syntax = /^(?:\[([\da-f:.]+(?:%\w+)?)\]|([^\s:/[\]]+)):(\d{1,5})$/i;

/** Reads `host:port`. Throws what it does not understand. */
function parseAddress(text: string): Address {
  const [, bracketed, plain, digits] = syntax.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) {
    throw new Error(`${JSON.stringify(text)} is not an address, expected ${expected}`);
  }
  return { host, port, text };
}

/** The schema of a host and a port. */
export function address() {
  return z.string({ error: `expected ${expected}` }).transform((text, context): Address => {
    try {
      return parseAddress(text);
    } catch (error) {
      context.issues.push({ code: 'custom', input: text, message: (error as Error).message });
      return z.NEVER;
    }
  });
}
