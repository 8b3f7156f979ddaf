/** A command line, taken apart as a shell would. */
export interface CommandWords {
  readonly words: readonly string[];
  /** It uses something that only a shell does: pipes, variables, patterns, several commands. */
  readonly needsShell: boolean;
}

// Outside of quotes: operators, variables, patterns, comments. A tilde counts only where a word begins.
const shellCharacters = /[|&;<>()$`*?[\]{}!\n#]/;

/**
 * Splits a command line into words as a POSIX shell does, without running one: spaces part words, quotes and
 * backslashes keep them together. Nothing is expanded. Throws when a quote is never closed.
 */
export function commandWords(line: string): CommandWords {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  let needsShell = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote === "'") {
      if (character === quote) quote = undefined;
      else word = `${word ?? ''}${character}`;
    } else if (character === '\\' && at + 1 < line.length) {
      at += 1;
      word = `${word ?? ''}${escaped(line.charAt(at), quote)}`;
    } else if (quote === '"') {
      if (character === quote) quote = undefined;
      else word = `${word ?? ''}${character}`;
      needsShell ||= character === '$' || character === '`';
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      needsShell ||= character === '\n' && words.length > 0 && line.slice(at).trim() !== '';
    } else {
      needsShell ||= shellCharacters.test(character) || (character === '~' && word === undefined);
      word = `${word ?? ''}${character}`;
    }
  }
  if (quote !== undefined)
    throw new Error(`The command ${JSON.stringify(line)} has a quote that is not closed`);
  if (word !== undefined) words.push(word);
  return { words, needsShell };
}

function escaped(character: string, quote: '"' | undefined): string {
  if (character === '\n') return '';
  // In double quotes a backslash is one unless it guards a character that means something there.
  return quote === undefined || '"\\$`'.includes(character) ? character : `\\${character}`;
}
