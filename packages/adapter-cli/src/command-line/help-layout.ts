import { paint } from '../rendering/text/line.js';
import { wrap } from '../rendering/text/wrap.js';

/** How wide sentences are where nobody knows how wide the screen is. What is in columns is then left as long as it is. */
const sentenceColumns = 100;

/** Where the second column of a table begins. */
const secondColumn = 34;

/** Help that is broken at words for a screen this wide. */
export function laidOut(text: string, columns?: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const room = columns ?? (line.startsWith(' ') ? Number.POSITIVE_INFINITY : sentenceColumns);
    return wrap([line], room, marginOf(line));
  });
  return paint(lines, { color: false }).slice(0, -1);
}

/** The rows of a table, an argument or an option and what it means in each. */
export function helpTable(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(secondColumn - 4)}  ${right}`.trimEnd());
}

/** How far in a line goes on: in a table below its second column, in a sentence not at all. */
function marginOf(line: string): number {
  const [, left] = /^(\s+\S.*?\s{2,})\S/.exec(line) ?? [];
  if (left !== undefined) return Math.min(left.length, secondColumn);
  return line.startsWith(' ') ? line.length - line.trimStart().length + 2 : 0;
}
