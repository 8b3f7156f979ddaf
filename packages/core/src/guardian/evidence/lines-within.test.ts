import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesWithin, type Which } from './lines-within.js';

const line = (text: string, at?: number) => ({
  stream: 'stdout' as const,
  text,
  ...(at === undefined ? {} : { at }),
});
type Line = ReturnType<typeof line>;

/** Reads as a runtime does, and keeps what it was asked. */
function log(lines: readonly Line[], gaps: Record<number, string> = {}) {
  const asked: Which[] = [];
  const read = async (which: Which) => {
    asked.push(which);
    const gap = gaps[asked.length];
    if (gap !== undefined) return { lines: [], gap };
    const { since = 0, until = Number.POSITIVE_INFINITY, tail } = which;
    const within = lines.filter(({ at = 0 }) => at >= since && at <= until);
    return { lines: within.slice(-tail) };
  };
  return { asked, read };
}
const many = (count: number, text: string, at: number) =>
  Array.from({ length: count }, (_, index) => line(`${text} ${index}`, at));
const textsOf = ({ lines }: { lines: readonly { text: string }[] }) => lines.map(({ text }) => text);
const span = { since: 500, until: 1_030 };

describe('the lines of before an end', () => {
  it('have nothing of what the service says from then on', async () => {
    const { read } = log([
      line('before', 900),
      line('its last', 1_020),
      line('unknown'),
      line('after', 1_200),
    ]);
    expect(await linesWithin(span, 100, read)).toEqual({
      lines: [line('before', 900), line('its last', 1_020), line('unknown')],
    });
  });

  it('are the last hundred, with one look where they are in sight', async () => {
    const { read, asked } = log([...many(150, 'old', 900), ...many(300, 'new', 1_500)]);
    const texts = textsOf(await linesWithin(span, 100, read));
    expect([texts.length, texts[0], texts.at(-1), asked.length]).toEqual([100, 'old 50', 'old 149', 1]);
  });

  it('are found by their time behind any number of new ones', async () => {
    const { read, asked } = log([...many(150, 'old', 900), ...many(6_000, 'new', 1_500)]);
    const texts = textsOf(await linesWithin(span, 100, read));
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([100, 'old 50', 'old 149']);
    expect(asked.at(-1)).toEqual({ tail: 100, since: 500, until: 1_030 });
  });

  it('are looked for by their time where an engine gives less of the end of a log than there is', async () => {
    const { read } = log(many(150, 'old', 900));
    const shortened = (which: Which) =>
      which.since === undefined ? Promise.resolve({ lines: [line('new', 1_500)] }) : read(which);
    const texts = textsOf(await linesWithin(span, 100, shortened));
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([100, 'old 50', 'old 149']);
  });

  it('are never none without a word why', async () => {
    const none = 'the last lines: its log has none of before its end';
    expect(await linesWithin(span, 100, log([]).read)).toEqual({ lines: [], gap: none });
    const cut = log(many(6_000, 'new', 1_500));
    expect(await linesWithin(span, 100, cut.read)).toEqual({ lines: [], gap: none });
    const slow = log([...many(150, 'old', 900), ...many(6_000, 'new', 1_500)], { 2: 'it did not end' });
    expect(await linesWithin(span, 100, slow.read)).toEqual({ lines: [], gap: 'it did not end' });
  });

  it('are those in sight where the others cannot be read, and that is told', async () => {
    const { read } = log([...many(150, 'old', 900), ...many(1_990, 'new', 1_500)], { 2: 'it did not end' });
    const found = await linesWithin(span, 100, read);
    expect([found.lines.length, found.gap]).toEqual([10, 'it did not end']);
  });

  it('are the same, however many came since', async () => {
    const counts = fc.record({ before: fc.integer({ min: 1, max: 300 }), after: fc.nat(5_000) });
    await fc.assert(
      fc.asyncProperty(counts, async ({ before, after }) => {
        const old = many(before, 'old', 900);
        const found = await linesWithin(span, 100, log([...old, ...many(after, 'new', 1_500)]).read);
        expect(found).toEqual({ lines: old.slice(-100) });
      }),
      { numRuns: 40 },
    );
  });
});
