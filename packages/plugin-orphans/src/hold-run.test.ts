import { createMemoryStore, ownerLookup, ownIdentity, readRun, systemClock } from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { recordOf, remember } from './fixtures/left-overs.js';
import { holdRun, letGo } from './hold-run.js';
import type { OrphanParts } from './orphan-parts.js';

const expired = recordOf('r1', { leaseUntil: 0 });

function partsWith() {
  const store = createMemoryStore({ id: 'mine' });
  const { project, runtimes, events, hooks } = buildKernel({ store });
  const parts: OrphanParts = {
    project,
    runtimes,
    events,
    hooks,
    store,
    owner: ownIdentity,
    clock: systemClock,
    needed: async () => [],
    lookUp: ownerLookup('here'),
    maxAgeMs: 1,
    setupCleans: false,
    stopTimeoutMs: 1,
  };
  return { parts, store };
}

describe('holdRun', () => {
  it('makes this process the one that stops the run, until it lets go', async () => {
    const { parts, store } = partsWith();
    await remember(store, expired);
    const held = await holdRun(parts, 'r1');
    expect(await readRun(store, 'r1')).toMatchObject({ state: 'stopping', owner: { pid: process.pid } });
    await letGo(parts, held ?? {}, true, AbortSignal.timeout(5_000));
    expect(await readRun(store, 'r1')).toBeUndefined();
  });

  it('holds a run for other hosts too, who can only go by its lease', async () => {
    const { parts, store } = partsWith();
    await remember(store, expired);
    expect(await holdRun(parts, 'r1')).toBeDefined();
    expect(await holdRun({ ...parts, lookUp: ownerLookup('there') }, 'r1')).toBeUndefined();
  });

  it('does not take a run that somebody revives at the same moment', async () => {
    let looks = 0;
    const { parts, store } = partsWith();
    await remember(store, recordOf('r1', { state: 'starting' }));
    const lookUp: OrphanParts['lookUp'] = async () => {
      looks += 1;
      await remember(store, recordOf('r1'));
      return 'dead';
    };
    expect(await holdRun({ ...parts, lookUp }, 'r1')).toBeUndefined();
    expect(looks).toBe(1);
    expect(await readRun(store, 'r1')).toMatchObject({ state: 'up' });
  });

  it('has nothing to hold where there is no record', async () => {
    const { parts, store } = partsWith();
    expect(await holdRun(parts, 'r1')).toEqual({});
    expect(await store.list('runs')).toEqual([]);
  });
});
