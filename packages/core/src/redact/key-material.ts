import type { Span } from './phrase-finder.js';

const LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?';

/** The first or the last line of a private key in PEM armour. */
export const keyMarks = () => new RegExp(`-----(BEGIN|END) ${LABEL}-----`, 'g');

/** The first line of a private key to its last, without another first line between them. */
export const wholeKeys = () =>
  new RegExp(`-----BEGIN ${LABEL}-----(?:(?!-----BEGIN ).)*?-----END ${LABEL}-----`, 'gs');

/** Base64 and its padding, which may be all that is on the last line. */
const RUN = /[A-Za-z0-9+/]+={0,2}|={1,2}/g;

/** Lines of a key are longer than this, except for its last. */
const LONG = 32;

/** No word is as long as this. */
const LONGEST_WORD = 40;

/** A longer line is either one long run or no line of a key; to try all its words would take too long. */
const LONGEST_LINE = 2_000;

/** What is written before and after a line of a key, such as the time; numbers count as equal. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** The frame of a part of a line. */
export function frameOf(line: string, { start, end }: Span): Frame {
  return { before: plain(line.slice(0, start)), after: plain(line.slice(end)) };
}

/** The runs of base64 in a line; every word is one. */
export function runsIn(line: string): Span[] {
  return [...line.matchAll(RUN)].map(({ index, 0: run }) => ({ start: index, end: index + run.length }));
}

/** The run that can be nothing else than a line of a key or the like, whatever stands around it. */
export function longRun(line: string): Span | undefined {
  return runsIn(line).find((run) => {
    const text = line.slice(run.start, run.end);
    // A digest is no key, and is often printed.
    return text.length >= LONG && !isWord(text) && !/^[0-9a-f]+$/.test(text);
  });
}

/** The run that is all there is of a line within a frame, or within the beginning of it: `key: -----BEGIN` is followed by bare lines. */
export function runWithin(line: string, frame: Frame): Span | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  return runsIn(line).find((run) => {
    const { before, after } = frameOf(line, run);
    return frame.before.startsWith(before) && (after === '' || after === frame.after);
  });
}

/** A word, a number or a path, which are base64 as well. */
export function isWord(text: string): boolean {
  if (text.length >= LONGEST_WORD) return false;
  return /^(?:\/?[A-Z]?[a-z]+(?=[/A-Z]|$))+$|^[A-Z]+$|^\d+$/.test(text);
}

/** The sum at the end of a PGP key. */
export function checksumIn(line: string): Span | undefined {
  const found = /(?<![A-Za-z0-9+/=])=[A-Za-z0-9+/]{4}(?![A-Za-z0-9+/=])/.exec(line);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

function plain(text: string): string {
  return text
    .replace(/\d+(?:[.:,]\d+)*/g, '0')
    .replace(/\s+/g, ' ')
    .trim();
}
