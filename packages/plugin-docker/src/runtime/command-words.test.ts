import { execFile } from 'node:child_process';
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
    `"" '' x`,
    `"a\\"b\\\\c\\d" \\'`,
    'tab\tseparated',
    'a\\\nb c',
    `it\\'s`,
    '"a\\\nb"',
  ])('%j has the words that a shell finds in it', async (line) => {
    const { words, needsShell } = commandWords(line);
    expect(words).toEqual(await shellWords(line));
    expect(needsShell).toBe(false);
  });

  it.each([
    'pg_isready || exit 1',
    'a | b',
    'a; b',
    'a && b',
    'echo $HOME',
    'echo "$HOME"',
    'echo "`id`"',
    'ls *.js',
    'cat < x',
    'sleep 1 &',
    'cat ~/x',
    'a\nb',
    '(a)',
  ])('%j needs a shell', (line) => {
    expect(commandWords(line).needsShell).toBe(true);
  });

  it.each([`echo '$HOME | x'`, 'echo \\$HOME', 'a~b', 'echo "\\$x"', 'a\n', '\na', '--flag=x,y:z@1'])(
    '%j needs none',
    (line) => {
      expect(commandWords(line).needsShell).toBe(false);
    },
  );

  it('with a quote that is never closed is refused', () => {
    expect(() => commandWords('echo "a')).toThrow('has a quote that is not closed');
    expect(() => commandWords("echo 'a")).toThrow('"echo \'a"');
  });

  it('of words that were quoted has those words', () => {
    const single = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    const double = (word: string) => `"${word.replace(/["\\$`]/g, '\\$&')}"`;
    const escaped = (word: string) =>
      word === '' ? `''` : word.replace(/[^\n]/gsu, '\\$&').replaceAll('\n', `'\n'`);
    const quoted = fc.tuple(fc.string(), fc.constantFrom(single, double, escaped));
    fc.assert(
      fc.property(fc.array(quoted), (list) => {
        const line = list.map(([word, quote]) => quote(word)).join(' ');
        expect(commandWords(line)).toEqual({ words: list.map(([word]) => word), needsShell: false });
      }),
    );
  });
});
