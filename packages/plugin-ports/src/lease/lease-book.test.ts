import { createMemoryStore, type RunIdentity, type StateStore } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { recordRun } from '../fixtures/run-record.js';
import { makeRun } from '../fixtures/stage.js';
import { type Lease, leasesNamespace } from './lease.js';
import { LeaseBook, type LeaseRequest } from './lease-book.js';

const minute = 60_000;
const nobody = { pid: 2 ** 22 + 1, startedAt: 'long ago' };

function request(port: number, change: Partial<LeaseRequest> = {}): LeaseRequest {
  return { protocol: 'tcp', address: '*', port, service: 'api', wished: port, container: port, ...change };
}

function open(store: StateStore, now = Date.now()): Promise<LeaseBook> {
  return LeaseBook.open(store, () => now);
}

async function deadRun(): Promise<RunIdentity> {
  const run = await makeRun();
  return { ...run, owner: { ...run.owner, ...nobody } };
}

const stored = async (store: StateStore) => (await store.list(leasesNamespace)).map(({ key }) => key);

describe('a lease of a port', () => {
  it('keeps other runs away and not its own', async () => {
    const store = createMemoryStore();
    const [mine, other] = [await makeRun(), await makeRun()];
    const [book, theirs] = [await open(store), await open(store)];
    expect(await book.take(request(3_000), mine)).toBeUndefined();
    expect(await book.take(request(3_000), mine)).toBeUndefined();
    // The other book was opened before; it finds out when it writes.
    expect(await theirs.take(request(3_000), other)).toMatchObject({ runId: mine.id, service: 'api' });
    expect((await open(store)).leasesOf(mine.id)).toHaveLength(1);
  });

  it('is of one protocol', async () => {
    const store = createMemoryStore();
    await (await open(store)).take(request(53), await makeRun());
    const book = await open(store);
    expect(await book.take(request(53, { protocol: 'udp' }), await makeRun())).toBeUndefined();
  });

  it('leaves other addresses to other runs', async () => {
    const store = createMemoryStore();
    const runs = [await makeRun(), await makeRun(), await makeRun()] as const;
    const take = async (run: RunIdentity, address: string) =>
      (await open(store)).take(request(3_000, { address }), run);
    expect(await take(runs[0], '127.0.0.1')).toBeUndefined();
    expect(await take(runs[1], '127.0.0.2')).toBeUndefined();
    expect(await take(runs[2], '127.0.0.1')).toMatchObject({ runId: runs[0].id });
    expect(await take(runs[2], '*')).toBeDefined();
    await (await open(store)).release(runs[0].id);
    expect(await take(runs[2], '127.0.0.1')).toBeUndefined();
    expect((await open(store)).leasesOf(runs[1].id)).toHaveLength(1);
  });

  it('is given to one of many who ask at the same moment', async () => {
    const store = createMemoryStore();
    const asking = Array.from({ length: 20 }, async () =>
      (await open(store)).take(request(3_000), await makeRun()),
    );
    const answers = await Promise.all(asking);
    expect(answers.filter((lease) => lease === undefined)).toHaveLength(1);
  });

  it('is taken over when its process died before there was a record', async () => {
    const store = createMemoryStore();
    await (await open(store)).take(request(3_000), await deadRun());
    expect(await (await open(store)).take(request(3_000), await makeRun())).toBeUndefined();
  });

  it('is taken over when it ran out before there was a record', async () => {
    const store = createMemoryStore();
    await (await open(store)).take(request(3_000), await makeRun());
    const later = (minutes: number) => open(store, Date.now() + minutes * minute);
    expect(await (await later(9)).take(request(3_000), await makeRun())).toBeDefined();
    expect(await (await later(11)).take(request(3_000), await makeRun())).toBeUndefined();
  });

  it('lives as long as the run, by its record', async () => {
    const store = createMemoryStore();
    const run = await deadRun();
    await recordRun(store, run, { leaseUntil: Date.now() + 30 * minute });
    await (await open(store)).take(request(3_000), run);
    const later = (minutes: number) => open(store, Date.now() + minutes * minute);
    expect(await (await later(29)).take(request(3_000), await makeRun())).toBeDefined();
    expect(await (await later(31)).take(request(3_000), await makeRun())).toBeUndefined();
  });

  it('is taken over when its run died on the way', async () => {
    const store = createMemoryStore();
    const run = await deadRun();
    await recordRun(store, run, { state: 'starting' });
    await (await open(store)).take(request(3_000), run);
    expect(await (await open(store)).take(request(3_000), await makeRun())).toBeUndefined();
  });

  it('holds back nobody on another machine', async () => {
    const store = createMemoryStore();
    const run = await makeRun();
    const far = { ...run, owner: { ...run.owner, host: 'elsewhere' } };
    await (await open(store)).take(request(3_000), far);
    const book = await open(store);
    expect(book.keysOfOthers('mine')).toEqual([]);
    expect(await book.take(request(3_000), await makeRun())).toBeUndefined();
    expect((await open(store)).leasesOf(far.id)).toHaveLength(1);
  });

  it('is not there when what is stored cannot be read', async () => {
    const store = createMemoryStore();
    await store.put(leasesNamespace, 'tcp/3000', { leases: 'none of your business' });
    expect(await (await open(store)).take(request(3_000), await makeRun())).toBeUndefined();
  });
});

