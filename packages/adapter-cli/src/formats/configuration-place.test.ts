import { expect, it } from 'vitest';
import { configurationPlace } from './configuration-place.js';

it('is the first line that a problem names, or the file where none does', () => {
  const problems = [{ path: 'a' }, { path: 'b', line: 7 }, { path: 'c', line: 9 }];
  expect(configurationPlace({ file: '/x.yaml', problems })).toEqual({ file: '/x.yaml', line: '7' });
  expect(configurationPlace({ file: '/x.json', problems: ['odd', null] })).toEqual({ file: '/x.json' });
});

it('is nowhere for anything else', () => {
  expect(configurationPlace({ file: null, problems: [] })).toEqual({});
  expect(configurationPlace({ file: '/x.log' })).toEqual({});
});
