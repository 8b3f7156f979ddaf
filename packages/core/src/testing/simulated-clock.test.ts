import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from './simulated-clock.js';

describe('a simulated clock', () => {
  it('stands still until it is moved, and then moves both times alike', async () => {
    const clock = createSimulatedClock(1_000);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250]);
  });

  it('fires what falls due in the order of time, each at its own moment', async () => {
    const clock = createSimulatedClock(0);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    clock.after(30, note('c'));
    clock.after(10, note('a'));
    clock.after(10, note('b'));
    clock.after(31, note('later'));
    await clock.advance(30);
    expect(fired).toEqual([
      ['a', 10],
      ['b', 10],
      ['c', 30],
    ]);
  });

  it('fires what a callback, or what follows from it, asks for within the same time', async () => {
    const clock = createSimulatedClock(0);
    const fired: number[] = [];
    const again = () => {
      fired.push(clock.now());
      void Promise.resolve().then(() => clock.after(10, again));
    };
    clock.after(10, again);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(35);
  });

  it('stands still while files are read', async () => {
    const clock = createSimulatedClock(0);
    let doneAt: number | undefined;
    const reading = (async () => {
      for (let time = 0; time < 50; time += 1) await readFile(import.meta.filename);
      doneAt = clock.now();
    })();
    await clock.advance(1);
    await reading;
    expect(doneAt).toBe(0);
  });

  it('does not fire what was cancelled, nor anything twice', async () => {
    const clock = createSimulatedClock();
    let fired = 0;
    const cancel = clock.after(10, () => {
      fired += 100;
    });
    clock.after(-5, () => {
      fired += 1;
    });
    cancel();
    await clock.advance(20);
    await clock.advance(20);
    expect(fired).toBe(1);
  });

  it('has a wall time that can be set and that jumps, while no time passes', async () => {
    const clock = createSimulatedClock(1_000);
    let fired = false;
    clock.after(10, () => {
      fired = true;
    });
    clock.jump(-500);
    expect([clock.now(), clock.monotonic()]).toEqual([500, 0]);
    clock.set(9_000);
    await clock.advance(0);
    expect([clock.now(), clock.monotonic(), fired]).toEqual([9_000, 0, false]);
    await clock.advance(10);
    expect([clock.now(), clock.monotonic(), fired]).toEqual([9_010, 10, true]);
  });

  it('does not let time pass backwards', async () => {
    await expect(createSimulatedClock().advance(-1)).rejects.toThrow(RangeError);
    await expect(createSimulatedClock().advance(Number.NaN)).rejects.toThrow(RangeError);
  });
});
