import type { Io } from '../../io.js';

const plain: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '·': '.',
  '…': '~',
  '→': '>',
  '’': "'",
  '⠋': '|',
  '⠙': '/',
  '⠹': '-',
  '⠸': '\\',
  '⠼': '|',
  '⠴': '/',
  '⠦': '-',
  '⠧': '\\',
  '⠇': '|',
  '⠏': '/',
};
const drawn = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');

/** Whether the user has said that his terminal shows nothing but ASCII. One who has said nothing most likely can show all. */
export function wantsAscii({ LC_ALL, LC_CTYPE, LANG }: Io['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return locale ? !/utf-?8/i.test(locale) : false;
}

/** What we draw with, in ASCII and as wide as before. What others have written stays as it is. */
export function toAscii(text: string): string {
  return text.replace(drawn, (character) => plain[character] ?? character);
}
