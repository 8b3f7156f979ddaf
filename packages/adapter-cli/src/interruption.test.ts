import { ArgusError, cancelled } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { testIo } from './fixtures/test-io.js';
import { untilInterrupted } from './interruption.js';
import { answer, failure, type Outcome } from './outcome.js';

/** Work that takes something back when it is told to stop, and what becomes of it after a crash. */
async function crashDuring(undo: () => Outcome) {
  const io = testIo({ cwd: '/' });
  io.interrupt({ kind: 'crash', thrown: new Error('far away') });
  const work = (signal: AbortSignal) =>
    new Promise<Outcome>((resolve) => {
      signal.addEventListener('abort', () => setImmediate(() => resolve(undo())));
    });
  const outcome = await untilInterrupted(io, work, () => true);
  return { outcome, said: io.stderr.text };
}

describe('a crash during work that takes back what it has begun', () => {
  it('waits for that, and says what was taken back', async () => {
    const details = { runId: 'r1', rollback: { removed: ['container api'], failed: [] } };
    const undone = failure(new ArgusError(cancelled, { message: 'stopped', details }).error);
    const { outcome, said } = await crashDuring(() => undone);
    expect(outcome).toMatchObject({
      exitCode: 1,
      envelope: { ok: false, error: { code: 'INTERNAL_ERROR', message: 'far away', details } },
      thrown: { message: 'far away' },
    });
    expect(said).toBe('Stopping in order; once more to stop at once\n');
  });

  it('says nothing of it where nothing was', async () => {
    const undone = failure(new ArgusError(cancelled, { message: 'stopped', details: { runId: 'r1' } }).error);
    const { outcome } = await crashDuring(() => undone);
    expect(outcome.envelope).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR', details: {} } });
    expect(JSON.stringify(outcome.envelope)).not.toContain('r1');
  });

  it('gives its result when it came to one all the same, which is no pass', async () => {
    const { outcome } = await crashDuring(() => answer('done', { done: true }));
    expect(outcome).toMatchObject({
      exitCode: 3,
      envelope: { ok: true, data: { done: true } },
      notice: { code: 'INTERNAL_ERROR', message: 'far away' },
    });
  });
});
