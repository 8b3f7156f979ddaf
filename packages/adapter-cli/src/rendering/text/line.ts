import { styleText } from 'node:util';
import { printable } from '@argusai/core';
import { toAscii } from './ascii.js';
import { linked } from './hyperlink.js';

/** How a piece of text is drawn. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'blue' | 'magenta';

/** A piece of text in one style, perhaps with where a click on it leads. */
export type Span = string | readonly [text: string, style: Style, link?: string];

/** One line, free of control codes until it is painted. */
export type Line = readonly Span[];

/** How lines become text. */
export interface Paint {
  readonly color: boolean;
  /** Longer lines are cut; without it they are left to the terminal. */
  readonly columns?: number;
  /** Whether what has a link can be clicked; the terminal has to understand that. */
  readonly links?: boolean;
  /** Whether what we draw with is ASCII. */
  readonly ascii?: boolean;
}

/** Turns lines into text with a line break after each. */
export function paint(
  lines: readonly Line[],
  { color, columns, links = false, ascii = false }: Paint,
): string {
  const text = lines
    .map((line) => `${paintLine(columns === undefined ? line : cut(line, columns), color, links)}\n`)
    .join('');
  return ascii ? toAscii(text) : text;
}

function paintLine(line: Line, color: boolean, links: boolean): string {
  const spans = line.map((span) => {
    if (typeof span === 'string') return printable(span);
    const text = printable(span[0]);
    const styled = color && text !== '' ? styleText(span[1], text, { validateStream: false }) : text;
    return links && span[2] !== undefined ? linked(styled, span[2]) : styled;
  });
  const text = spans.join('');
  return color ? text : text.trimEnd();
}

/** The line as far as it fits. */
export function cut(line: Line, columns: number): Line {
  let left = columns;
  if (widthOf(line) <= columns) return line;
  const kept: Span[] = [];
  for (const span of line) {
    const text = printable(typeof span === 'string' ? span : span[0]);
    const shortened = cutText(text, left - 1);
    left -= textWidth(shortened);
    kept.push(inStyleOf(span, shortened));
    if (shortened !== text) break;
  }
  return columns < 1 ? [] : [...kept, '…'];
}

/** Another text in the style of a piece, and with its link. */
export function inStyleOf(span: Span, text: string): Span {
  if (typeof span === 'string') return text;
  const [, ...rest] = span;
  return [text, ...rest];
}

function cutText(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns) return kept;
    kept += character;
  }
  return kept;
}

/** How many columns a line takes. */
export function widthOf(line: Line): number {
  return line.reduce((sum, span) => sum + textWidth(printable(typeof span === 'string' ? span : span[0])), 0);
}

/** How many columns a text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

const mark = /^\p{Mark}|\u200d|\ufe0f$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}$/u;

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (mark.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
