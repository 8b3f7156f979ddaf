import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json.js';
import { createMemoryStore } from '../../state/memory-store.js';
import type { OwnerLookup } from '../ownership/liveness.js';
import type { Resource } from '../ownership/resource.js';
import { judgeResource, judgeResources } from './judge-resource.js';
import { createRun, runsNamespace } from './runs.js';

const now = Date.UTC(2026, 0, 2);
const maxAgeMs = 86_400_000;
const owner = { host: 'here', pid: 7, startedAt: 'boot/1' };
const viewpoint = { project: 'shop', store: 'mine', now, maxAgeMs };
const dead = { alive: false, why: 'its lease ran out' } as const;

function resourceOf(changes: Partial<Resource> = {}): Resource {
  return {
    runtime: 'docker',
    type: 'container',
    id: 'c1',
    name: 'argus-shop-r1-api',
    project: 'shop',
    runId: 'r1',
    store: 'mine',
    worktree: '/w',
    createdAt: now - 1000,
    ...changes,
  };
}

describe('judgeResource', () => {
  it('takes what a run that is over has left for an orphan, and says why', () => {
    expect(judgeResource(resourceOf(), dead, viewpoint)).toEqual({
      verdict: 'orphan',
      why: 'its lease ran out',
    });
  });

  it('leaves a live run alone', () => {
    expect(judgeResource(resourceOf(), { alive: true }, viewpoint)).toEqual({ verdict: 'live' });
  });

  it('does not judge another project’s, whatever its run', () => {
    const judgement = judgeResource(resourceOf({ project: 'bank' }), dead, viewpoint);
    expect(judgement).toEqual({ verdict: 'not-ours' });
  });

  it.each([{ project: '' }, { runId: '' }, { store: '' }])('does not take %j for ours', (unsaid) => {
    const looking = { ...viewpoint, ...('project' in unsaid ? { project: 'shop' } : {}) };
    expect(judgeResource(resourceOf(unsaid), dead, looking)).toEqual({ verdict: 'not-ours' });
  });

  it('takes what another store made for foreign, and for old only beyond the age', () => {
    const made = (age: number) => resourceOf({ store: 'theirs', createdAt: now - age });
    const foreign = { verdict: 'foreign', lost: false };
    expect(judgeResource(made(maxAgeMs), dead, viewpoint)).toEqual({ ...foreign, old: false });
    expect(judgeResource(made(maxAgeMs + 1), dead, viewpoint)).toEqual({ ...foreign, old: true });
    expect(judgeResource(made(-1000), dead, viewpoint)).toEqual({ ...foreign, old: false });
  });

  it('takes what a former store made for lost, and never for an orphan', () => {
    const looking = { ...viewpoint, formerStores: ['before'] };
    const made = resourceOf({ store: 'before' });
    expect(judgeResource(made, dead, looking)).toEqual({ verdict: 'foreign', old: false, lost: true });
  });
});

describe('judgeResources', () => {
  const allAlive: OwnerLookup = async () => 'alive';

  async function judged(resource: Resource, record?: object, lookUp = allAlive) {
    const store = createMemoryStore({ id: 'mine' });
    if (record) await store.put(runsNamespace, resource.runId, record as Json);
    const [one] = await judgeResources([resource], { project: 'shop', store, now, maxAgeMs, lookUp });
    return one?.judgement;
  }
  const up = { state: 'up', owner, leaseUntil: now + 1 };

  it('takes what has no record for an orphan', async () => {
    expect(await judged(resourceOf())).toEqual({ verdict: 'orphan', why: 'there is no record of its run' });
  });

  it('goes by the record of the run', async () => {
    expect(await judged(resourceOf(), up)).toEqual({ verdict: 'live' });
    expect(await judged(resourceOf(), { ...up, leaseUntil: now })).toMatchObject({ verdict: 'orphan' });
    const starting = { ...up, state: 'starting' };
    expect(await judged(resourceOf(), starting)).toEqual({ verdict: 'live' });
    expect(await judged(resourceOf(), starting, async () => 'dead')).toMatchObject({ verdict: 'orphan' });
  });

  it.each([
    { ...up, state: 'paused' },
    { ...up, leaseUntil: '2026-01-01' },
    { state: 'starting', leaseUntil: 0 },
    { ...up, owner: { host: 'here', pid: '7', startedAt: 'x' } },
    { ...up, owner: { host: 'here', pid: 7 } },
  ])('leaves alone what has a record that it does not understand: %j', async (record) => {
    expect(await judged(resourceOf(), record, async () => 'dead')).toEqual({ verdict: 'live' });
  });

  it('never asks its own records about what another store or project made', async () => {
    const expired = { ...up, leaseUntil: 0 };
    expect(await judged(resourceOf({ store: 'theirs' }), expired)).toMatchObject({ verdict: 'foreign' });
    expect(await judged(resourceOf({ project: 'bank' }), expired)).toEqual({ verdict: 'not-ours' });
  });

  it('looks once for each run, however much it has left', async () => {
    const store = createMemoryStore({ id: 'mine' });
    const run = { id: 'r1', project: 'shop', worktree: '/w', store: 'mine', owner, createdAt: 0 };
    await createRun(store, { ...run, state: 'starting', leaseUntil: 0, services: {}, portMappings: [] });
    let looks = 0;
    const lookUp: OwnerLookup = async () => {
      looks += 1;
      return 'dead';
    };
    const resources = ['a', 'b', 'c'].map((id) => resourceOf({ id }));
    const all = await judgeResources(resources, { project: 'shop', store, now, maxAgeMs, lookUp });
    expect(all.map(({ judgement }) => judgement.verdict)).toEqual(['orphan', 'orphan', 'orphan']);
    expect(looks).toBe(1);
  });

  it('has nothing to say about nothing', async () => {
    const store = createMemoryStore();
    expect(await judgeResources([], { project: 'shop', store, now, maxAgeMs, lookUp: allAlive })).toEqual([]);
  });
});
