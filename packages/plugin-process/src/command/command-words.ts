/** A command as it is run: its words, or a whole line for a shell and why it needs one. */
export type RunnableCommand =
  | { readonly words: readonly string[]; readonly shell?: undefined }
  | { readonly words: readonly string[]; readonly shell: { readonly because: string } };

const operators = new Set(['|', '&', ';', '<', '>', '(', ')', '\n']);
const patterns = new Set(['*', '?', '[']);
/** What only a shell knows as a command. */
const shellWords = new Set(
  [
    '.',
    ':',
    '!',
    '{',
    '[',
    'alias',
    'case',
    'cd',
    'eval',
    'exec',
    'exit',
    'export',
    'for',
    'if',
    'read',
  ].concat(['set', 'shift', 'source', 'trap', 'ulimit', 'umask', 'unset', 'until', 'wait', 'while']),
);

/**
 * Splits a command line into words as a shell would, quotes honoured. Where it uses what only a shell understands
 * (pipes, redirections, variables, patterns), the words are a shell and the line.
 */
export function commandWords(command: string | readonly string[]): RunnableCommand {
  if (typeof command !== 'string') return { words: command };
  const line = command.trim();
  const { words, needsShell } = readWords(line);
  const because = needsShell ?? needsShellByWord(line, words);
  return because === undefined ? { words } : { words: ['/bin/sh', '-c', line], shell: { because } };
}

function needsShellByWord(line: string, [first = '']: readonly string[]): string | undefined {
  if (/^\s*[a-z_]\w*=/i.test(line)) return `it sets ${/^\s*(\w+)=/.exec(line)?.[1]} for the command`;
  return shellWords.has(first) ? `${first} is a word of the shell` : undefined;
}

/** Reads words until the line ends or something turns up that only a shell can do. */
function readWords(line: string): { words: string[]; needsShell?: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    const next = line[at + 1];
    if (quote === "'") {
      if (char === quote) quote = undefined;
      else word += char;
    } else if (char === '$' || char === '`') {
      return { words, needsShell: `of the ${char}` };
    } else if (char === '\\') {
      if (next === undefined) return { words, needsShell: 'the line ends with a backslash' };
      // Inside double quotes a backslash is itself, except before what it can escape there.
      const escapes = quote === undefined ? true : '"\\$`\n'.includes(next);
      // Before the end of a line it joins the two lines.
      if (next !== '\n') word = (word ?? '') + (escapes ? next : `\\${next}`);
      at += 1;
    } else if (quote === '"') {
      if (char === quote) quote = undefined;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (operators.has(char) || patterns.has(char)) {
      return { words, needsShell: char === '\n' ? 'it has several lines' : `of the ${char}` };
    } else if ((char === '~' || char === '#') && word === undefined) {
      return { words, needsShell: `of the ${char}` };
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== undefined) return { words, needsShell: `a ${quote} is not closed` };
  if (word !== undefined) words.push(word);
  return { words };
}
