import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandWords } from './command-words.js';

/** What a real shell makes of a line. */
async function shellWords(line: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\0' ${line}`]);
  return stdout.split('\0').slice(0, -1);
}

describe('a command line', () => {
  it.each([
    'node server.js --port 3000',
    `  sh   -c 'echo "a  b"; exit 1'  `,
    `say "a 'b' c" 'd "e" f' g\\ h`,
    `a"b"'c'd`,
    `"" '' x""y`,
    `"a\\"b\\\\c\\d" \\' '\\n'`,
    'tab\tseparated',
    'a\\\nb c',
    'a \\\n  --flag',
    'ends with a space\\ ',
    `it\\'s`,
    '"a\\\nb"',
    "'$HOME | *' a=b x#y a~b a]b {x} n!",
    'a\u00a0b',
  ])('%j has the words that a shell finds in it, and needs none', async (line) => {
    expect(commandWords(line)).toEqual({ words: await shellWords(line) });
  });

  it.each([
    ['', []],
    [' \n', []],
    ['a\n', ['a']],
    ['\n  a\t\n', ['a']],
  ])('%j may have space around it', (line, words) => {
    expect(commandWords(line)).toEqual({ words });
  });

  it.each([
    ['a | b', 'of the |'],
    ['a && b', 'of the &'],
    ['sleep 1 &', 'of the &'],
    ['a; b', 'of the ;'],
    ['a > file', 'of the >'],
    ['a < file', 'of the <'],
    ['(a)', 'of the ('],
    ['a $HOME', 'of the $'],
    ['a "$HOME"', 'of the $'],
    ['a `b`', 'of the `'],
    ['a "`b`"', 'of the `'],
    ['a *.js', 'of the *'],
    ['a file?', 'of the ?'],
    ['a [ab]', 'of the ['],
    ['a ~/b', 'of the ~'],
    ['a # note', 'of the #'],
    ['a\nb', 'it has several lines'],
    ['A=1 node x', 'it sets A for the command'],
    ['cd app', 'cd is a word of the shell'],
    ['exec node x', 'exec is a word of the shell'],
    ['! true', '! is a word of the shell'],
    ['a \\', 'the line ends with a backslash'],
  ])('%j needs a shell: %s', (line, because) => {
    const { needsShell, openQuote } = commandWords(line);
    expect(needsShell).toBe(because);
    expect(openQuote).toBeUndefined();
  });

  it('that needs a shell has its words as they are written, for those who have none', () => {
    expect(commandWords('sh -c "echo $HOME; exit 1" a*').words).toEqual([
      'sh',
      '-c',
      'echo $HOME; exit 1',
      'a*',
    ]);
  });

  it.each(['"', "'"])('with a %s that is never closed says so', (quote) => {
    const because = `a ${quote} is not closed`;
    expect(commandWords(`a ${quote}b`)).toEqual({
      words: ['a', 'b'],
      needsShell: because,
      openQuote: quote,
    });
  });

  it('of words that were quoted has those words', () => {
    const single = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    const double = (word: string) => `"${word.replace(/["\\$`]/g, '\\$&')}"`;
    const escaped = (word: string) =>
      word === '' ? `''` : word.replace(/[^\n]/gsu, '\\$&').replaceAll('\n', `'\n'`);
    const quoted = fc.tuple(fc.string(), fc.constantFrom(single, double, escaped));
    fc.assert(
      fc.property(fc.array(quoted), (list) => {
        const line = ['run', ...list.map(([word, quote]) => quote(word))].join(' ');
        expect(commandWords(line)).toEqual({ words: ['run', ...list.map(([word]) => word)] });
      }),
    );
  });

  it('is split as the shell does it when it needs none', () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab  \'"\\=:-./'), maxLength: 14 });
    fc.assert(
      fc.property(line, (text) => {
        const { words, needsShell } = commandWords(`printf '%s\\0' ${text}`);
        if (needsShell !== undefined) return;
        const said = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' });
        // With nothing to print, printf prints an empty word.
        const expected = words.length === 2 ? [''] : words.slice(2);
        expect(said.split('\0').slice(0, -1)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
