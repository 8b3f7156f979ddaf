import { REDACTED } from './redacted.js';

const LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?';

/** From the first line to the last, or to the end of a text that was cut off: what follows may still be the key. */
const BLOCK = new RegExp(`-----BEGIN ${LABEL}-----.*?(?:-----END ${LABEL}-----|$)`, 'gs');

/** The last line of a key whose beginning was cut off, as in the tail of a log. */
const ENDING = new RegExp(`-----END ${LABEL}-----`, 'g');

/** Removes private keys in PEM armour, whole or cut off, with real line ends or with `\n` spelled out. */
export function maskPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const blocksMasked = text.replace(BLOCK, REDACTED);
  let masked = '';
  let done = 0;
  for (const { index, 0: ending } of blocksMasked.matchAll(ENDING)) {
    masked += blocksMasked.slice(done, bodyStart(blocksMasked, index, done)) + REDACTED;
    done = index + ending.length;
  }
  return masked + blocksMasked.slice(done);
}

/** Walks back over base64 and line ends. A backslash belongs to a spelled-out line end. */
function bodyStart(text: string, end: number, limit: number): number {
  let start = end;
  while (start > limit && /[A-Za-z0-9+/=\\\r\n]/.test(text.charAt(start - 1))) start--;
  return start;
}
