import { describe, expect, it } from 'vitest';
import { runOf } from '../fixtures/service.js';
import { labelNames, labelsOf, ownershipOf } from './labels.js';

const now = Date.UTC(2026, 0, 2);
const run = runOf();

describe('labels', () => {
  it('say whose something is, and can be read back', () => {
    const labels = labelsOf(run, now, { name: 'api', spec: 'abc' });
    expect(labels).toMatchObject({
      'argusai.managed': 'true',
      'argusai.project': 'test',
      'argusai.run-id': 'r1',
      'argusai.created-at': '2026-01-02T00:00:00.000Z',
      'argusai.owner': 'here/1/then',
      'argusai.service': 'api',
      'argusai.spec': 'abc',
    });
    const { id: runId, project, store, worktree } = run;
    expect(ownershipOf(labels)).toEqual({ project, runId, store, worktree, service: 'api', createdAt: now });
  });

  it('of what belongs to the whole run name no service', () => {
    const labels = labelsOf(run, now);
    expect(labels).not.toHaveProperty([labelNames.service]);
    expect(ownershipOf(labels)).not.toHaveProperty('service');
  });

  it.each(['managed', 'project', 'runId', 'store', 'worktree', 'createdAt'] as const)(
    'prove nothing without %s',
    (name) => {
      const { [labelNames[name]]: _, ...rest } = labelsOf(run, now);
      expect(ownershipOf(rest)).toBeUndefined();
    },
  );

  it('prove nothing when they are not ours', () => {
    expect(ownershipOf({ ...labelsOf(run, now), [labelNames.managed]: 'false' })).toBeUndefined();
    expect(ownershipOf({ ...labelsOf(run, now), [labelNames.createdAt]: 'yesterday' })).toBeUndefined();
  });
});
