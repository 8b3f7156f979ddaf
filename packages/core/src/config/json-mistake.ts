const space = /[ \t\r\n]*/y;
const token =
  /(?:"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w"])|[{}[\],:]/uy;

/** What may come next: the first of an object or an array may be its end. */
type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'more' | 'end';

/** Where a text stops to be JSON: at what cannot stand there, or at its end. Node tells that only of some mistakes. */
export function jsonMistake(text: string): number {
  const opened: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at += matchAt(space, text, at)?.length ?? 0;
    const word = matchAt(token, text, at);
    const next: Expected | undefined = word === undefined ? undefined : after(word, expected, opened);
    if (word === undefined || next === undefined) return at < text.length ? at : text.trimEnd().length;
    expected = next;
    at += word.length;
  }
}

/** What may come after a word, or nothing where the word itself may not stand there. */
function after(word: string, expected: Expected, opened: string[]): Expected | undefined {
  if (word === ':') return expected === 'colon' ? 'value' : undefined;
  if (word === ',') {
    if (expected !== 'more') return undefined;
    return opened.at(-1) === '{' ? 'key' : 'value';
  }
  if (word === '}' || word === ']') {
    const isFirst = expected === (word === '}' ? 'first-key' : 'first-item');
    const mayClose = isFirst || expected === 'more';
    if (!mayClose || opened.pop() !== (word === '}' ? '{' : '[')) return undefined;
    return opened.length === 0 ? 'end' : 'more';
  }
  if (expected === 'key' || expected === 'first-key') return word.startsWith('"') ? 'colon' : undefined;
  if (expected !== 'value' && expected !== 'first-item') return undefined;
  if (word !== '{' && word !== '[') return opened.length === 0 ? 'end' : 'more';
  opened.push(word);
  return word === '{' ? 'first-key' : 'first-item';
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
