import { describe, expect, it } from 'vitest';
import type { Recoverer } from '../model/recoverer.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { createMemoryStore } from '../state/memory-store.js';
import type { StateStore } from '../state/state-store.js';
import { systemClock } from '../time/clock.js';
import { fix } from './fix.js';
import { brokenThings } from './fixtures/broken-things.js';
import { recordedRepairs } from './recorded-repairs.js';

const nameOf = (index: number) => `t${index}`;
const names = (count: number) => Array.from({ length: count }, (_, index) => nameOf(index));

/** Mends so many things, and counts what it cost. */
async function mend(count: number, kernel: { store?: StateStore } = {}, recoverer: Partial<Recoverer> = {}) {
  const things = brokenThings(names(count), { recoverer, kernel });
  const { signal } = new AbortController();
  const { report } = await fix(things.kernel, { agreed: true, planOnly: false, signal });
  return { ...things, report };
}

/** A store that counts the characters that are read and written. */
function countingStore() {
  const store = createMemoryStore({ clock: systemClock });
  let characters = 0;
  const count = <Value>(value: Value): Value => {
    characters += JSON.stringify(value ?? null).length;
    return value;
  };
  const counting: StateStore = {
    ...store,
    id: () => store.id(),
    get: async (...place) => count(await store.get(...place)),
    list: async (namespace) => count(await store.list(namespace)),
    put: (namespace, key, value, condition) => store.put(namespace, key, count(value), condition),
    delete: (...place) => store.delete(...place),
    append: (stream, value, retention) => store.append(stream, count(value), retention),
    read: async (...place) => count(await store.read(...place)),
    watch: (...place) => store.watch(...place),
    close: () => store.close(),
  };
  return { counting, characters: () => characters };
}

describe('a repair of many steps', () => {
  it('reads and writes as much for each step, however many there are', async () => {
    const cost = async (count: number) => {
      const { counting, characters } = countingStore();
      const { report } = await mend(count, { store: counting });
      expect(report?.steps.map(({ verdict }) => verdict)).toEqual(Array(count).fill('recovered'));
      return characters() / count;
    };
    const few = await cost(100);
    expect(await cost(500)).toBeLessThan(few * 1.2);
  });

  it('goes on in the order of the plan', async () => {
    const { world } = await mend(200);
    expect(world.mended).toEqual(names(200));
  });

  it('hands no more to a recoverer that has broken, and says so of every step', async () => {
    const handed: string[] = [];
    const { report, kernel } = await mend(
      100,
      {},
      {
        async apply({ steps }) {
          handed.push(...steps.map(({ target }) => target));
          throw new Error('out of spare parts');
        },
      },
    );
    expect(handed.length).toBeLessThan(100);
    expect(new Set(report?.steps.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    expect(report?.steps[99]?.error?.message).toContain('out of spare parts');
    expect((await recordedRepairs(kernel)).filter(({ outcome }) => outcome === 'open')).toEqual([]);
  });
});

describe('a repair of many steps that is cancelled', () => {
  /** Cancels from a timer while a recoverer mends, in one of these ways, and heeds no signal. */
  async function cancelled(mendOne: (mendIt: () => void) => void | Promise<void>) {
    const controller = new AbortController();
    const began: string[] = [];
    let late = 0;
    const things = brokenThings(names(2_000), {
      recoverer: {
        async apply({ steps }) {
          for (const { target } of steps) {
            if (began.length === 20) setTimeout(() => controller.abort(), 1);
            if (controller.signal.aborted) late += 1;
            began.push(target);
            await mendOne(() => things.world.broken.delete(target));
          }
        },
      },
    });
    const options = { agreed: true, planOnly: false, signal: controller.signal };
    const error = await fix(things.kernel, options).catch((thrown) => thrown);
    const { steps, notBegun } = error.error.details as Record<'steps' | 'notBegun', StepOutcome[]>;
    return { ...things, error, began, late, steps, notBegun };
  }

  it.each<[string, (mendIt: () => void) => void | Promise<void>]>([
    ['never waits', (mendIt) => mendIt()],
    [
      'waits for each step',
      async (mendIt) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        mendIt();
      },
    ],
    [
      'blocks the process with each step',
      (mendIt) => {
        const end = performance.now() + 5;
        while (performance.now() < end);
        mendIt();
      },
    ],
  ])('begins no further step where the recoverer %s', async (_, mendOne) => {
    const { error, began, late, steps, notBegun, kernel } = await cancelled(mendOne);
    expect(error.code).toBe('CANCELLED');
    expect(late).toBe(0);
    expect(began.length).toBeLessThan(2_000);
    expect(steps.map(({ target }) => target)).toEqual(began);
    expect(notBegun.map(({ target }) => target)).toEqual(names(2_000).slice(began.length));
    // What is done is told as done, by the check that followed.
    expect(new Set(steps.map(({ verdict }) => verdict))).toEqual(new Set(['recovered']));
    expect((await recordedRepairs(kernel)).filter(({ outcome }) => outcome === 'open')).toEqual([]);
  });

  it('names a few in its message, and all in its details', async () => {
    const { error, notBegun } = await cancelled((mendIt) => mendIt());
    expect(error.message.length).toBeLessThan(2_000);
    expect(error.message).toMatch(/; not begun: .* and \d+ more$/);
    expect(notBegun.length).toBeGreaterThan(100);
  });
});
