import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../testing/simulated-clock.js';
import { systemClock } from './clock.js';
import { firstOf } from './first-of.js';
import { cleanUpMemory } from './fixtures/clean-up-memory.js';
import { pause } from './pause.js';

function trial() {
  const clock = createSimulatedClock();
  const caller = new AbortController();
  const given: AbortSignal[] = [];
  const wait = (ms: number, name: string) => async (signal: AbortSignal) => {
    given.push(signal);
    await pause(clock, ms, signal);
    return name;
  };
  return { clock, caller, given, wait };
}

describe('the first of several things', () => {
  it('is what they come to, and stops the others', async () => {
    const { clock, caller, given, wait } = trial();
    const first = firstOf(caller.signal, wait(200, 'slow'), wait(100, 'fast'));
    await clock.advance(100);
    expect(await first).toBe('fast');
    expect(given.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(given.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });

  it('counts also when it fails', async () => {
    const { caller, given, wait } = trial();
    const broken = async () => {
      throw new Error('it broke');
    };
    await expect(firstOf<unknown>(caller.signal, wait(100, 'slow'), broken)).rejects.toThrow('it broke');
    expect(given[0]?.aborted).toBe(true);
  });

  it('ends with the caller, for the same reason', async () => {
    const { caller, wait } = trial();
    const first = firstOf(caller.signal, wait(100, 'one'), wait(100, 'other'));
    caller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await expect(firstOf(caller.signal, wait(100, 'one'))).rejects.toThrow('enough');
  });

  it('is told to stop by the caller also when memory is cleaned up meanwhile', async () => {
    cleanUpMemory();
    const caller = new AbortController();
    const first = firstOf(caller.signal, (signal) => pause(systemClock, 60_000, signal));
    systemClock.after(200, () => caller.abort(new Error('enough')));
    await expect(first).rejects.toThrow('enough');
  });
});