describe('giving ports back', () => {
  it('removes all that a run had, some of it, and what dead runs left', async () => {
    const store = createMemoryStore();
    const [mine, other] = [await makeRun(), await makeRun()];
    const book = await open(store);
    for (const port of [3_000, 3_001]) await book.take(request(port), mine);
    await book.take(request(3_002), other);
    await book.take(request(3_003), await deadRun());

    await (await open(store)).release(mine.id, (key) => key === 'tcp/3001');
    expect(await stored(store)).toEqual(['tcp/3001', 'tcp/3002']);
    await (await open(store)).release(mine.id);
    expect(await stored(store)).toEqual(['tcp/3002']);
  });

  it('loses nothing that another run leases at the same moment', async () => {
    const store = createMemoryStore();
    const [mine, other] = [await makeRun(), await makeRun()];
    await (await open(store)).take(request(3_000, { address: '127.0.0.1' }), mine);
    const book = await open(store);
    await (await open(store)).take(request(3_000, { address: '127.0.0.2' }), other);
    await book.release(mine.id);
    const after = await open(store);
    expect(after.leasesOf(mine.id)).toEqual([]);
    expect(after.leasesOf(other.id)).toHaveLength(1);
  });

  it('is fine when someone else has done it', async () => {
    const store = createMemoryStore();
    const mine = await makeRun();
    await (await open(store)).take(request(3_000), mine);
    const [one, two] = [await open(store), await open(store)];
    await one.release(mine.id);
    await two.release(mine.id);
    expect(await stored(store)).toEqual([]);
  });
});

describe('the runs of a project folder', () => {
  it('are those that go on', async () => {
    const store = createMemoryStore();
    const here = { project: 'shop', worktree: '/shop' };
    const up = await recordRun(store, await makeRun(here));
    await recordRun(store, await makeRun(here), { leaseUntil: 0 });
    await recordRun(store, await makeRun({ ...here, worktree: '/elsewhere' }));
    await recordRun(store, await makeRun({ ...here, project: 'other' }));
    const runs = await (await open(store)).liveRuns('shop', '/shop');
    expect(runs.map(({ id }) => id)).toEqual([up.id]);
  });

  it('stand in nobody’s way when they are one’s own', async () => {
    const store = createMemoryStore();
    const run = await makeRun();
    const book = await open(store);
    await book.take(request(3_000), run);
    const isOwn = ({ runId }: Lease) => runId === run.id;
    expect(book.blocking(request(3_000), isOwn)).toBeUndefined();
    expect(book.blocking(request(3_000), () => false)).toMatchObject({ runId: run.id });
  });
});
