import type { TimedLine } from './log-line.js';

/** How many pieces of lines the engine is asked for, so that so many lines are among them: it counts pieces, of which a long line has many. */
export function tailFor(lines: number): number {
  return lines === 0 ? 0 : lines + 64;
}

/** The newest lines of a log of any length, in the order of time. Each stream is in order for itself, the two are not. */
export class NewestLines {
  readonly #count: number;
  readonly #asked: number;
  #pieces = 0;
  readonly #first = new Map<TimedLine['line']['stream'], TimedLine>();
  readonly #streams: Readonly<Record<TimedLine['line']['stream'], TimedLine[]>> = { stdout: [], stderr: [] };

  /** Keeps so many; left out, all of them. `asked`: how many pieces the engine was asked for, when it was not for all. */
  constructor(count = Number.POSITIVE_INFINITY, asked = Number.POSITIVE_INFINITY) {
    this.#count = count;
    this.#asked = asked;
  }

  add(line: TimedLine): void {
    const { stream } = line.line;
    const lines = this.#streams[stream];
    if (!this.#first.has(stream)) this.#first.set(stream, line);
    this.#pieces += line.pieces;
    lines.push(line);
    // Not at each line: to take away the first moves all the others.
    if (lines.length > 2 * this.#count) lines.splice(0, lines.length - this.#count);
  }

  take(): TimedLine[] {
    const { stdout, stderr } = this.#streams;
    // What the engine begins with may be the end of a line, and half a secret.
    const isCut = this.#pieces >= this.#asked;
    const isWhole = (line: TimedLine) => !isCut || this.#first.get(line.line.stream) !== line;
    const ordered = [...stdout, ...stderr]
      .filter(isWhole)
      .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
    return ordered.slice(Math.max(0, ordered.length - this.#count));
  }
}
