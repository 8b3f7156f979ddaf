import type { TimedLine } from './log-line.js';

/** The newest lines of a log of any length, in the order of time. Each stream is in order for itself, the two are not. */
export class NewestLines {
  readonly #count: number;
  readonly #streams: Readonly<Record<TimedLine['line']['stream'], TimedLine[]>> = { stdout: [], stderr: [] };

  /** Keeps so many; left out, all of them. */
  constructor(count = Number.POSITIVE_INFINITY) {
    this.#count = count;
  }

  add(line: TimedLine): void {
    const lines = this.#streams[line.line.stream];
    lines.push(line);
    // Not at each line: to take away the first moves all the others.
    if (lines.length > 2 * this.#count) lines.splice(0, lines.length - this.#count);
  }

  take(): TimedLine[] {
    const { stdout, stderr } = this.#streams;
    const ordered = [...stdout, ...stderr].sort((one, other) =>
      one.time < other.time ? -1 : one.time > other.time ? 1 : 0,
    );
    return ordered.slice(Math.max(0, ordered.length - this.#count));
  }
}
