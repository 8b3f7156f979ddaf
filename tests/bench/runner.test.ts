import { describe, expect, it } from 'vitest';
import { contestant } from '../../bench/runner/contestant.mjs';
import { judge } from '../../bench/runner/judge.mjs';
import { measure } from '../../bench/runner/measure.mjs';
import { failedSection, readSections, writeSections } from '../../bench/runner/results.mjs';
import { section } from '../../bench/runner/section.mjs';
import { quantile } from '../../bench/runner/statistics.mjs';

const { signal } = new AbortController();
const quietly = { signal, tell: () => undefined };

/** A row whose values are all the same. */
const row = (name: string, value: number) => ({
  name,
  median: value,
  p10: value,
  p90: value,
  slowest: value,
});

describe('measuring', () => {
  it('takes each in turn, another first each time, and counts no warm-up', async () => {
    const order: string[] = [];
    const contestant = (name: string, value: number) => (round: number) => {
      order.push(`${name}${round}`);
      return value + round;
    };
    const contestants = { a: contestant('a', 10), b: contestant('b', 20) };
    const rows = await measure({ title: 't', rounds: 3, warmUps: 1, contestants }, quietly);
    expect(order).toEqual(['a-1', 'b-1', 'b0', 'a0', 'a1', 'b1', 'b2', 'a2']);
    expect(rows).toMatchObject([
      { name: 'a', median: 11, slowest: 12 },
      { name: 'b', median: 21, slowest: 22 },
    ]);
  });

  it('has what comes before and after done, and shares the measure among the calls', async () => {
    const seen: unknown[] = [];
    const contestants = {
      a: {
        before: () => 'made',
        run: (_: number, given: unknown) => seen.push(given),
        after: () => seen.push('gone'),
      },
    };
    const [found] = await measure({ title: 't', rounds: 2, warmUps: 0, per: 2, contestants }, quietly);
    expect(seen).toEqual(['made', 'gone', 'made', 'gone']);
    expect(found).toMatchObject({ p10: expect.closeTo(0.6), slowest: 1.5 });
  });

  it('leaves out who fails or does not end, with the reason, and goes on with the others', async () => {
    const contestants = {
      fails: () => Promise.reject(new Error('no\nmore')),
      hangs: () => new Promise(() => undefined),
      works: () => 1,
      absent: { missing: 'not installed' },
    };
    const rows = await measure({ title: 't', rounds: 2, patienceMs: 20, contestants }, quietly);
    expect(rows).toMatchObject([
      { name: 'fails', missing: 'failed: no' },
      { name: 'hangs', missing: 'failed: did not end within 0.02 s' },
      { name: 'works', median: 1 },
      { name: 'absent', missing: 'not installed' },
    ]);
  });

  it('leaves out who cannot be started, with the reason, unless it was told to end', async () => {
    const fails = () => Promise.reject(new Error('no daemon\nat all'));
    expect(await contestant(fails, { signal })).toEqual({ missing: 'failed: no daemon' });
    expect(await contestant(fails, { signal, missing: 'not installed' })).toEqual({
      missing: 'not installed',
    });
    const over = AbortSignal.abort(new Error('enough'));
    await expect(contestant(fails, { signal: over })).rejects.toThrow('enough');
  });

  it('ends when it is told to, whoever is at it', async () => {
    const stop = new AbortController();
    const contestants = {
      hangs() {
        stop.abort(new Error('enough'));
        return new Promise(() => undefined);
      },
    };
    const measuring = measure({ title: 't', rounds: 2, contestants }, { ...quietly, signal: stop.signal });
    await expect(measuring).rejects.toThrow('enough');
  });
});

describe('a quantile', () => {
  it('lies between its neighbours', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([4, 1, 2, 3], 0.5)).toBe(2.5);
    expect(quantile([0, 10], 0.1)).toBe(1);
    expect(quantile([7], 0.9)).toBe(7);
  });
});

