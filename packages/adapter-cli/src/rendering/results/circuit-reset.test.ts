import { describe, expect, it } from 'vitest';
import { paint } from '../text/line.js';
import { circuitResetLines, type ShownCircuitReset } from './circuit-reset.js';

const closed: ShownCircuitReset = {
  circuit: 'docker',
  previous: 'closed',
  current: 'closed',
  changed: false,
  failureHistory: [],
  message: 'Circuit docker is closed: nothing to reset',
};
const shown = (reset: Partial<ShownCircuitReset>, dryRun = false) =>
  paint(circuitResetLines({ ...closed, ...reset }, dryRun, 10_000), { color: false }).split('\n');
const failed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ error: `no ${index}\nmore`, timestamp: index * 1_000 }));

describe('a reset circuit', () => {
  it('is no word more than that none is open, where none was named', () => {
    expect(shown({ circuit: null, message: 'No circuit is open: nothing to reset' })).toEqual([
      'No circuit is open: nothing to reset',
      '',
    ]);
  });

  it('says that there was nothing to reset', () => {
    expect(shown({})).toEqual([
      'Circuit docker is closed: nothing to reset',
      'state: closed, as before',
      'failures: none is remembered',
      'the next call: goes through',
      '',
    ]);
  });

  it('says how it was and is, what failed last, and what the next call does', () => {
    const message = 'Circuit docker was open and is half-open now: the next call is the probe';
    const reset = { previous: 'open', current: 'half-open', changed: true, message } as const;
    expect(shown({ ...reset, failureHistory: failed(6) })).toEqual([
      message,
      'state: open before, now half-open',
      'failures (the last 5 of 6), the latest last:',
      ...[1, 2, 3, 4, 5].map((second) => `  ${10 - second} s ago  no ${second}`),
      'the next call: one call finds out whether it is back; the circuit closes if it succeeds, and opens again if not',
      '',
    ]);
  });

  it('tells what failed five times in the same way once', () => {
    const same = failed(6).map((one, index) => (index === 0 ? one : { ...one, error: 'away' }));
    expect(shown({ failureHistory: same }).slice(2, 5)).toEqual([
      'failures, the latest last:',
      '  10 s ago  no 0',
      '  5 times, the last one 5 s ago  away',
    ]);
  });

  it('does not say that a dry run has changed anything', () => {
    const message = 'It would become half-open';
    const dry = { previous: 'open', current: 'half-open', message, failureHistory: failed(1) } as const;
    expect(shown(dry, true)).toEqual([
      message,
      'state: open, after a reset half-open',
      'failures, the latest last:',
      '  10 s ago  no 0',
      'the next call: is refused until the circuit is reset or its time is up; after a reset it is the probe',
      '',
    ]);
  });
});
