import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { pause } from './pause.js';

function trial() {
  const clock = createSimulatedClock();
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = (times = 1) => Array.from({ length: times }, () => pause(clock, 100, signal));
  return { clock, controller, waiting, listeners: () => getEventListeners(signal, 'abort').length };
}

describe('a pause', () => {
  it('lasts as long as it should and leaves nothing on the signal', async () => {
    const { clock, waiting, listeners } = trial();
    let isOver = false;
    const [over] = waiting().map((one) => one.then(() => (isOver = true)));
    await clock.advance(99);
    expect([isOver, listeners()]).toEqual([false, 1]);
    await clock.advance(1);
    await over;
    expect([isOver, listeners()]).toEqual([true, 0]);
  });

  it('ends when the signal aborts, with its reason', async () => {
    const { controller, waiting, listeners } = trial();
    const pauses = Promise.allSettled(waiting(2));
    controller.abort(new Error('enough'));
    const reason = expect.objectContaining({ message: 'enough' });
    expect(await pauses).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(listeners()).toBe(0);
    await expect(waiting()[0]).rejects.toThrow('enough');
  });

  it('needs no signal', async () => {
    const { clock } = trial();
    const over = pause(clock, 5);
    await clock.advance(5);
    await expect(over).resolves.toBeUndefined();
  });
});
