import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['disk.spac', ['disk.space', 'disk.inodes'], 'disk.space'],
    ['treshold', ['threshold', 'paths'], 'threshold'],
    ['Docker', ['docker', 'disk'], 'docker'],
    ['zebra', ['docker', 'disk'], undefined],
    ['anything', [], undefined],
    ['bd', ['web', 'db'], 'db'],
    ['onyl', ['skip', 'only'], 'only'],
    ['dmo', ['demo'], 'demo'],
    ['wep', ['db', 'web'], 'web'],
    ['start_period', ['retries', 'startPeriod'], 'startPeriod'],
    ['completoin', ['config', 'completion'], 'completion'],
    ['all', ['run', 'all-runs', 'all-runs-of-all'], 'all-runs'],
    ['al', ['all-runs'], undefined],
    ['only', ['only-these', 'onyl'], 'onyl'],
    // Too far: most of the word would have to be another.
    ['x', ['db', 'a'], undefined],
    ['dc', ['db'], undefined],
    ['web', ['db'], undefined],
    ['ls', ['logs', 'run'], undefined],
    ['ps', ['plugins', 'api'], undefined],
    ['up', ['run', 'fix'], undefined],
    ['foo', ['fix', 'db', 'port'], undefined],
    ['redis', ['api', 'web', 'edge'], undefined],
    ['disk.usage', ['disk.space', 'disk.inodes'], undefined],
    ['restart', ['status', 'setup'], undefined],
    ['@argusai/plugin-redis', ['@argusai/plugin-disk', '@argusai/plugin-ports'], undefined],
  ])('finds what %s was meant to be among %j', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it('takes a word for no other one that is longer than anybody mistypes', () => {
    const [word, known] = ['a'.repeat(1_000_000), 'b'.repeat(1_000_000)];
    expect(nearest(word, ['a'.repeat(999_999)])).toBeUndefined();
    expect(nearest('abc', [word, known, 'abd'])).toBe('abd');
  });

  it('finds a word that is known', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (known) => {
        const word = known[0] ?? '';
        expect(nearest(word, known)?.toLowerCase()).toBe(word.toLowerCase());
      }),
    );
  });
});
