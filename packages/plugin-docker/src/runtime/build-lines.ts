/** Within this time, in milliseconds, two pipes have no order between them. */
const togetherMs = 500;

/** The last lines that came from two pipes, in the order of time; of what came together, complaints are last. */
export class BuildLines {
  readonly #count: number;
  readonly #kept = { stdout: [] as Kept[], stderr: [] as Kept[] };

  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a line that was read at this time. */
  add(text: string, stream: 'stdout' | 'stderr', at: number): void {
    const kept = this.#kept[stream];
    kept.push({ text, at: stream === 'stderr' ? at + togetherMs : at });
    if (kept.length > this.#count) kept.shift();
  }

  /** As many lines as are kept, the newest last. */
  take(): string[] {
    const { stdout, stderr } = this.#kept;
    const ordered = [...stdout, ...stderr].toSorted((one, other) => one.at - other.at);
    return ordered.slice(-this.#count).map(({ text }) => text);
  }
}

interface Kept {
  readonly text: string;
  readonly at: number;
}
