/** A text between quotes, as bash and zsh read it: nothing in it means anything to them. */
export function quotedWord(text: string): string {
  return `'${oneLine(text).replaceAll("'", `'\\''`)}'`;
}

/** A text between quotes, as fish reads it. */
export function fishWord(text: string): string {
  return `'${oneLine(text).replace(/[\\']/g, '\\$&')}'`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Control}\u2028\u2029]+/gu, ' ').trim();
}
