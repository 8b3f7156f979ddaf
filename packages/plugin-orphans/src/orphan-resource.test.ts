import type { Resource } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { toOrphanResource } from './orphan-resource.js';

const resource: Resource = {
  runtime: 'docker',
  type: 'volume',
  id: 'v',
  name: 'v',
  project: 'shop',
  runId: 'r1',
  store: 'mine',
  worktree: '/w',
  createdAt: 0,
};

describe('toOrphanResource', () => {
  it('writes the time in ISO format', () => {
    expect(toOrphanResource(resource)).toEqual({
      runtime: 'docker',
      type: 'volume',
      id: 'v',
      name: 'v',
      project: 'shop',
      runId: 'r1',
      worktree: '/w',
      createdAt: '1970-01-01T00:00:00.000Z',
    });
  });

  it('says so when a runtime does not know the time', () => {
    expect(toOrphanResource({ ...resource, createdAt: Number.NaN }).createdAt).toBe('unknown');
  });
});
