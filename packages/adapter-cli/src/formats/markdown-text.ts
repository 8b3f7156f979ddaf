/**
 * A text as it is, on one line and in a cell of a table, whatever it is made of. Markdown takes a character that is written
 * as a number for nothing but that character.
 */
export function markdownText(text: string): string {
  return text
    .replace(/[\\`*_~$|<>&[\]{}#!]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s*\n\s*/g, '<br>');
}
