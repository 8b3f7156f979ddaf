import type { Claim, Output } from '../../io.js';
import { cut, type Line, paint, widthOf } from '../text/line.js';

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const down = (rows: number) => (rows > 0 ? `\x1b[${rows}B` : '');
const clearRest = '\x1b[K';
const clearBelow = '\x1b[0J';

/** A line as it stands on the terminal. */
interface Drawn {
  readonly text: string;
  readonly width: number;
}

/** How the lines are drawn. */
export interface LiveLook {
  readonly color: boolean;
  /** Whether the terminal understands links. */
  readonly links?: boolean;
  /** Outputs that may be the same terminal. */
  readonly others?: readonly Output[];
}

/**
 * Lines at the end of a terminal that are drawn again and again in the same place; only those that have changed are
 * written. What others write meanwhile comes above them.
 */
export class LiveRegion {
  readonly #output: Output;
  readonly #look: LiveLook;
  readonly #claims: readonly Claim[];
  #drawn: readonly Drawn[] = [];
  #columns = 0;
  /** Whether every line was drawn, or some had no room. */
  #isWhole = true;

  constructor(output: Output, look: LiveLook) {
    this.#output = output;
    this.#look = look;
    const claims = [output, ...(look.others ?? [])].map((one) => one.claim?.((text) => this.#above(text)));
    this.#claims = claims.filter((claim) => claim !== undefined);
    output.showCursor(false);
  }

  /** Draws the lines over those drawn before. Where there is no room for all, those before the last are left out. */
  draw(lines: readonly Line[]): void {
    const { columns, rows } = this.#output;
    const room = Math.max(1, rows - 1);
    const last = lines.at(-1) ?? [];
    const fitting = lines.length <= room ? lines : [...lines.slice(0, room - 1), last];
    // The last column stays free: some terminals break the line there.
    const cutLines = fitting.map((line) => cut(line, columns - 1));
    this.#put(cutLines);
    this.#isWhole = fitting === lines;
  }

  /** Leaves these lines where the others were, however many they are, and ends. */
  finish(lines: readonly Line[]): void {
    if (!this.#isWhole) this.#erase();
    this.#put(lines);
    this.#end();
  }

  /** Takes everything away again, and ends. */
  close(): void {
    this.#erase();
    this.#end();
  }

  #put(lines: readonly Line[]): void {
    const drawn = lines.map((line) => ({
      text: paint([line], this.#look).slice(0, -1),
      width: widthOf(line),
    }));
    const isSamePlace = this.#columns === this.#output.columns && drawn.length >= this.#drawn.length;
    // In one piece, so that the screen is never seen without it.
    this.#write(isSamePlace ? changes(this.#drawn, drawn) : this.#back() + changes([], drawn));
    this.#drawn = drawn;
    this.#columns = this.#output.columns;
  }

  #erase(): void {
    this.#write(this.#back());
    this.#drawn = [];
  }

  /** What somebody else has to say stays, and the lines go on below it. */
  #above(text: string): void {
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    this.#write(this.#back() + whole + changes([], this.#drawn));
  }

  #end(): void {
    this.#drawn = [];
    for (const claim of this.#claims) claim.release();
    this.#output.showCursor(true);
  }

  #write(text: string): void {
    if (text !== '') (this.#claims[0] ?? this.#output).write(text);
  }

  /** To where the drawing began, also when the terminal has become narrower and broke its lines since. */
  #back(): string {
    const columns = Math.max(1, this.#output.columns);
    const rows = this.#drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return rows === 0 ? '' : `${up(rows)}\r${clearBelow}`;
  }
}

/** What turns the lines before into those after, from the line below them and back to it. */
function changes(before: readonly Drawn[], after: readonly Drawn[]): string {
  let text = '';
  let row = before.length;
  const goTo = (to: number) => (to < row ? up(row - to) : down(to - row));
  for (const [index, line] of after.slice(0, before.length).entries()) {
    if (line.text === before[index]?.text) continue;
    text += `${goTo(index)}\r${line.text}${clearRest}`;
    row = index;
  }
  if (text !== '') text += `${goTo(before.length)}\r`;
  const added = after.slice(before.length).map((line) => `${line.text}${clearRest}\n`);
  return text + added.join('');
}
