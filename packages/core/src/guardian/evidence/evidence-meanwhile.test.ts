import { describe, expect, it } from 'vitest';
import { spanUntilNow } from './evidence-meanwhile.js';

const clock = { now: () => 5_000 };
const state = { service: 'api', status: 'exited', startedAt: 100, endedAt: 1_000 } as const;

describe('the time of a service that is being started again', () => {
  it('goes from its start to this moment, by the clock of its runtime', () => {
    expect(spanUntilNow(clock, state, undefined, 29.5)).toEqual({ since: 100, until: 1_030 });
  });

  it('has what was written down between its end and the news of it', () => {
    expect(spanUntilNow(clock, state, 1_200, 30)).toEqual({ since: 100, until: 1_230 });
    expect(spanUntilNow(clock, state, 900, 30)).toEqual({ since: 100, until: 1_030 });
  });

  it('goes by the clock of this machine when the runtime does not say when it ended', () => {
    expect(spanUntilNow(clock, { service: 'api', status: 'missing' }, undefined, 30)).toEqual({
      until: 5_030,
    });
  });
});
