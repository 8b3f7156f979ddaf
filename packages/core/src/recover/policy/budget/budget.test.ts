import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../state/memory-store.js';
import { createSimulatedClock } from '../../../testing/simulated-clock.js';
import { type Budget, createBudget, rehearseBudget } from './budget.js';

const hour = 3_600_000;
const api = 'container:api';

function setUp(limit = { max: 2, per: hour }) {
  const clock = createSimulatedClock();
  const store = createMemoryStore({ clock });
  const parts = { store, clock, project: 'shop', limit };
  return { clock, store, parts, budget: createBudget(parts) };
}

const answers = async (budget: Budget, times: number) => {
  const granted: boolean[] = [];
  for (let time = 0; time < times; time += 1) granted.push((await budget.take(api)).granted);
  return granted;
};

describe('the budget', () => {
  it('is the same for all that share a store, also after a restart', async () => {
    const { budget, parts } = setUp();
    expect(await budget.take(api)).toMatchObject({ granted: true, used: 1 });
    expect(await createBudget(parts).take(api)).toMatchObject({ granted: true, used: 2 });
    expect(await createBudget(parts).take(api)).toMatchObject({ granted: false, used: 2 });
  });

  it('is free again one window after it was used', async () => {
    const { budget, clock } = setUp();
    await answers(budget, 2);
    await clock.advance(hour - 1);
    expect(await answers(budget, 1)).toEqual([false]);
    await clock.advance(1);
    expect(await answers(budget, 3)).toEqual([true, true, false]);
  });

  it('is kept apart for each project', async () => {
    const { budget, parts } = setUp();
    await answers(budget, 2);
    expect(await answers(createBudget({ ...parts, project: 'blog' }), 1)).toEqual([true]);
  });

  it('writes nothing when it refuses', async () => {
    const { budget, store } = setUp();
    await answers(budget, 2);
    const before = await store.get('budget', 'shop');
    await answers(budget, 2);
    expect(await store.get('budget', 'shop')).toEqual(before);
  });

  it('leaves no name of a target in the store, which may have a secret in it', async () => {
    const { budget, store } = setUp();
    await budget.take('path:/mnt/t0pS3cret-99');
    expect(JSON.stringify(await store.list('budget'))).not.toContain('t0pS3cret-99');
  });

  it('counts what an older version has remembered under the name itself, and keeps it without that', async () => {
    const { budget, parts, store, clock } = setUp({ max: 3, per: hour });
    const now = clock.now();
    await store.put('budget', 'shop', { [api]: [now - 2, now - 1], 'container:db': [now] });
    expect(await rehearseBudget(parts).take(api)).toMatchObject({ granted: true, used: 3 });
    expect(await budget.take(api)).toMatchObject({ granted: true, used: 3 });
    expect(JSON.stringify(await store.list('budget'))).not.toContain('container');
    expect(await answers(budget, 1)).toEqual([false]);
    expect(await budget.take('container:db')).toMatchObject({ granted: true, used: 2 });
  });

  it('counts together what older and newer versions took from the same store in turn', async () => {
    const { budget, store, clock } = setUp();
    await budget.take(api);
    const newer = (await store.get('budget', 'shop'))?.value as Record<string, number[]>;
    await store.put('budget', 'shop', { ...newer, [api]: [clock.now()] });
    expect(await budget.take(api)).toMatchObject({ granted: false, used: 2 });
  });

  it('gives the last repair to exactly one of many that ask at the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ max: fc.integer({ min: 0, max: 5 }), per: fc.constant(hour) }),
        fc.integer({ min: 1, max: 12 }),
        async (limit, callers) => {
          const { parts } = setUp(limit);
          const clients = Array.from({ length: callers }, () => createBudget(parts));
          const spendings = await Promise.all(clients.map((client) => client.take(api)));
          const granted = spendings.filter((spending) => spending.granted).length;
          expect(granted).toBe(Math.min(limit.max, callers));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('loses no repair of another target that is taken at the same moment', async () => {
    const { budget } = setUp({ max: 1, per: hour });
    const targets = ['container:api', 'container:db', 'container:web'];
    const first = await Promise.all(targets.map((target) => budget.take(target)));
    const second = await Promise.all(targets.map((target) => budget.take(target)));
    expect(first.map(({ granted }) => granted)).toEqual([true, true, true]);
    expect(second.map(({ granted }) => granted)).toEqual([false, false, false]);
  });

  describe('with a clock that jumps backwards', () => {
    const events = fc.array(
      fc.oneof(
        fc.record({ pass: fc.integer({ min: 0, max: 8 }) }),
        fc.record({ back: fc.integer({ min: 1, max: 40 }) }),
        fc.constant('take' as const),
      ),
      { maxLength: 60 },
    );
    const limits = fc.record({ max: fc.integer({ min: 1, max: 3 }), per: fc.integer({ min: 1, max: 12 }) });

    it('never grants more than the limit within one window of time that really passed', async () => {
      await fc.assert(
        fc.asyncProperty(limits, events, async (limit, history) => {
          const { budget, clock } = setUp(limit);
          const granted: number[] = [];
          for (const event of history) {
            if (event === 'take') {
              if ((await budget.take(api)).granted) granted.push(clock.monotonic());
            } else if ('pass' in event) await clock.advance(event.pass);
            else clock.jump(-event.back);
          }
          for (const [index, at] of granted.entries()) {
            const earlier = granted[index - limit.max];
            if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(limit.per);
          }
        }),
        { numRuns: 300 },
      );
    });

    it('grants everything again one window after it was first asked, however far the clock went back', async () => {
      await fc.assert(
        fc.asyncProperty(limits, events, async (limit, history) => {
          const { budget, clock } = setUp(limit);
          for (const event of history) {
            if (event === 'take') await budget.take(api);
            else if ('pass' in event) await clock.advance(event.pass);
            else clock.jump(-event.back);
          }
          await budget.take(api);
          await clock.advance(limit.per);
          expect(await answers(budget, limit.max + 1)).toEqual([...Array(limit.max).fill(true), false]);
        }),
        { numRuns: 300 },
      );
    });
  });
});

describe('the budget of a dry run', () => {
  it('answers as the stored one would, one take after the other', async () => {
    const { budget, parts } = setUp({ max: 3, per: hour });
    await budget.take(api);
    const dry = rehearseBudget(parts);
    expect(await answers(dry, 3)).toEqual([true, true, false]);
    expect(await dry.take('container:db')).toMatchObject({ granted: true, used: 1 });
  });

  it('answers correctly when asked several times at once', async () => {
    const { parts } = setUp();
    const dry = rehearseBudget(parts);
    const spendings = await Promise.all([dry.take(api), dry.take(api), dry.take(api)]);
    expect(spendings.map(({ granted }) => granted)).toEqual([true, true, false]);
  });

  it('takes nothing', async () => {
    const { budget, parts, store } = setUp();
    await answers(rehearseBudget(parts), 3);
    expect(await store.list('budget')).toEqual([]);
    expect(await answers(budget, 3)).toEqual([true, true, false]);
  });
});
