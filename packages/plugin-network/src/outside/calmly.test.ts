import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { calmly } from './calmly.js';

/** Answers with one latency after the other; each time this process is busy for so long, or only waits. */
function answering(latencies: readonly number[], busyMs: number) {
  let asked = 0;
  const measure = async () => {
    await setTimeout(1);
    for (const end = performance.now() + busyMs; performance.now() < end; );
    const latencyMs = latencies[asked] ?? Number.NaN;
    asked += 1;
    if (latencyMs < 0) throw new Error('gone');
    return { latencyMs };
  };
  return { measure, asked: () => asked };
}

describe('a latency', () => {
  it('is measured again when it is too high only because this process was busy', async () => {
    const { measure, asked } = answering([40, 3], 30);
    expect([await calmly(20, measure), asked()]).toEqual([{ latencyMs: 3 }, 2]);
  });

  it('stands when it is high by itself, within the limit, or nobody minds', async () => {
    for (const limit of [1_000, 90_000, undefined]) {
      const { measure, asked } = answering([60_000, 3], 0);
      expect([await calmly(limit, measure), asked()]).toEqual([{ latencyMs: 60_000 }, 1]);
    }
  });

  it('stands when the second is no better, or cannot be had', async () => {
    expect(await calmly(20, answering([40, 50], 30).measure)).toEqual({ latencyMs: 40 });
    expect(await calmly(20, answering([40, -1], 30).measure)).toEqual({ latencyMs: 40 });
  });
});
