import { printable } from '@argusai/core';
import { inStyleOf, type Line, type Span, textWidth, widthOf } from './line.js';

/** A piece that is not broken: a word, the space between two words, or a command to type. */
interface Piece {
  readonly text: string;
  /** What it is a piece of. */
  readonly of: Span;
  readonly isSpace: boolean;
}

/** How much further in the second line of a text begins. */
const hanging = 2;

/** Breaks a line at words so that none is wider than this. What comes after the first is indented, if not told otherwise a little more than it. */
export function wrap(line: Line, columns: number, margin = marginOf(line)): Line[] {
  if (widthOf(line) <= columns) return [line];
  // Where there is no room for an indentation worth the name, none is better.
  const indent = margin * 2 > columns ? 0 : margin;
  const lines: Span[][] = [[]];
  let width = 0;
  for (const piece of line.flatMap((span) => piecesOf(span, columns - indent))) {
    const last = lines.at(-1) ?? [];
    const isFirstWord = lines.length > 1 && width === indent;
    if (piece.isSpace && isFirstWord) continue;
    if (width + textWidth(piece.text) <= columns || isFirstWord || (width === 0 && lines.length === 1)) {
      last.push(inStyleOf(piece.of, piece.text));
      width += textWidth(piece.text);
    } else if (!piece.isSpace) {
      lines.push([' '.repeat(indent), inStyleOf(piece.of, piece.text)]);
      width = indent + textWidth(piece.text);
    } else {
      lines.push([' '.repeat(indent)]);
      width = indent;
    }
  }
  return lines.map(trimmed);
}

function marginOf([first = '']: Line): number {
  const opening = textOf(first);
  return opening.length - opening.trimStart().length + hanging;
}

/** Breaks every line that is too wide. */
export function wrapLines(lines: readonly Line[], columns: number): Line[] {
  return lines.flatMap((line) => wrap(line, columns));
}

function piecesOf(span: Span, room: number): Piece[] {
  const text = printable(textOf(span));
  // Commands are drawn in this colour; broken in two they could not be copied.
  if (span[1] === 'cyan' && textWidth(text) <= room) return [{ text, of: span, isSpace: false }];
  const pieces = (text.match(/\s+|\S+/g) ?? []).flatMap((piece) => chunks(piece, room));
  return pieces.map((piece) => ({ text: piece, of: span, isSpace: piece.trim() === '' }));
}

/** A word that no line has room for, such as a long path, in parts: to cut it off would lose it. */
function chunks(word: string, room: number): string[] {
  if (textWidth(word) <= room) return [word];
  const parts = [''];
  for (const character of word) {
    const last = parts.at(-1) ?? '';
    if (last !== '' && textWidth(last + character) > room) parts.push(character);
    else parts[parts.length - 1] = last + character;
  }
  return parts;
}

function textOf(span: Span): string {
  return typeof span === 'string' ? span : span[0];
}

/** Without spaces at its end, which would count as width. */
function trimmed(line: readonly Span[]): Span[] {
  const end = line.findLastIndex((span) => textOf(span).trim() !== '');
  return line.slice(0, end + 1);
}
