import { terminalOrder, unseenCharacters } from '../redact/plain-text.js';

const controlCodes = new RegExp(terminalOrder, 'gu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;

/** Scripts and emoji need the joiners, and the two that choose between a character and its picture. */
const hidden = new RegExp(String.raw`(?![\u200c\u200d\ufe0e\ufe0f])${unseenCharacters}`, 'gu');

/** A text from anywhere on one line, without anything that would move the cursor, change the terminal or hide what it says. */
export function printable(text: string): string {
  return text.replace(controlCodes, '').replace(controls, ' ').replace(hidden, '');
}

/** The same for texts of several lines, which keep their line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}

/**
 * What others said, within a sentence of ours: in marks that nothing in it can end, so that nobody takes it for ours. Whoever hands sentences to
 * a model finds them by these marks.
 */
export function quoted(text: string): string {
  return `«${printable(text.trim()).replaceAll('«', '‹').replaceAll('»', '›')}»`;
}

/** What is quoted in a text. */
export const quotation = /«([^«»]*)»/g;

/** The others JSON escapes itself. */
const unescaped = /[\x7f-\x9f\u2028\u2029]/g;

/** A value as JSON that keeps everything, and in which nothing is written as itself that a terminal or a reader would take for more than a letter. */
export function printableJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  return json?.replace(unescaped, escaped).replace(hidden, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
