import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../state/memory-store.js';
import type { StateStore } from '../../../state/state-store.js';
import { result } from '../fixtures/result.js';
import {
  checkersWithFailures,
  failureCounts,
  recordCheckRun,
  recordReCheck,
  recordRecovered,
} from './failure-counts.js';
import type { FindingName } from './finding-key.js';

const api = { check: 'net.http', target: 'api' };
const db = { check: 'net.http', target: 'db' };
const daemon = { check: 'docker.daemon' };
const apiFails = [result('net.http', 'fail', 'api')];

const failuresOf = async (store: StateStore, project: string, findings: readonly FindingName[]) =>
  findings.map(await failureCounts(store, project));

const revisionIn = async (store: StateStore) => (await store.get('failures', 'shop'))?.revision;

describe('the failure counts', () => {
  it('tells for how many runs in a row each problem has been there', async () => {
    const store = createMemoryStore();
    await recordCheckRun(store, 'shop', [...apiFails, result('docker.daemon', 'warn')]);
    await recordCheckRun(store, 'shop', [...apiFails, result('docker.daemon', 'pass')]);
    expect(await failuresOf(store, 'shop', [db, api, daemon])).toEqual([0, 2, 0]);
  });

  it('counts from the start after a successful recovery', async () => {
    const store = createMemoryStore();
    for (let run = 0; run < 3; run += 1) await recordCheckRun(store, 'shop', apiFails);
    await recordRecovered(store, 'shop', [api]);
    expect(await failuresOf(store, 'shop', [api])).toEqual([0]);
    await recordCheckRun(store, 'shop', apiFails);
    expect(await failuresOf(store, 'shop', [api])).toEqual([1]);
  });

  it('forgets only what recovered', async () => {
    const store = createMemoryStore();
    await recordCheckRun(store, 'shop', [
      ...apiFails,
      result('net.http', 'fail', 'db'),
      result('net.http', 'fail'),
    ]);
    await recordRecovered(store, 'shop', [api]);
    expect(await failuresOf(store, 'shop', [api, db, { check: 'net.http' }])).toEqual([0, 1, 1]);
  });

  it('forgets after a repair what a look proves to be gone, and counts nothing', async () => {
    const store = createMemoryStore();
    const all = [...apiFails, result('net.http', 'fail', 'db'), result('docker.daemon', 'fail')];
    for (let run = 0; run < 2; run += 1) await recordCheckRun(store, 'shop', all);
    expect(await checkersWithFailures(store, 'shop')).toEqual(new Set(['net.http', 'docker.daemon']));
    const again = [result('net.http', 'pass', 'api'), result('net.http', 'fail', 'db')];
    await recordReCheck(store, 'shop', [...again, result('docker.daemon', 'unknown')]);
    expect(await failuresOf(store, 'shop', [api, db, daemon])).toEqual([0, 2, 2]);
  });

  it('is kept apart for each project', async () => {
    const store = createMemoryStore();
    await recordCheckRun(store, 'shop', apiFails);
    expect(await failuresOf(store, 'blog', [api])).toEqual([0]);
  });

  it('writes nothing for a healthy project', async () => {
    const store = createMemoryStore();
    await recordCheckRun(store, 'shop', [
      result('net.http', 'pass', 'api'),
      result('docker.daemon', 'unknown'),
    ]);
    await recordRecovered(store, 'shop', [api]);
    expect(await store.list('failures')).toEqual([]);
  });

  it('writes nothing when nothing changes', async () => {
    const store = createMemoryStore();
    await recordCheckRun(store, 'shop', apiFails);
    const before = await revisionIn(store);
    await recordCheckRun(store, 'shop', [result('net.http', 'skipped'), result('docker.daemon', 'pass')]);
    await recordRecovered(store, 'shop', [daemon]);
    expect(await revisionIn(store)).toBe(before);
    await recordCheckRun(store, 'shop', apiFails);
    expect(await revisionIn(store)).not.toBe(before);
  });

  it('loses no run of those that are recorded at the same moment', async () => {
    const store = createMemoryStore();
    const runs = Array.from({ length: 20 }, (_, index) => [
      ...apiFails,
      ...(index % 2 ? [result('docker.daemon', 'fail')] : []),
    ]);
    await Promise.all(runs.map((checks) => recordCheckRun(store, 'shop', checks)));
    expect(await failuresOf(store, 'shop', [api, daemon])).toEqual([20, 10]);
  });
});
