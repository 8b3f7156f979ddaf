/**
 * The last whole lines of a text that comes in pieces, for those who have to let go of something before its secrets are removed: half a line may
 * hold half a secret. Of a line that is too long by itself only its length is kept.
 */
export class LastLines {
  readonly #limit: number;
  #lines: string[] = [];
  #kept = 0;
  #rest = '';
  /** How much of the line that goes on was let go of already. */
  #dropped = 0;

  /** `limit`: how many characters are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes in what was printed. */
  add(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#goOn(first);
    for (const part of others) {
      this.#endLine();
      this.#goOn(part);
    }
  }

  /** What is kept. */
  toString(): string {
    return [...this.#lines, this.#line()].join('\n');
  }

  #goOn(part: string): void {
    this.#rest += part;
    if (this.#dropped === 0 && this.#rest.length <= this.#limit) return;
    this.#dropped += this.#rest.length;
    this.#rest = '';
  }

  #endLine(): void {
    const line = this.#line();
    this.#lines.push(line);
    this.#kept += line.length + 1;
    [this.#rest, this.#dropped] = ['', 0];
    while (this.#kept > this.#limit && this.#lines.length > 1)
      this.#kept -= (this.#lines.shift()?.length ?? 0) + 1;
  }

  #line(): string {
    return this.#dropped === 0 ? this.#rest : `(a line of ${this.#dropped} characters is left out)`;
  }
}

/** The last whole lines of a text. */
export function lastLinesOf(text: string, limit: number): string {
  const lines = new LastLines(limit);
  lines.add(text);
  return lines.toString();
}
