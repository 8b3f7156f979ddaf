import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TimedLine } from './log-line.js';
import { NewestLines, tailFor } from './newest-lines.js';

const lineAt = (at: number, stream: 'stdout' | 'stderr'): TimedLine => ({
  time: new Date(at).toISOString(),
  pieces: 1,
  line: { service: 'api', stream, text: `${at}`, at },
});

it('keeps the newest lines of two streams that come in no order between them', () => {
  const streams = fc.array(fc.record({ at: fc.nat(100_000), isError: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(streams, fc.nat(20), fc.boolean(), (written, count, errorsFirst) => {
      const inTime = written
        .toSorted((one, other) => one.at - other.at)
        .map(({ at, isError }) => lineAt(at, isError ? 'stderr' : 'stdout'));
      const of = (stream: string) => inTime.filter(({ line }) => line.stream === stream);
      const read = errorsFirst ? [...of('stderr'), ...of('stdout')] : [...of('stdout'), ...of('stderr')];
      const lines = new NewestLines(count);
      for (const line of read) lines.add(line);
      const times = (some: readonly TimedLine[]) => some.map(({ time }) => time);
      expect(times(lines.take())).toEqual(times(count === 0 ? [] : inTime.slice(-count)));
      const all = new NewestLines();
      for (const line of read) all.add(line);
      expect(times(all.take())).toEqual(times(inTime));
    }),
  );
});

it('gives no end of a line of which the engine has left out the beginning', () => {
  const asked = tailFor(1);
  const long = (pieces: number) => {
    const lines = new NewestLines(1, asked);
    lines.add({ ...lineAt(1, 'stdout'), pieces });
    return lines.take();
  };
  expect(long(asked - 1)).toHaveLength(1);
  expect(long(asked)).toEqual([]);
});
