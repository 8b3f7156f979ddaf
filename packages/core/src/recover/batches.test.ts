import { describe, expect, it } from 'vitest';
import { Batches, handOut } from './batches.js';

const steps = Array.from({ length: 1_000 }, (_, index) => ({
  target: `thing:${index}`,
  action: 'mend',
  description: 'Mend it',
  reversible: true,
}));

/** Time that passes only where a work lets it. */
class Time {
  #now = 0;
  #beat: (() => void) | undefined;

  readonly monotonic = () => this.#now;

  readonly after = (_: number, act: () => void) => {
    this.#beat = act;
    return () => {
      this.#beat = undefined;
    };
  };

  /** Nothing is heard meanwhile. */
  readonly block = (ms: number) => {
    this.#now += ms;
  };

  /** Something is heard all the time. */
  readonly wait = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      this.#now += 10;
      this.#beat?.();
    }
  };
}

/** How many steps each of these works is handed, one after the other. */
async function sizes(works: readonly ((time: Time) => void)[]): Promise<number[]> {
  const time = new Time();
  const batches = new Batches(time);
  const handed: number[] = [];
  for (const work of works) {
    handed.push(batches.from(steps, 0).length);
    await batches.run(async () => work(time));
  }
  return handed;
}

describe('batches of steps', () => {
  it('grow while the process can be reached, up to a bound', async () => {
    expect(await sizes(Array(3).fill(() => undefined))).toEqual([32, 64, 64]);
  });

  it('shrink to single steps for who blocks the process, and grow again after', async () => {
    const works = Array(3).fill(({ block }: Time) => block(500));
    expect(await sizes([...works, ...Array(3).fill(() => undefined)])).toEqual([32, 3, 1, 1, 2, 4]);
  });

  it('do not take long waiting for blocking', async () => {
    expect(await sizes(Array(3).fill(({ wait }: Time) => wait(300)))).toEqual([32, 64, 64]);
  });

  it('hear in real time too', async () => {
    const batches = new Batches();
    await batches.run(async () => {
      const end = performance.now() + 500;
      while (performance.now() < end);
    });
    expect(batches.from(steps, 0).length).toBeLessThan(32);
  });
});

describe('handing out steps', () => {
  it('gives no further step once it is cancelled, and knows which it gave', () => {
    const controller = new AbortController();
    const handed = handOut(steps.slice(0, 4), controller.signal);
    const taken: string[] = [];
    for (const { target } of handed.steps) {
      taken.push(target);
      if (taken.length === 2) controller.abort();
    }
    for (const { target } of handed.steps) taken.push(target);
    expect(taken).toEqual(['thing:0', 'thing:1']);
    expect(steps.slice(0, 4).map((_, index) => handed.wasGiven(index))).toEqual([true, true, false, false]);
  });

  it('takes all for given where they are taken in another way than one by one', () => {
    const handed = handOut(steps.slice(0, 2), AbortSignal.abort());
    expect(handed.steps.map(({ target }) => target)).toEqual(['thing:0', 'thing:1']);
    expect([handed.wasGiven(0), handed.wasGiven(1)]).toEqual([true, true]);
  });
});
