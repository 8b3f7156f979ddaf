import { describe, expect, it } from 'vitest';
import { MergedStreams } from './merge-streams.js';

async function* counting(to: number, made: number[] = []) {
  for (let number = 0; number < to; number += 1) {
    made.push(number);
    yield number;
  }
}

async function* failing(): AsyncGenerator<number> {
  yield 1;
  throw new Error('broken');
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('merged streams', () => {
  it('give everything of each, in its order, and end with the last', async () => {
    const merged = new MergedStreams<number>();
    let ended = 0;
    merged.add(counting(50), () => {
      ended += 1;
    });
    merged.add(counting(3), () => merged.add(counting(2)));
    const all = await allOf(merged.read());
    expect(all).toHaveLength(55);
    expect(ended).toBe(1);
  });

  it('stay open while another kind of stream is watched', async () => {
    const merged = new MergedStreams<number>();
    const seen: number[] = [];
    merged.watch(counting(3), (value) => {
      seen.push(value);
      if (value === 2) merged.add(counting(1));
    });
    expect(await allOf(merged.read())).toEqual([0]);
    expect(seen).toEqual([0, 1, 2]);
  });

  it('end with the first error, after what came before it', async () => {
    const merged = new MergedStreams<number>();
    merged.add(failing());
    const got: number[] = [];
    const reading = async () => {
      for await (const value of merged.read()) got.push(value);
    };
    await expect(reading()).rejects.toThrow('broken');
    expect(got).toEqual([1]);
  });

  it('do not run ahead of a slow reader without end', async () => {
    const merged = new MergedStreams<number>();
    const made: number[] = [];
    merged.add(counting(100_000, made));
    for await (const value of merged.read()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (value === 10) break;
    }
    expect(made.length).toBeLessThan(5_000);
  });

  it('wait for the reader with every value when they have room for one', async () => {
    const merged = new MergedStreams<number>(1);
    const made: number[] = [];
    merged.add(counting(100, made));
    const ahead: number[] = [];
    for await (const value of merged.read()) {
      await new Promise((resolve) => setImmediate(resolve));
      ahead.push(made.length - value - 1);
    }
    expect(ahead).toHaveLength(100);
    expect(Math.max(...ahead)).toBe(1);
  });
});
