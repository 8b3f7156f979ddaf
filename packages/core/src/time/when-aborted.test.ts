import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { whenAborted } from './when-aborted.js';

/** What nobody catches of what something begins. */
async function duringUncaught(work: () => void): Promise<unknown[]> {
  const others = process.listeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
  try {
    work();
    await setImmediate();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
  return uncaught;
}

describe('what waits for a signal', () => {
  it('is done once when it aborts, in the order in which it came', () => {
    const controller = new AbortController();
    const done: number[] = [];
    for (const number of [1, 2, 3]) whenAborted(controller.signal, () => done.push(number));
    controller.abort();
    controller.abort();
    expect(done).toEqual([1, 2, 3]);
  });

  it('is one listener however many there are, and none when all have let go', () => {
    const { signal } = new AbortController();
    const releases = Array.from({ length: 100 }, () => whenAborted(signal, () => undefined));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const release of releases) release();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    whenAborted(signal, () => undefined);
    // Who lets go twice takes nobody else along.
    for (const release of releases) release();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  it('is not done any more when it was let go, also by what was done before it', () => {
    const controller = new AbortController();
    const done: string[] = [];
    whenAborted(controller.signal, () => release());
    const release = whenAborted(controller.signal, () => done.push('too late'));
    controller.abort();
    expect(done).toEqual([]);
  });

  it('is done although what was done before it throws, of which the first is told', async () => {
    const controller = new AbortController();
    const done: string[] = [];
    for (const name of ['first', 'second'])
      whenAborted(controller.signal, () => {
        throw new Error(name);
      });
    whenAborted(controller.signal, () => done.push('third'));
    const uncaught = await duringUncaught(() => controller.abort());
    expect({ done, uncaught }).toEqual({ done: ['third'], uncaught: [new Error('first')] });
  });

  it('is not done where the signal has aborted already, or where there is none', () => {
    const done: string[] = [];
    whenAborted(AbortSignal.abort(), () => done.push('late'))();
    whenAborted(undefined, () => done.push('never'))();
    expect(done).toEqual([]);
  });
});
