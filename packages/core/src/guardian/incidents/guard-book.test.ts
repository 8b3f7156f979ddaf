import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../state/memory-store.js';
import { createSimulatedClock } from '../../testing/simulated-clock.js';
import { closeBook, GuardBook, openIncidents, restartCounts } from './guard-book.js';
import type { OpenIncident } from './incident.js';

const hour = 3_600_000;

function setUp(maxRestarts = 3, stormLimit = { max: 10, per: hour }) {
  const clock = createSimulatedClock();
  const store = createMemoryStore({ clock });
  const open = (runId = 'r1') => new GuardBook({ store, clock }, runId, { maxRestarts, stormLimit });
  return { clock, store, open };
}

const incident: OpenIncident = {
  service: 'api',
  runId: 'r1',
  startedAt: 0,
  restarts: [],
  error: {
    code: 'CONTAINER_CRASH',
    category: 'container',
    severity: 'recoverable',
    message: 'it crashed',
    details: {},
    suggestedActions: [],
    timestamp: 0,
  },
};

describe('the book of a guardian', () => {
  it('grants as many restarts as there may be until the service is stable', async () => {
    const book = setUp().open();
    const answers = [];
    for (let time = 0; time < 4; time += 1) answers.push(await book.take('api', 'OOM'));
    expect(answers).toEqual([
      { granted: true, attempt: 1 },
      { granted: true, attempt: 2 },
      { granted: true, attempt: 3 },
      { granted: false, limit: 'max-restarts' },
    ]);
    await book.settle('api');
    expect(await book.take('api', 'OOM')).toEqual({ granted: true, attempt: 1 });
  });

  it('is the same for every guardian of the run, and another for every run', async () => {
    const { open } = setUp();
    await open().take('api', 'OOM');
    await open().take('api', 'OOM');
    expect(await open().attempts('api')).toBe(2);
    expect(await open('r2').attempts('api')).toBe(0);
  });

  it('counts anew when a setup has started the service, but not towards the storm', async () => {
    const { open, store } = setUp(3, { max: 2, per: hour });
    const book = open();
    await book.open('api', 100);
    await book.take('api', 'OOM');
    await book.note('api', incident);
    expect(await book.open('api', 100)).toEqual({ attempts: 1, isGivenUp: false, left: incident });
    expect(await openIncidents(store, 'r1')).toEqual([incident]);
    expect(await book.open('api', 200)).toEqual({ attempts: 0, isGivenUp: false, lost: incident });
    expect(await book.take('api', 'OOM')).toEqual({ granted: true, attempt: 1 });
    expect(await book.take('api', 'OOM')).toEqual({ granted: false, limit: 'storm-limit' });
    expect(await book.attempts('api')).toBe(1);
  });

  it('remembers that a service was given up until it is stable, or a setup has started it', async () => {
    const book = setUp().open();
    await book.open('api', 100);
    await book.note('api', incident);
    await book.giveUp('api');
    expect(await book.open('api', 100)).toEqual({ attempts: 0, isGivenUp: true });
    expect(await book.open('api', 200)).toEqual({ attempts: 0, isGivenUp: false });
    await book.giveUp('api');
    await book.settle('api');
    expect(await book.open('api', 200)).toEqual({ attempts: 0, isGivenUp: false });
  });

  it('knows when and why the restarts were made that the storm limit counts', async () => {
    const { open, clock } = setUp(9, { max: 3, per: hour });
    const begin = clock.now();
    for (const reason of ['one', 'two', 'three']) {
      await open().take('api', reason);
      await clock.advance(hour / 4);
    }
    expect(await open().counted('api')).toEqual([
      { at: begin, reason: 'one' },
      { at: begin + hour / 4, reason: 'two' },
      { at: begin + hour / 2, reason: 'three' },
    ]);
    await clock.advance(hour / 4);
    await open().takeAlong('api', 'four');
    await open().giveBack('api');
    expect((await open().counted('api')).map(({ reason }) => reason)).toEqual(['two', 'three']);
  });

  it('gives back what could not be tried, and counts what is restarted along', async () => {
    const { open, store } = setUp(1, { max: 3, per: hour });
    const book = open();
    await book.take('api', 'OOM');
    await book.giveBack('api');
    expect(await book.take('api', 'OOM')).toEqual({ granted: true, attempt: 1 });
    expect(await book.takeAlong('api', 'OOM')).toBe(true);
    expect(await book.takeAlong('api', 'OOM')).toBe(true);
    expect(await book.takeAlong('api', 'OOM')).toBe(false);
    expect(await restartCounts(store, 'r1')).toEqual(new Map([['api', { restarts: 3, repairs: 0 }]]));
    await closeBook(store, 'r1');
    expect(await store.list('guardian')).toEqual([]);
  });

  it('tells of a restart only when it was made, not while it is under way', async () => {
    const { open, store } = setUp();
    const book = open();
    const withVerdict = (verdict: string) =>
      ({ ...incident, restarts: [{ verdict, at: 5 }] }) as unknown as OpenIncident;
    const restarts = async () => (await restartCounts(store, 'r1')).get('api')?.restarts;
    await book.take('api', 'OOM', () => withVerdict('pending'));
    expect(await restarts()).toBe(0);
    await book.note('api', withVerdict('healthy'));
    expect(await restarts()).toBe(1);
    await book.noteUnknown('api', 1);
    expect(await restarts()).toBe(0);
    expect(await book.attempts('api')).toBe(1);
  });

  it('counts a repair for the limits, and not as a restart', async () => {
    const { open, store } = setUp(1, { max: 3, per: hour });
    const book = open();
    const incident = { service: 'api', runId: 'r1', startedAt: 0, restarts: [] } as unknown as OpenIncident;
    await book.take('api', 'health check failed');
    await book.noteRepair('api', incident);
    expect(await restartCounts(store, 'r1')).toEqual(new Map([['api', { restarts: 0, repairs: 1 }]]));
    expect(await book.take('api', 'OOM')).toEqual({ granted: false, limit: 'max-restarts' });
    expect(await book.counted('api')).toHaveLength(1);
  });

  it('never grants more than its limits, whoever asks, however the clock goes back', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ take: fc.constantFrom('api', 'db') }) },
      { weight: 2, arbitrary: fc.record({ settle: fc.constantFrom('api', 'db') }) },
      { weight: 3, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 200 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 80 }),
        fc.integer({ min: 0, max: 4 }),
        fc.record({ max: fc.integer({ min: 1, max: 5 }), per: fc.integer({ min: 1, max: 60 }) }),
        async (steps, maxRestarts, stormLimit) => {
          const { clock, open } = setUp(maxRestarts, stormLimit);
          const granted: Record<string, number[]> = { api: [], db: [] };
          const sinceStable: Record<string, number> = { api: 0, db: 0 };
          for (const one of steps) {
            // Each time another guardian: nothing is kept but what is in the store.
            if ('take' in one) {
              if ((await open().take(one.take, 'OOM')).granted) {
                granted[one.take]?.push(clock.monotonic());
                sinceStable[one.take] = (sinceStable[one.take] ?? 0) + 1;
              }
            } else if ('settle' in one) {
              await open().settle(one.settle);
              sinceStable[one.settle] = 0;
            } else if ('pass' in one) await clock.advance(one.pass);
            else clock.jump(-one.back);
            for (const count of Object.values(sinceStable)) expect(count).toBeLessThanOrEqual(maxRestarts);
          }
          for (const times of Object.values(granted)) {
            for (const [index, at] of times.entries()) {
              const earlier = times[index - stormLimit.max];
              if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(stormLimit.per);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives the last restart to one of many who ask at the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 8 }),
        async (max, callers) => {
          const { open } = setUp(max);
          const answers = await Promise.all(Array.from({ length: callers }, () => open().take('api', 'OOM')));
          expect(answers.filter(({ granted }) => granted)).toHaveLength(Math.min(max, callers));
        },
      ),
      { numRuns: 50 },
    );
  });
});
