import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputField } from './input-fields.js';
import { parseInput } from './parse-input.js';

const field = (key: string, rest: Partial<InputField> = {}): InputField => ({
  key,
  option: key,
  kind: 'text',
  many: false,
  required: false,
  ...rest,
});

const fields = [
  field('circuit', { required: true }),
  field('dry', { kind: 'boolean' }),
  field('retries', { kind: 'number' }),
  field('only', { many: true }),
  field('sizes', { kind: 'number', many: true }),
  field('env', { kind: 'json' }),
  field('steps', { kind: 'json', many: true }),
  field('rows', { kind: 'json', many: true, holdsLists: true }),
];
const parse = (...rest: string[]) => parseInput('demo', fields, rest);

describe('parseInput', () => {
  it('takes a required text as an argument or as an option', () => {
    expect(parse('docker')).toEqual({ circuit: 'docker' });
    expect(parse('--circuit', 'docker')).toEqual({ circuit: 'docker' });
    expect(parse('--dry', 'docker')).toEqual({ circuit: 'docker', dry: true });
  });

  it('takes one that may be left out as an argument where it has its place there', () => {
    const optional = [field('name', { placement: { at: 'arguments', shown: 'NAME' } })];
    expect(parseInput('demo', optional, ['docker'])).toEqual({ name: 'docker' });
    expect(parseInput('demo', optional, [])).toEqual({});
    expect(() => parseInput('demo', optional, ['a', 'b'])).toThrow('does not know what to do with b');
  });

  it('takes everything after -- as an argument', () => {
    expect(parse('--', '--dry')).toEqual({ circuit: '--dry' });
  });

  it.each([
    [['--dry'], { dry: true }],
    [['--dry=true'], { dry: true }],
    [['--dry=false'], { dry: false }],
    [['--no-dry'], { dry: false }],
    [['--retries', '3'], { retries: 3 }],
    [['--retries', '-1'], { retries: -1 }],
    [['--retries', 'many'], { retries: 'many' }],
    [['--only', 'a,b', '--only=c, d,'], { only: ['a', 'b', 'c', 'd'] }],
    [['--only=--odd'], { only: ['--odd'] }],
    [['--sizes', '1,2'], { sizes: [1, 2] }],
    [['--env', '{"A":"b"}'], { env: { A: 'b' } }],
    [['--env', 'plain'], { env: 'plain' }],
    [['--steps', '{"a":[1,2]}', '--steps', '3'], { steps: [{ a: [1, 2] }, 3] }],
    [['--steps', '[{"a":1},2]', '--steps', '3'], { steps: [{ a: 1 }, 2, 3] }],
    [['--only', '["a, b",""]', '--only', 'c'], { only: ['a, b', '', 'c'] }],
    [['--only', '[a,b'], { only: ['[a', 'b'] }],
    [['--sizes', '[1,2]'], { sizes: [1, 2] }],
    [['--rows', '[1,2]', '--rows', '[3]'], { rows: [[1, 2], [3]] }],
  ])('reads %j', (args, expected) => {
    expect(parse('x', ...args)).toEqual({ circuit: 'x', ...expected });
  });

  it.each([
    [['x', 'y'], 'argus demo does not know what to do with y; did you mean --only y?'],
    [[], 'argus demo needs CIRCUIT'],
    [['x', '--dyr'], 'argus demo has no option --dyr; did you mean --dry?'],
    [['x', '-d'], 'argus demo has no option -d'],
    [['x', '--no-only'], 'argus demo has no option --no-only'],
    [['x', '--no-dry=1'], 'argus demo has no option --no-dry'],
    [['x', '--dry=perhaps'], '--dry is true or false, not perhaps'],
    [['x', '--only'], '--only needs a value'],
    [['x', '--only', '--dry'], '--only needs a value'],
    [['x', '--retries', '1', '--retries', '2'], '--retries is given twice'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('understands or refuses any arguments, and never breaks', () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom('--', '--dry', '--only', '--env=', '--no-dry', '-', '--='),
    );
    fc.assert(
      fc.property(fc.array(words), (args) => {
        try {
          expect(parse(...args)).toHaveProperty('circuit');
        } catch (error) {
          expect(error).toHaveProperty('code', 'USAGE_INVALID');
        }
      }),
    );
  });
});

describe('lists that have a place', () => {
  const placed = [
    field('suites', { many: true, placement: { at: 'arguments', shown: 'SUITE' } }),
    field('command', { many: true, placement: { at: 'after-dashes', shown: 'COMMAND' } }),
    field('keep', { kind: 'boolean' }),
  ];
  const parsePlaced = (...rest: string[]) => parseInput('run', placed, rest);

  it.each([
    [[], {}],
    [['a', '--keep', 'b,c'], { suites: ['a', 'b,c'], keep: true }],
    [
      ['--keep', '--', 'npx', 'x', '--keep=no', '--', '-v'],
      { keep: true, command: ['npx', 'x', '--keep=no', '--', '-v'] },
    ],
    [['a', '--', 'b'], { suites: ['a'], command: ['b'] }],
    [['--'], { command: [] }],
  ])('are read from %j', (args, expected) => {
    expect(parsePlaced(...args)).toEqual(expected);
  });

  it('have no option besides', () => {
    expect(() => parsePlaced('--suites', 'a')).toThrow('argus run has no option --suites; there are --keep');
    expect(() => parsePlaced('--command', 'a')).toThrow('argus run has no option --command');
  });
});
