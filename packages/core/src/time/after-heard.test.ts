import { expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { afterHeard } from './after-heard.js';
import type { Clock } from './clock.js';

/** A clock whose timers come late by so much, as those of a process that somebody holds up. */
function lateBy(lateMs: number) {
  const simulated = createSimulatedClock();
  let heldUpMs = 0;
  const clock: Clock = {
    now: () => simulated.now(),
    monotonic: () => simulated.monotonic() + heldUpMs,
    after: (delayMs, callback, options) =>
      simulated.after(
        delayMs,
        () => {
          heldUpMs = lateMs;
          callback();
        },
        options,
      ),
  };
  return { clock, simulated };
}

it.each([
  { lateMs: 0, graceMs: 0 },
  { lateMs: 99, graceMs: 0 },
  { lateMs: 300, graceMs: 300 },
  { lateMs: 15_000, graceMs: 1_000 },
])('gives others $graceMs ms when it comes $lateMs ms late', async ({ lateMs, graceMs }) => {
  const { clock, simulated } = lateBy(lateMs);
  let calls = 0;
  afterHeard(clock, 50, () => {
    calls += 1;
  });
  await simulated.advance(50);
  expect(calls).toBe(graceMs === 0 ? 1 : 0);
  await simulated.advance(graceMs);
  expect(calls).toBe(1);
});

it('can be cancelled, also while others get their moment', async () => {
  const { clock, simulated } = lateBy(500);
  let calls = 0;
  const cancel = afterHeard(clock, 50, () => {
    calls += 1;
  });
  await simulated.advance(50);
  cancel();
  await simulated.advance(2_000);
  expect(calls).toBe(0);
});
