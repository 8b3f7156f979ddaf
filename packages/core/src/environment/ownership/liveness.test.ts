import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ownIdentity } from '../processes/process-identity.js';
import type { RunRecord } from '../runs/run-record.js';
import { livenessOf, ownerLookup } from './liveness.js';

const lookUp = ownerLookup(hostname());
const run = async (change: Partial<RunRecord> = {}) => ({
  state: 'up' as RunRecord['state'],
  owner: await ownIdentity(),
  leaseUntil: 100,
  ...change,
});

describe('whether a run goes on', () => {
  it('is decided by its lease once it is up, whoever started it', async () => {
    const owner = { host: hostname(), pid: 999_999_999, startedAt: 'long gone' };
    expect(await livenessOf(await run({ owner }), 99, lookUp)).toEqual({ alive: true });
    expect(await livenessOf(await run({ owner }), 100, lookUp)).toEqual({
      alive: false,
      why: 'its lease ran out',
    });
  });

  it.each(['starting', 'stopping'] as const)('is decided by its owner while %s', async (state) => {
    expect(await livenessOf(await run({ state }), 1_000, lookUp)).toEqual({ alive: true });
    const owner = { ...(await ownIdentity()), startedAt: 'another process with the same number' };
    expect(await livenessOf(await run({ state, owner }), 0, lookUp)).toEqual({
      alive: false,
      why: `its run died while ${state}`,
    });
  });

  it('is decided as before a setup that died, where it was up', async () => {
    const owner = { host: hostname(), pid: 999_999_999, startedAt: 'long gone' };
    const upBefore = { owner, leaseUntil: 50 };
    const dead = await run({ state: 'starting', owner, upBefore });
    expect(await livenessOf(dead, 49, lookUp)).toEqual({ alive: true });
    expect(await livenessOf(dead, 50, lookUp)).toEqual({ alive: false, why: 'its lease ran out' });
    const holders = [{ ...owner, id: 'gone' }];
    const held = await run({ state: 'starting', owner, upBefore: { ...upBefore, holders } });
    expect((await livenessOf(held, 49, lookUp)).alive).toBe(false);
    // Whoever takes it down has been told to.
    expect((await livenessOf({ ...dead, state: 'stopping' }, 49, lookUp)).alive).toBe(false);
  });

  it('is decided by the lease for another machine’s process', async () => {
    const owner = { host: 'elsewhere', pid: 1, startedAt: 'x' };
    expect(await livenessOf(await run({ state: 'starting', owner }), 99, lookUp)).toEqual({ alive: true });
    expect((await livenessOf(await run({ state: 'starting', owner }), 100, lookUp)).alive).toBe(false);
  });

  it('is not denied where the owner could not be looked at', async () => {
    const owner = { ...(await ownIdentity()), startedAt: 'unknown' };
    expect(await livenessOf(await run({ state: 'starting', owner }), 99, lookUp)).toEqual({ alive: true });
    expect((await livenessOf(await run({ state: 'starting', owner }), 100, lookUp)).alive).toBe(false);
  });

  it('needs a record', async () => {
    expect(await livenessOf(undefined, 0, lookUp)).toEqual({
      alive: false,
      why: 'there is no record of its run',
    });
  });
});

describe('whether a run that was set up for somebody goes on', () => {
  const gone = { host: hostname(), pid: 999_999_999, startedAt: 'long gone', id: 'gone' };
  const elsewhere = { host: 'elsewhere', pid: 1, startedAt: 'x', id: 'elsewhere' };
  const alive = async (change: Partial<RunRecord>, now: number) =>
    (await livenessOf(await run(change), now, lookUp)).alive;

  it('is decided by whether one of them lives, whatever its lease says', async () => {
    const here = { ...(await ownIdentity()), id: 'here' };
    expect(await alive({ holders: [gone, here] }, 1_000)).toBe(true);
    expect(await livenessOf(await run({ holders: [gone] }), 0, lookUp)).toEqual({
      alive: false,
      why: 'whoever it was set up for has gone',
    });
    expect(await alive({ holders: [] }, 0)).toBe(false);
  });

  it('is decided by the lease for those of another machine', async () => {
    expect(await alive({ holders: [gone, elsewhere] }, 99)).toBe(true);
    expect(await alive({ holders: [gone, elsewhere] }, 100)).toBe(false);
  });

  it('is decided by whoever works on it while somebody does', async () => {
    expect(await alive({ state: 'starting', holders: [gone] }, 0)).toBe(true);
  });
});
