import { expect, it } from 'vitest';
import { createSimulatedClock } from '../../testing/simulated-clock.js';
import { Starts } from './starts.js';

const { signal } = new AbortController();

it('are settled when none is under way and none was for a moment, for all that wait at the same time', async () => {
  const clock = createSimulatedClock();
  const starts = new Starts();
  const ends: (() => void)[] = [];
  const begin = () => void starts.during(new Promise<void>((resolve) => ends.push(resolve)));
  let settled = 0;
  const waitFor = () => starts.settled(clock, 100, signal).then(() => void settled++);

  begin();
  void waitFor();
  void waitFor();
  await clock.advance(1_000);
  expect(settled).toBe(0);
  ends[0]?.();
  await clock.advance(50);
  begin();
  await clock.advance(50);
  expect(settled).toBe(0);
  ends[1]?.();
  await clock.advance(99);
  expect(settled).toBe(0);
  await clock.advance(1);
  expect(settled).toBe(2);
  // The next who ask wait for a moment of their own.
  void waitFor();
  await clock.advance(100);
  expect(settled).toBe(3);
});

it('count a start that fails as over, and give its failure back', async () => {
  const starts = new Starts();
  await expect(starts.during(Promise.reject(new Error('no such image')))).rejects.toThrow('no such image');
  const clock = createSimulatedClock();
  const settled = starts.settled(clock, 100, signal);
  await clock.advance(100);
  await settled;
});
