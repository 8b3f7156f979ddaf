import { expect, it } from 'vitest';
import { makeWorld } from '../fixtures/environment-kernel.js';
import { recordOf } from '../fixtures/service.js';
import type { RunRecord } from './run-record.js';
import { createRun } from './runs.js';
import { whyNothingUp } from './why-nothing-up.js';

const none = 'Nothing is up';

async function reasonWith(record?: Partial<RunRecord>): Promise<string> {
  const world = makeWorld();
  const kernel = world.open({ services: {} });
  const { dir: worktree } = kernel.project;
  const leaseUntil = world.clock.now() + 1_000;
  if (record) await createRun(world.store, recordOf({ worktree, leaseUntil, ...record }));
  return whyNothingUp(kernel, kernel.project, none);
}

it.each<[string, Partial<RunRecord>]>([
  ['The environment is just being started, so it was not looked at', { state: 'starting' }],
  ['The environment is just being taken down, so it was not looked at', { state: 'stopping' }],
])('is told as it is: %s', async (reason, record) => {
  expect(await reasonWith(record)).toBe(reason);
});

it.each<[string, Partial<RunRecord> | undefined]>([
  ['there is no run', undefined],
  ['the run is another folder’s', { state: 'starting', worktree: '/elsewhere' }],
  ['the run is another project’s', { state: 'starting', project: 'other' }],
  [
    'whoever started it is gone',
    { state: 'starting', leaseUntil: 0, owner: { host: 'gone', pid: 1, startedAt: '0' } },
  ],
])('is what the checker says when %s', async (_, record) => {
  expect(await reasonWith(record)).toBe(none);
});
