import { type Quantity, quantity } from './quantity.js';

const letters = ['', 'k', 'm', 'g', 't', 'p'];
const syntax = /^(\d+(?:\.\d+)?)\s*(?:([kmgtp]?)(i?b)|([kmgtp]))?$/i;
const expected = 'a size such as 2GB, 512MiB or 10G, or a number of bytes';

/**
 * Reads a size and gives back bytes. `GB` counts in thousands, `GiB` in steps of 1024, and a bare letter (`10G`,
 * `512m`) too, as Docker has it. Throws what it does not understand.
 */
export function parseSize(text: string | number): number {
  const bytes = typeof text === 'number' ? text : bytesOf(text.trim());
  if (bytes === undefined || !(bytes >= 0 && bytes <= Number.MAX_SAFE_INTEGER)) {
    throw new Error(`${JSON.stringify(text)} is not a size, expected ${expected}`);
  }
  return Math.round(bytes);
}

function bytesOf(text: string): number | undefined {
  const match = syntax.exec(text);
  if (!match) return undefined;
  const [, amount, prefix = '', suffix = '', bare = ''] = match;
  if (prefix === '' && suffix.toLowerCase() === 'ib') return undefined;
  const step = bare !== '' || suffix.toLowerCase() === 'ib' ? 1024 : 1000;
  return Number(amount) * step ** letters.indexOf((prefix || bare).toLowerCase());
}

/** Writes a size for people: `2 GB`, `1.5 KB`. */
export function formatSize(bytes: number): string {
  let [value, power] = [bytes, 0];
  // Rounded before it is compared, so that 999 960 bytes are 1 MB and not 1000 KB.
  while (rounded(value) >= 1000 && power < letters.length - 1) [value, power] = [value / 1000, power + 1];
  return `${rounded(value)} ${(letters[power] ?? '').toUpperCase()}B`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The schema of a size: text such as `2GB` or a number goes in, bytes come out. */
export const size: () => Quantity = quantity({
  parse: parseSize,
  format: formatSize,
  pattern: '^\\s*\\d+(\\.\\d+)?\\s*([kKmMgGtTpP]?[bB]|[kKmMgGtTpP]([iI][bB])?)?\\s*$',
  examples: ['2GB', '512MiB', '10G'],
  expected,
});
