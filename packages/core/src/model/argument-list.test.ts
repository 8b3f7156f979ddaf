import fc from 'fast-check';
import { expect, it } from 'vitest';
import { argumentList } from './argument-list.js';

it('puts words first, options with their values in one word, and the rest behind two dashes', () => {
  const options = {
    detach: true,
    quiet: false,
    name: 'a b',
    user: undefined,
    label: ['a=b', '-c'],
    cpus: 0.5,
  };
  expect(argumentList(['network', 'create'], options, ['-x', 1])).toEqual([
    ...[
      'network',
      'create',
      '--detach',
      '--name=a b',
      '--label=a=b',
      '--label=-c',
      '--cpus=0.5',
      '--',
      '-x',
      '1',
    ],
  ]);
  expect(argumentList(['stop', `-t=${5}`])).toEqual(['stop', '-t=5']);
});

it('makes no option of any value, and no other option of one', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (value, operands) => {
      fc.pre(![value, ...operands].some((text) => text.includes('\0')));
      const list = argumentList(['run'], { name: value }, operands);
      const end = list.indexOf('--');
      expect(list.slice(0, end < 0 ? undefined : end)).toEqual(['run', `--name=${value}`]);
      expect(end < 0 ? [] : list.slice(end + 1)).toEqual(operands);
    }),
  );
});

it('takes no NUL, and no word that is not a literal', () => {
  expect(() => argumentList(['run'], { name: 'a\0b' })).toThrow('NUL');
  expect(() => argumentList(['run'], {}, ['a\0b'])).toThrow('NUL');
  const word: string = 'run';
  // @ts-expect-error: it could be anything.
  expect(argumentList([word])).toEqual(['run']);
});
