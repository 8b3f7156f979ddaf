import { describe, expect, it } from 'vitest';
import { inProcess } from '../fixtures/in-process.js';
import { processProject } from '../fixtures/projects.js';

const patiently = { timeout: 20_000 };

/** A setup that never ends by itself, what its client is told of it, and what it is told of calls that it no longer knows. */
async function neverReady(patienceMs: number) {
  const { client, session, call } = await inProcess(await processProject({ isSlow: true }), { patienceMs });
  const [late, steps]: [string[], string[]] = [[], []];
  client.onerror = ({ message }) => void late.push(message);
  const onprogress = ({ message = '' }: { message?: string | undefined }) => void steps.push(message);
  const setUp = (more: object = {}) =>
    client.callTool({ name: 'argus_setup', arguments: {} }, { onprogress, ...more } as never);
  return { late, steps, session, call, setUp };
}

describe('progress', () => {
  it('is not told of a call that was answered', async () => {
    const { late, session, call, setUp } = await neverReady(500);
    const { structuredContent } = await setUp();
    const { runId } = (structuredContent as { pending: { runId: string } }).pending;
    await expect.poll(() => session.call(runId)?.step, patiently).toContain('api waiting');
    await call('argus_cancel', { runId });
    await expect.poll(() => session.call(runId)?.state, patiently).toBe('done');
    expect(session.call(runId)?.step).toContain('removed process api');
    expect(late).toEqual([]);
  });

  it('is not told of a call that was taken back', async () => {
    const { late, steps, session, call, setUp } = await neverReady(45_000);
    const gone = new AbortController();
    const taken = setUp({ signal: gone.signal }).catch(() => undefined);
    await expect.poll(() => steps, patiently).toContainEqual(expect.stringContaining('api waiting'));
    gone.abort();
    await taken;
    await expect.poll(() => session.calls, patiently).toEqual([]);
    expect(await call('argus_status')).toMatchObject({ data: { run: null } });
    expect(late).toEqual([]);
  });
});
