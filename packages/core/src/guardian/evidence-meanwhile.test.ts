import { describe, expect, it } from 'vitest';
import { linesUntilNow } from './evidence-meanwhile.js';
import type { Evidence } from './incident.js';

const line = (text: string, at?: number) => ({
  stream: 'stdout' as const,
  text,
  ...(at === undefined ? {} : { at }),
});
const evidence: Evidence = {
  ...{ at: 0, status: 'exited', exitCode: 1, oomKilled: false, startedAt: 0, endedAt: 1_000 },
  ...{ memory: { limit: null, peak: null }, health: [], details: {}, diagnosis: {}, gaps: [] },
  lines: [line('before', 900), line('its last', 1_020), line('unknown'), line('after', 1_200)],
};
const clock = { now: () => 5_000 };

describe('evidence that is gathered while a service is started', () => {
  it('has nothing of what the service says from then on, by the clock of its runtime', () => {
    const only = linesUntilNow(clock, { service: 'api', status: 'exited', endedAt: 1_000 }, 30);
    expect(only(evidence).lines.map(({ text }) => text)).toEqual(['before', 'its last', 'unknown']);
  });

  it('has the last hundred of before, however many there are of after', () => {
    const before = Array.from({ length: 150 }, (_, index) => line(`old ${index}`, 900));
    const after = Array.from({ length: 300 }, (_, index) => line(`new ${index}`, 1_500));
    const only = linesUntilNow(clock, { service: 'api', status: 'exited', endedAt: 1_000 }, 30);
    const { lines } = only({ ...evidence, lines: [...before, ...after] });
    expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([100, 'old 50', 'old 149']);
  });

  it('goes by the clock of this machine when the runtime does not say when it ended', () => {
    const only = linesUntilNow(clock, { service: 'api', status: 'missing' }, 30);
    expect(only(evidence).lines).toHaveLength(4);
  });
});
