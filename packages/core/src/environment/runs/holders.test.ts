import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../state/memory-store.js';
import { systemClock } from '../../time/clock.js';
import { ownIdentity } from '../processes/process-identity.js';
import { letGo, newHolder, withHolder } from './holders.js';
import type { RunHolder, RunRecord } from './run-record.js';
import { createRun, readRun } from './runs.js';

const gone: RunHolder = { host: hostname(), pid: 999_999_999, startedAt: 'long gone', id: 'gone' };
const elsewhere: RunHolder = { ...gone, host: 'elsewhere', id: 'elsewhere' };

async function makeRun(rest: Partial<RunRecord> = {}): Promise<RunRecord> {
  const identity = {
    id: 'run',
    project: 'demo',
    worktree: '/demo',
    store: 'store',
    owner: await ownIdentity(),
  };
  const times = { createdAt: 0, leaseUntil: Number.MAX_SAFE_INTEGER };
  return { ...identity, ...times, state: 'up', services: {}, portMappings: [], ...rest };
}

async function recorded(rest: Partial<RunRecord>) {
  const kernel = { store: createMemoryStore(), clock: systemClock };
  await createRun(kernel.store, await makeRun(rest));
  return { kernel, now: () => readRun(kernel.store, 'run') };
}

describe('a run that is used once more', () => {
  it('gets one holder more, once, if it has any', async () => {
    const [one, other] = [await newHolder(), await newHolder()];
    const held = withHolder(await makeRun({ holders: [one] }), other);
    expect(held.holders).toEqual([one, other]);
    expect(withHolder(held, one).holders).toEqual([other, one]);
  });

  it('stays by itself when it did, or when somebody wants it to', async () => {
    const holder = await newHolder();
    expect(withHolder(await makeRun(), holder)).not.toHaveProperty('holders');
    expect(withHolder(await makeRun({ holders: [holder] }), undefined)).not.toHaveProperty('holders');
  });
});

describe('whoever lets go', () => {
  it('gets the run when nobody else lives who holds it', async () => {
    const holder = await newHolder();
    const { kernel } = await recorded({ holders: [gone, holder] });
    expect(await letGo(kernel, 'run', holder)).toMatchObject({ state: 'stopping', holders: [gone] });
  });

  it('of several at the same moment is one who gets it', async () => {
    const holders = await Promise.all(Array.from({ length: 8 }, newHolder));
    const { kernel } = await recorded({ holders });
    const got = await Promise.all(holders.map((holder) => letGo(kernel, 'run', holder)));
    expect(got.filter((run) => run !== undefined)).toHaveLength(1);
  });

  const others: readonly (readonly [string, () => Promise<Partial<RunRecord>>])[] = [
    ['another lives', async () => ({ holders: [await newHolder()] })],
    ['it cannot be told whether another lives', async () => ({ holders: [elsewhere] })],
    ['it is being set up by somebody', async () => ({ holders: [], state: 'starting' })],
    ['it stays by itself', async () => ({})],
  ];
  it.each(others)('leaves it as it is when %s', async (_, rest) => {
    const holder = await newHolder();
    const without = await rest();
    const holders = without.holders ? { holders: [...without.holders, holder] } : {};
    const { kernel, now } = await recorded({ ...without, ...holders });
    expect(await letGo(kernel, 'run', holder)).toBeUndefined();
    expect(await now()).toEqual(await makeRun(without));
  });

  it('of a run that is gone gets nothing', async () => {
    const { kernel } = await recorded({});
    expect(await letGo(kernel, 'another', await newHolder())).toBeUndefined();
  });
});
