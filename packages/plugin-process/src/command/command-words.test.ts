import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandWords } from './command-words.js';

describe('a command', () => {
  it.each([
    ['node server.js --port 80', ['node', 'server.js', '--port', '80']],
    ['  node\t server.js\n', ['node', 'server.js']],
    ['echo "a  b" \'c "d"\' e\\ f', ['echo', 'a  b', 'c "d"', 'e f']],
    ['echo "" \'\' x""y', ['echo', '', '', 'xy']],
    ['echo "a\\"b\\\\c\\d" \'\\n\'', ['echo', 'a"b\\c\\d', '\\n']],
    ["echo '$HOME | *' a=b x#y a~b", ['echo', '$HOME | *', 'a=b', 'x#y', 'a~b']],
    ['node a.js \\\n  --flag', ['node', 'a.js', '--flag']],
    ['', []],
  ])('is split into words: %s', (line, words) => {
    expect(commandWords(line)).toEqual({ words });
  });

  it.each([
    ['a | b', 'of the |'],
    ['a && b', 'of the &'],
    ['a; b', 'of the ;'],
    ['a > file', 'of the >'],
    ['a < file', 'of the <'],
    ['(a)', 'of the ('],
    ['a $HOME', 'of the $'],
    ['a "$HOME"', 'of the $'],
    ['a `b`', 'of the `'],
    ['a *.js', 'of the *'],
    ['a file?', 'of the ?'],
    ['a [ab]', 'of the ['],
    ['a ~/b', 'of the ~'],
    ['a # note', 'of the #'],
    ['a\nb', 'it has several lines'],
    ['A=1 node x', 'it sets A for the command'],
    ['cd app', 'cd is a word of the shell'],
    ['exec node x', 'exec is a word of the shell'],
    ['a "b', 'a " is not closed'],
    ["a 'b", "a ' is not closed"],
    ['a \\', 'the line ends with a backslash'],
  ])('needs a shell: %s', (line, because) => {
    expect(commandWords(line)).toEqual({ words: ['/bin/sh', '-c', line], shell: { because } });
  });

  it('is taken as it is when it is a list', () => {
    expect(commandWords(['a', '|', '$b'])).toEqual({ words: ['a', '|', '$b'] });
  });

  it('is split as the shell would, whatever is quoted', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ab $|&;*?\'"\\#~`=(\t'), minLength: 1, maxLength: 8 });
    const quoted = word.map((text) => ({ text, written: `'${text.replaceAll("'", `'\\''`)}'` }));
    fc.assert(
      fc.property(fc.array(quoted, { minLength: 1, maxLength: 5 }), (words) => {
        const line = `printf ${words.map(({ written }) => written).join(' ')}`;
        expect(commandWords(line)).toEqual({ words: ['printf', ...words.map(({ text }) => text)] });
      }),
    );
  });

  it('is split as the shell does it when it needs none', () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab  \'"\\=:-./'), maxLength: 14 });
    fc.assert(
      fc.property(line, (text) => {
        const { words, shell } = commandWords(`printf '%s\\0' ${text}`);
        if (shell) return;
        const said = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' });
        const expected = said.split('\0').slice(0, -1);
        expect(words.slice(2)).toEqual(words.length === 2 ? [] : expected);
      }),
      { numRuns: 60 },
    );
  });
});
