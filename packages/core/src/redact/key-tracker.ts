import {
  checksumIn,
  type Frame,
  frameOf,
  isWord,
  keyMarks,
  longRun,
  runsIn,
  runWithin,
} from './key-material.js';
import type { Span } from './phrase-finder.js';
import { REDACTED } from './redacted.js';

/** So many lines that are none of the key may come between its lines, from whoever else prints there. */
const MAX_OTHERS = 20;

/** The shortest first line of a key that is believed. */
const MIN_FIRST = 12;

/** How long the lines of a key are, as they are written by everyone. */
const isUsualWidth = ({ start, end }: Span) => end - start >= 60 && end - start <= 80;

/** What may stand between the first line of a key and the key. */
const HEADER = /(?<![\w-])(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): /;

/** Of the lines of keys that were seen, so many are recognised when they come again. */
const MAX_REMEMBERED = 2_000;

/** Inside a key: what was seen of it last, and what its lines look like. */
interface Inside {
  readonly seen: 'first line' | 'body' | 'last of body';
  readonly frame: Frame;
  readonly width: number;
  /** How many lines since then were none of it. */
  readonly others: number;
}

/** Follows the lines of one source, and takes out those of private keys. The first and last line of a key stay, since one is enough to tell. */
export class KeyTracker {
  readonly #remembered: Set<string>;
  #at: 'outside' | 'unknown' | Inside;

  /** `from`: whether the source is read from its beginning, or perhaps from within a key. */
  constructor({
    from = 'outside',
    remembered = new Set(),
  }: {
    from?: 'outside' | 'unknown';
    remembered?: Set<string>;
  } = {}) {
    this.#at = from;
    this.#remembered = remembered;
  }

  /** The next line, without what is of a key. */
  next(line: string): string {
    if (line.includes('-----')) {
      const mark = [...line.matchAll(keyMarks())].at(-1);
      if (mark) {
        const frame = frameOf(line, { start: mark.index, end: mark.index + mark[0].length });
        this.#at = mark[1] === 'BEGIN' ? { seen: 'first line', frame, width: 0, others: 0 } : 'outside';
        return line;
      }
      // A certificate and the like may be seen.
      if (line.includes('-----BEGIN ')) this.#at = 'outside';
    }
    if (this.#at === 'outside' && this.#remembered.size === 0) return line;
    const found = this.#find(line);
    return found ? masked(line, found) : line;
  }

  #find(line: string): Span | undefined {
    if (line.trim() === '') return undefined;
    if (this.#at === 'outside') return this.#enter(line, longRun(line), (text) => this.#remembered.has(text));
    if (this.#at === 'unknown') {
      const run = longRun(line);
      this.#at = 'outside';
      if (run && isUsualWidth(run)) return this.#enter(line, run);
      const [only] = runsIn(line);
      const isAll = only && line.slice(only.start, only.end) === line.trim();
      // What is shorter may be any output, and is too little of a key to be worth anything.
      return isAll && line.trim().length >= MIN_FIRST && !isWord(line.trim()) ? only : undefined;
    }
    return this.#findInside(line, this.#at);
  }

  #findInside(line: string, inside: Inside): Span | undefined {
    const { seen, frame, width, others } = inside;
    const header = seen === 'first line' ? HEADER.exec(line) : null;
    if (header) return { start: header.index, end: line.trimEnd().length };
    const long = longRun(line);
    if (long) return this.#enter(line, long);
    const sum = seen === 'first line' ? undefined : checksumIn(line);
    if (sum) return sum;
    const run = runWithin(line, frame);
    const length = run ? run.end - run.start : 0;
    const isPlain = run === undefined || isWord(line.slice(run.start, run.end));
    // After a full line the next may be the last and look like a word.
    const isNext = seen === 'body' && (!isPlain || (others === 0 && length <= width));
    if (run && (isNext || (seen === 'first line' && !isPlain && length >= MIN_FIRST))) {
      const isLast = length < width;
      this.#at = {
        ...inside,
        seen: isLast ? 'last of body' : 'body',
        width: Math.max(width, length),
        others: 0,
      };
      return run;
    }
    this.#at = others < MAX_OTHERS ? { ...inside, others: others + 1 } : 'outside';
    return undefined;
  }

  /** A line of the body was found. */
  #enter(line: string, run: Span | undefined, isOne = (_: string) => true): Span | undefined {
    const text = run && line.slice(run.start, run.end);
    if (!run || text === undefined || !isOne(text)) return undefined;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(text);
    this.#at = { seen: 'body', frame: frameOf(line, run), width: text.length, others: 0 };
    return run;
  }
}

/** The line with a part of it replaced. */
export function masked(line: string, { start, end }: Span): string {
  return line.slice(0, start) + REDACTED + line.slice(end);
}
