import { describe, expect, it } from 'vitest';
import { ChangeQueue } from './change-queue.js';
import type { StoreChange } from './state-store.js';

const change = (key: string): StoreChange => ({ type: 'delete', namespace: 'namespace', key });

function queueWithEnds(signal = new AbortController().signal) {
  const ends: string[] = [];
  return { queue: new ChangeQueue(signal, () => ends.push('ended')), ends };
}

describe('ChangeQueue', () => {
  it('gives changes in order, those that waited and those that are waited for', async () => {
    const { queue } = queueWithEnds();
    queue.push(change('a'));
    queue.push(change('b'));
    expect((await queue.next()).value).toEqual(change('a'));
    expect((await queue.next()).value).toEqual(change('b'));
    const waiting = queue.next();
    queue.push(change('c'));
    expect((await waiting).value).toEqual(change('c'));
  });

  it('gives what came before a failure, then the failure, then nothing', async () => {
    const { queue, ends } = queueWithEnds();
    queue.push(change('a'));
    queue.fail(new Error('lost'));
    queue.push(change('b'));
    queue.fail(new Error('again'));
    expect((await queue.next()).value).toEqual(change('a'));
    await expect(queue.next()).rejects.toThrow('lost');
    expect(await queue.next()).toEqual({ done: true, value: undefined });
    expect(ends).toEqual(['ended']);
  });

  it('says once that it ended, whoever ends it and however often', async () => {
    const controller = new AbortController();
    const { queue, ends } = queueWithEnds(controller.signal);
    controller.abort();
    queue.end();
    await queue.return();
    expect(ends).toEqual(['ended']);
    expect(queue.ended).toBe(true);
  });

  it('drops what nobody took when it is ended', async () => {
    const { queue } = queueWithEnds();
    queue.push(change('a'));
    queue.end();
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });
});
