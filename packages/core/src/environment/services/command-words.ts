/** A command line, taken apart as a shell would. */
export interface CommandWords {
  readonly words: readonly string[];
  /** Why only a shell can run it as it is meant, where that is so: pipes, variables, patterns, several commands. */
  readonly needsShell?: string;
  /** A quote that is never closed. A shell refuses such a line. */
  readonly openQuote?: '"' | "'";
}

const operators = new Set(['|', '&', ';', '<', '>', '(', ')']);
const patterns = new Set(['*', '?', '[']);
/** What only a shell knows as a command. */
const shellWords = new Set([
  ...['.', ':', '!', '{', '[', 'alias', 'case', 'cd', 'eval', 'exec', 'exit', 'export', 'for', 'if', 'read'],
  ...['set', 'shift', 'source', 'trap', 'ulimit', 'umask', 'unset', 'until', 'wait', 'while'],
]);

/**
 * Splits a command line into words as a POSIX shell does, without running one: spaces part words, quotes and
 * backslashes keep them together. Nothing is expanded: where a shell would have done more, the words are what is written.
 */
export function commandWords(line: string): CommandWords {
  const { words, openQuote, because } = readWords(line.replace(/^[ \t\n]+/, ''));
  const needsShell = because ?? neededByWord(line, words);
  return { words, ...(needsShell === undefined ? {} : { needsShell }), ...(openQuote ? { openQuote } : {}) };
}

function neededByWord(line: string, [first = '']: readonly string[]): string | undefined {
  const variable = /^\s*([a-z_]\w*)=/i.exec(line)?.[1];
  if (variable !== undefined) return `it sets ${variable} for the command`;
  return shellWords.has(first) ? `${first} is a word of the shell` : undefined;
}

/** The words of a line, and the first thing in it that only a shell can do. */
function readWords(line: string): { words: string[]; openQuote?: '"' | "'" | undefined; because?: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  let because: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== undefined && char === quote) {
      quote = undefined;
    } else if (quote === "'") {
      word += char;
    } else if (char === '\\' && next !== '') {
      // Inside double quotes a backslash is itself, except before what it can escape there.
      const escapes = quote === undefined || '"\\$`\n'.includes(next);
      // Before the end of a line it joins the two lines.
      if (next !== '\n') word = (word ?? '') + (escapes ? next : `\\${next}`);
      at += 1;
    } else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (quote === undefined && (char === ' ' || char === '\t' || char === '\n')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (char === '\n' && line.slice(at).trim() !== '') because ??= 'it has several lines';
    } else {
      because ??= neededByCharacter(char, quote, word === undefined, next === '');
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  if (quote !== undefined) because ??= `a ${quote} is not closed`;
  return { words, openQuote: quote, ...(because === undefined ? {} : { because }) };
}

function neededByCharacter(
  char: string,
  quote: '"' | undefined,
  beginsWord: boolean,
  isLast: boolean,
): string | undefined {
  if (char === '$' || char === '`') return `of the ${char}`;
  if (quote !== undefined) return undefined;
  if (char === '\\' && isLast) return 'the line ends with a backslash';
  if ((char === '~' || char === '#') && beginsWord) return `of the ${char}`;
  return operators.has(char) || patterns.has(char) ? `of the ${char}` : undefined;
}
