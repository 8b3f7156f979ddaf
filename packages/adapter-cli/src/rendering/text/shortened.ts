import { inStyleOf, type Line } from './line.js';

/** How much of one text is shown of its beginning and of its end: what it quotes may be a whole file. */
const kept = { first: 600, last: 300 };

/** Lines without the middle of what is too long to be read. Secrets are gone by now, so that no half of one is left. */
export function shortened(lines: readonly Line[]): Line[] {
  return lines.map((line) =>
    line.map((span) => inStyleOf(span, withoutMiddle(typeof span === 'string' ? span : span[0]))),
  );
}

function withoutMiddle(text: string): string {
  const left = text.length - kept.first - kept.last;
  if (left <= 0) return text;
  const [first, last] = [text.slice(0, kept.first), text.slice(-kept.last)];
  // A cut through the middle of a character would be no text.
  return `${first.replace(/[\uD800-\uDBFF]$/, '')}… (${left} more characters) …${last.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
