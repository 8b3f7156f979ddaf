import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../fixtures/in-process.js';
import { processProject } from '../fixtures/projects.js';
import { until } from '../fixtures/until.js';

interface Told {
  readonly call: { readonly state: string; readonly result?: unknown };
}

/** A setup that never becomes healthy and has outlived the patience of its client. */
async function pendingSetup(patienceMs: number) {
  const cwd = await processProject({ isSlow: true });
  const server = await inProcess(cwd, { patienceMs });
  const { pending } = await server.call('argus_setup');
  const runId = pending?.runId;
  const ask = () => server.call('argus_status', { runId });
  const state = async () => ((await ask()).data as Told).call.state;
  return { ...server, cwd, runId, ask, state };
}

describe('a call that is polled', () => {
  it('still has its result after any number of polls', async () => {
    const { call, runId, ask, state, session } = await pendingSetup(2_000);
    for (let n = 0; n < 30; n += 1) expect(await state()).toBe('running');
    expect(session.calls.map((one) => one.runId)).toEqual([runId]);
    await call('argus_cancel', { runId });
    await until('the call is done', async () => (await state()) === 'done');
    for (let n = 0; n < 30; n += 1) await call('argus_status');
    const told = await ask();
    expect(told).toMatchObject({
      ok: true,
      data: { run: null, call: { result: { ok: false, error: { code: 'CANCELLED' } } } },
    });
    expect(told.text).toMatch(/^argus_setup call-\w+ is done: CANCELLED: .* Nothing is up\./);
  });

  it('is told of at once, also where the environment cannot be looked at', async () => {
    const { cwd, call, runId, ask, state } = await pendingSetup(1_500);
    const file = join(cwd, 'argus.config.json');
    writeFileSync(join(cwd, 'stuck.mjs'), 'await new Promise(() => undefined); export default {};');
    writeFileSync(file, JSON.stringify({ project: { name: 'shop' }, plugins: ['./stuck.mjs'] }));
    const slow = await ask();
    expect(slow).toMatchObject({
      ok: true,
      data: { call: { state: 'running' } },
      next: { tool: 'argus_status', arguments: { runId } },
    });
    expect(slow.pending).toBeUndefined();
    expect(slow.text).toContain('What is up could not be told in time.');
    await call('argus_cancel', { runId });
    await until('the call is done', async () => (await state()) === 'done');
    expect(await ask()).toMatchObject({ data: { call: { result: { error: { code: 'CANCELLED' } } } } });
  });
});
