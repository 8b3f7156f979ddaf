import { setImmediate, setTimeout } from 'node:timers';
import type { Clock } from '../time/clock.js';

/** A clock that stands still until a test moves it. */
export interface SimulatedClock extends Clock {
  /** Lets time pass: fires what falls due, in order, and lets everything that follows from it run. */
  advance(ms: number): Promise<void>;
  /** Sets the wall time, also backwards. No time passes: nothing falls due. */
  set(wallTime: number): void;
  /** Moves the wall time by so much, also backwards. No time passes: nothing falls due. */
  jump(deltaMs: number): void;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** Makes a clock for tests. It starts at a fixed moment, so that what is printed stays the same. */
export function createSimulatedClock(start = Date.UTC(2026, 0, 1)): SimulatedClock {
  let wallTime = start;
  let monotonic = 0;
  const timers = new Set<Timer>();

  const nextDueBy = (limit: number): Timer | undefined => {
    let next: Timer | undefined;
    // A set keeps the order of insertion, so of two that fall due together the older one comes first.
    for (const timer of timers) {
      if (timer.dueAt <= limit && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  };
  const moveTo = (moment: number) => {
    wallTime += moment - monotonic;
    monotonic = moment;
  };

  return {
    now: () => wallTime,
    monotonic: () => monotonic,
    after(delayMs, callback) {
      const timer = { dueAt: monotonic + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      if (!(ms >= 0))
        throw new RangeError(`Time cannot pass by ${ms} ms; use jump() for a wall clock that goes back`);
      const end = monotonic + ms;
      await settle();
      for (let timer = nextDueBy(end); timer; timer = nextDueBy(end)) {
        timers.delete(timer);
        moveTo(Math.max(monotonic, timer.dueAt));
        timer.callback();
        await settle();
      }
      moveTo(end);
      await settle();
    },
    set(moment) {
      wallTime = moment;
    },
    jump(deltaMs) {
      wallTime += deltaMs;
    },
  };
}

/** How long files are waited for, in rounds of a millisecond: a read that never ends, such as of a pipe, must not stop the time. */
const maxRounds = 1_000;

/**
 * All microtasks are done before the next immediate. What is being read or written takes real time, in which none passes
 * here: on a busy machine the work would otherwise find that minutes have gone by. The imports are not the globals, which a
 * test may have replaced.
 */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < maxRounds && usesFiles(); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function usesFiles(): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq') || kind === 'CloseReq');
}
