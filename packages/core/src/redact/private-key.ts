import { maskKeyLines } from './key-lines.js';
import { isWord, keyMarks, runsIn, wholeKeys } from './key-material.js';
import { REDACTED } from './redacted.js';

/** The end of a line, real or spelled out, perhaps more than once. */
const LINE_END = /((?:\\+r)?\\+n|\r?\n)/;

/** Removes private keys in PEM armour, whole or cut off, with real line ends or with `\n` spelled out. */
export function maskPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const wholeMasked = text.replace(wholeKeys(), REDACTED);
  if (!keyMarks().test(wholeMasked)) return wholeMasked;
  const parts = wholeMasked.split(LINE_END);
  const lines = parts.filter((_, at) => at % 2 === 0);
  const safe = maskKeyLines(lines).map(maskMarks);
  return joined(
    lines.map((line, at) => ({
      text: safe[at] ?? '',
      isMasked: safe[at] !== line,
      lineEnd: parts[at * 2 + 1] ?? '',
    })),
  );
}

/** What is left of a key is one replacement, however many lines it had. */
function joined(lines: readonly { text: string; isMasked: boolean; lineEnd: string }[]): string {
  let all = '';
  // Empty lines belong to a key when there is more of it after them.
  let between = '';
  for (const { text, isMasked, lineEnd } of lines) {
    const rest = text.trimStart();
    if (rest === '') {
      between += text + lineEnd;
      continue;
    }
    const goesOn = isMasked && rest.startsWith(REDACTED) && all.endsWith(REDACTED);
    all += goesOn ? rest.slice(REDACTED.length) : between + text;
    between = lineEnd;
  }
  return all + between;
}

/** Replaces the first and the last lines of keys within one line, with what is of the key beside them. */
function maskMarks(line: string): string {
  let safe = '';
  let done = 0;
  const marks = [...line.matchAll(keyMarks())];
  for (const [at, { index, 0: mark, 1: kind }] of marks.entries()) {
    const end = index + mark.length;
    const start = kind === 'END' ? bodyStart(line, index, done) : index;
    const next = marks[at + 1]?.index ?? line.length;
    safe += line.slice(done, start) + REDACTED;
    done = kind === 'BEGIN' && hasBody(line.slice(end, next)) ? next : end;
  }
  return safe + line.slice(done);
}

/** Whether something follows the first line of a key that may be the key, such as one with spaces for line ends. */
function hasBody(rest: string): boolean {
  return runsIn(rest).some(({ start, end }) => end - start >= 12 && !isWord(rest.slice(start, end)));
}

/** Walks back over base64. */
function bodyStart(text: string, end: number, limit: number): number {
  let start = end;
  while (start > limit && /[A-Za-z0-9+/=]/.test(text.charAt(start - 1))) start--;
  return start;
}
