import { inStyleOf, type Line, printable, type Span, textWidth, widthOf } from './line.js';

/**
 * Breaks lines that are wider than a terminal between their words, so that the terminal need not do it in the middle of one. What
 * follows is indented like the line it belongs to, and a little more.
 */
export function wrapLines(lines: readonly Line[], columns: number): Line[] {
  return lines.flatMap((line) => (widthOf(line) <= columns ? [line] : wrapLine(line, columns)));
}

/** How much deeper the rest of a line stands. */
const deeper = 2;

function wrapLine(line: Line, columns: number): Line[] {
  const indent = ' '.repeat(Math.min(indentOf(line) + deeper, columns >> 1));
  const rows: Span[][] = [[]];
  let width = 0;
  const add = (text: string, like: Span) => {
    rows.at(-1)?.push(inStyleOf(like, text));
    width += textWidth(text);
  };
  const next = () => {
    rows.push([indent]);
    width = indent.length;
  };
  for (const span of line) {
    for (const word of wordsOf(span)) {
      const needed = textWidth(word.trimEnd());
      if (width + needed > columns && width > indent.length && word.trim() !== '') next();
      for (const piece of piecesOf(word, columns - width, columns - indent.length)) {
        if (width + textWidth(piece.trimEnd()) > columns) next();
        add(piece, span);
      }
    }
  }
  return rows;
}

/** The words of a text, each with the blanks after it. */
function wordsOf(span: Span): string[] {
  return printable(typeof span === 'string' ? span : span[0]).match(/\S+\s*|\s+/g) ?? [];
}

/** A word in as many pieces as it takes: one longer than a whole line has to be broken somewhere. */
function piecesOf(word: string, first: number, others: number): string[] {
  if (textWidth(word.trimEnd()) <= Math.max(first, 0)) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    const room = pieces.length === 0 && first > 0 ? first : others;
    if (character !== ' ' && piece !== '' && textWidth(piece + character) > room) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

function indentOf(line: Line): number {
  const text = line.map((span) => (typeof span === 'string' ? span : span[0])).join('');
  return text.length - text.trimStart().length;
}
