import { nearest } from '@argusai/core';

/** What can be written: options that take a value, options that take none, and words that stand alone. */
export interface Writable {
  readonly valued: readonly string[];
  readonly flags: readonly string[];
  /** What a word that stands alone is, and which there are. */
  readonly words: { readonly kind: string; readonly known: readonly string[] };
}

/** What the server takes. */
export const writable: Writable = {
  valued: ['project', 'allow', 'patience', 'standstill', 'host', 'port', 'socket'],
  flags: ['read-only', 'http', 'version', 'help'],
  words: { kind: 'command', known: ['install'] },
};

/** The first word that there is not, with the one that was most likely meant; nothing when all of them exist. */
export function unknownWord(argv: readonly string[], { valued, flags, words }: Writable): string | undefined {
  for (let index = 0; index < argv.length; index++) {
    const [word = '', value] = (argv[index] ?? '').split(/=(.*)/s);
    if (!word.startsWith('-')) {
      if (!words.known.includes(word)) return missing(words.kind, word, words.known, '');
      continue;
    }
    const name = word.replace(/^-+/, '');
    const known = [...valued, ...flags];
    if (!known.includes(name)) return missing('option', word, known, '--');
    if (valued.includes(name) && value === undefined) index++;
  }
  return undefined;
}

function missing(kind: string, word: string, known: readonly string[], dashes: string): string {
  const meant = nearest(word.replace(/^-+/, ''), known);
  const hint = meant === undefined ? `there are ${known.map((one) => `${dashes}${one}`).join(', ')}` : '';
  return `There is no ${kind} ${word}; ${hint || `did you mean ${dashes}${meant}?`}`;
}