describe('a bar', () => {
  const rows = [row('floor', 10), row('ours', 12), { name: 'peer', missing: 'not installed' }];
  const table = { rows, unit: 'ms' };

  it.each([
    [{ of: 'ours', to: 'floor', most: 1.2 }, 'holds', '1.20 ×'],
    [{ of: 'ours', to: 'floor', most: 1.1 }, 'misses', '1.20 ×'],
    [{ of: 'ours', over: 'floor', most: 2 }, 'holds', '2.00 ms'],
    [{ of: 'ours', over: 'floor', most: 1 }, 'misses', '2.00 ms'],
    [{ of: 'ours', slowest: 12 }, 'holds', '12.00 ms'],
    [{ of: 'ours', slowest: 11 }, 'misses', '12.00 ms'],
    [{ of: 'ours', to: 'peer', most: 1 }, 'unknown', 'peer: not installed'],
  ])('%j %s', (bar, verdict, value) => {
    expect(judge(bar, table)).toMatchObject({ verdict, value });
  });

  it('is missed by who is there and failed, and unknown when the other did', () => {
    const broken = { rows: [row('floor', 1), { name: 'ours', missing: 'failed: oh' }], unit: 'ms' };
    expect(judge({ of: 'ours', to: 'floor', most: 1 }, broken)).toMatchObject({ verdict: 'misses' });
    expect(judge({ of: 'floor', to: 'ours', most: 1 }, broken)).toMatchObject({ verdict: 'unknown' });
  });
});

describe('the page of results', () => {
  const found = (title: string, most: number) =>
    section({
      title,
      about: 'What it is.',
      machine: 'today',
      tables: [
        {
          title: 'A table',
          rounds: 3,
          unit: 'ms',
          floor: 'floor',
          rows: [row('floor', 10), row('ours', 12)],
          bars: [{ of: 'ours', to: 'floor', most }],
        },
      ],
    });

  it('has the numbers, the ratios and the verdicts, all bars first', () => {
    const { text, verdicts } = found('One', 2);
    expect(text).toContain('| ours | 12.0 | 12.0 to 12.0 | 1.20 |');
    expect(verdicts).toEqual(['holds']);
    const page = writeSections(new Map([['one', text]]), ['one']);
    const bar = '| ours ≤ 2.00 × floor | 1.20 × | **holds** |';
    expect(page.split(bar)).toHaveLength(3);
    expect(page.indexOf(bar)).toBeLessThan(page.indexOf('## One'));
  });

  it('says of each bar which table it belongs to', () => {
    const page = writeSections(new Map([['one', found('One', 2).text]]), ['one']);
    expect(page).toContain('\n| One: A table | ours ≤ 2.00 × floor | 1.20 × | **holds** |\n');
  });

  it('says of a benchmark that failed when and why, and has no figures of an earlier day', () => {
    const before = found('One', 2).text;
    const failed = failedSection('one', { reason: 'no | more', machine: 'today on 2 cores', before });
    expect(failed).toContain('## One\n');
    expect(failed).toContain('**Failed** today on 2 cores.');
    const page = writeSections(new Map([['one', failed]]), ['one']);
    expect(page).toContain('\n| One | all of its bars | failed: no \\| more | **misses** |\n');
    expect(page).not.toContain('12.0');
    expect(failedSection('two', { reason: 'x', machine: 'today' })).toContain('## two\n');
  });

  it('names a benchmark that was never measured', () => {
    const page = writeSections(new Map([['one', found('One', 2).text]]), ['one', 'two']);
    expect(page).toContain('\n| two | all of its bars | not measured | **unknown** |\n');
  });

  it('keeps the sections that were not measured again, in their order, and drops unknown ones', () => {
    const order = ['one', 'two'];
    const first = new Map([
      ['two', found('Two', 2).text],
      ['one', found('One', 2).text],
      ['gone', 'old'],
    ]);
    const page = writeSections(first, order);
    const again = readSections(page);
    expect([...again.keys()]).toEqual(order);
    expect(writeSections(again, order)).toBe(page);
    again.set('one', found('One', 1).text);
    const changed = writeSections(again, order);
    expect(changed).toContain('**misses**');
    expect(readSections(changed).get('two')).toBe(first.get('two'));
  });
});
