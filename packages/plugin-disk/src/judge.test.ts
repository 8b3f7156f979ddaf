import type { CheckContext, ErrorCode } from '@argusai/core';
import { expect, it } from 'vitest';
import { diskSpaceLow } from './error-codes.js';
import { judge } from './judge.js';
import type { Place } from './place.js';

function suggestedFor(use: Place['use']): readonly string[] {
  let suggested: readonly string[] = [];
  const fail = (code: ErrorCode) => {
    suggested = code.suggestedActions;
  };
  const place = { path: '/disk', use };
  const amount = { available: 1, total: 10 };
  judge(
    { fail } as unknown as CheckContext,
    { path: '/disk', mount: '/disk', paths: [place], space: amount, inodes: null },
    { amount, required: 10, unit: 'bytes', code: diskSpaceLow, free: '1 B free', wanted: '10 B' },
  );
  return suggested;
}

it('suggests to remove images only where the engine keeps them', () => {
  expect(suggestedFor('engine')).toContain('docker.prune');
  expect(suggestedFor('project')).not.toContain('docker.prune');
  expect(suggestedFor('project')).toContain('orphans.clean');
});
