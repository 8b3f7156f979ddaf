import type { Output } from '../io.js';
import { cut, type Line, paint, widthOf } from './line.js';

const up = (rows: number) => `\x1b[${rows}A`;
const clearBelow = '\x1b[0J';

/** Lines at the end of a terminal that are drawn again and again in the same place. */
export class LiveRegion {
  readonly #output: Output;
  readonly #color: boolean;
  readonly #links: boolean;
  #widths: readonly number[] = [];

  constructor(output: Output, color: boolean, links = false) {
    this.#output = output;
    this.#color = color;
    this.#links = links;
    output.showCursor(false);
  }

  /** Draws the lines over those drawn before. What does not fit on the screen is left out. */
  draw(lines: readonly Line[]): void {
    const { columns, rows } = this.#output;
    // The last column stays free: some terminals break the line there.
    const fitting = lines.slice(0, Math.max(1, rows - 1)).map((line) => cut(line, columns - 1));
    this.#output.write(this.#back() + paint(fitting, { color: this.#color, links: this.#links }));
    this.#widths = fitting.map(widthOf);
  }

  /** Takes everything away again. */
  close(): void {
    this.#output.write(this.#back());
    this.#widths = [];
    this.#output.showCursor(true);
  }

  /** To where the drawing began, also when the terminal has become narrower and broke its lines since. */
  #back(): string {
    const columns = Math.max(1, this.#output.columns);
    const rows = this.#widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return rows === 0 ? '' : `${up(rows)}\r${clearBelow}`;
  }
}
