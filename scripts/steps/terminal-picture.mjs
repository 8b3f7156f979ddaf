/** @import { Piece } from './record-terminal.mjs' */

const [columnWidth, lineHeight, margin, barHeight] = [8.4, 20, 16, 30];
const [background, foreground] = ['#1e2127', '#d7dae0'];
/** The colours that the program uses, by their number. */
const colors = new Map([
  [1, '#f07178'],
  [2, '#98c379'],
  [3, '#e5c07b'],
  [6, '#56b6c2'],
]);

/**
 * A picture of a terminal, as SVG: text stays text, and needs no font but one whose letters are all as wide.
 * @param {Piece[][]} lines
 * @param {{ columns: number, title: string }} look
 * @returns {string}
 */
export function terminalPicture(lines, { columns, title }) {
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = barHeight + lines.length * lineHeight + margin;
  const dots = ['#e06c75', '#e5c07b', '#98c379'].map(
    (color, index) => `<circle cx="${margin + 4 + index * 18}" cy="16" r="5.5" fill="${color}"/>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${foreground}" xml:space="preserve">`,
    ...lines.flatMap((pieces, index) => pieces.map((piece) => textOf(piece, index))),
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

/**
 * Its width is given, so that columns stay columns whatever font there is.
 * @param {Piece} piece
 * @param {number} line
 * @returns {string}
 */
function textOf({ text, column, columns, color, isBold, isDim }, line) {
  const trimmed = text.trimEnd();
  const before = trimmed.length - trimmed.trimStart().length;
  const shownColumns = columns - (text.length - trimmed.length) - before;
  const attributes = [
    `x="${rounded(margin + (column + before) * columnWidth)}"`,
    `y="${barHeight + (line + 1) * lineHeight - 6}"`,
    `textLength="${rounded(shownColumns * columnWidth)}"`,
    ...(color === undefined ? [] : [`fill="${colors.get(color) ?? foreground}"`]),
    ...(isBold ? ['font-weight="bold"'] : []),
    ...(isDim ? ['opacity="0.6"'] : []),
  ];
  return `<text ${attributes.join(' ')}>${escaped(trimmed.trimStart())}</text>`;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 10) / 10;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
