import { describe, expect, it } from 'vitest';
import { Batches, handOut } from './batches.js';

const steps = Array.from({ length: 1_000 }, (_, index) => ({
  target: `thing:${index}`,
  action: 'mend',
  description: 'Mend it',
  reversible: true,
}));

/** How many steps each of these works is handed, one after the other. */
async function sizes(works: readonly (() => void | Promise<void>)[]): Promise<number[]> {
  const batches = new Batches();
  const handed: number[] = [];
  for (const work of works) {
    handed.push(batches.from(steps, 0).length);
    await batches.run(async () => work());
  }
  return handed;
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('batches of steps', () => {
  it('grow while the process can be reached, up to a bound', async () => {
    const [first = 0, ...rest] = await sizes(Array(12).fill(() => undefined));
    expect(rest.every((size, index) => size >= (rest[index - 1] ?? first))).toBe(true);
    expect(rest.at(-1)).toBe(64);
  });

  it('shrink to single steps for who blocks the process', async () => {
    const works = Array(4).fill(() => block(500));
    expect((await sizes([...works, () => undefined])).at(-1)).toBe(1);
  });

  it('do not take long waiting for blocking', async () => {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
    // A busy machine may be late by itself, but not by a third of what is waited for each time.
    expect((await sizes([wait, wait, wait, () => undefined])).at(-1)).toBeGreaterThan(1);
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
