import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckStatus } from '../../../model/check-result.js';
import { result } from '../fixtures/result.js';
import { countFailures, type FailureCounts } from './count-failures.js';

describe('counting failures over check runs', () => {
  it('counts up with every run that finds the problem, as a warning or as a failure', () => {
    const first = countFailures({}, [result('disk.space', 'warn', '/tmp')]);
    expect(first).toEqual({ 'disk.space /tmp': 1 });
    expect(countFailures(first, [result('disk.space', 'fail', '/tmp')])).toEqual({ 'disk.space /tmp': 2 });
  });

  it('forgets a problem when its thing passes', () => {
    expect(countFailures({ 'docker.daemon': 2 }, [result('docker.daemon', 'pass')])).toEqual({});
  });

  it('tells the targets of one checker apart', () => {
    const run = [
      result('net.http', 'fail', 'api'),
      result('net.http', 'pass', 'db'),
      result('net.http', 'fail'),
    ];
    const counts = countFailures({ 'net.http api': 1, 'net.http db': 4 }, run);
    expect(counts).toEqual({ 'net.http api': 2, 'net.http': 1 });
  });

  it.each(['unknown', 'skipped'] as const)('leaves a count as it is when the result is %s', (status) => {
    const counts = { 'net.http api': 2 };
    expect(countFailures(counts, [result('net.http', status, 'api')])).toBe(counts);
    expect(countFailures(counts, [result('net.http', status)])).toBe(counts);
    const others = [result('net.http', status, 'api'), result('net.http', 'pass', 'db')];
    expect(countFailures(counts, others)).toBe(counts);
  });

  it('leaves checkers that did not run alone, also those whose name begins in the same way', () => {
    const counts = { 'disk.space /tmp': 2, 'disk.spaces': 1 };
    expect(countFailures(counts, [result('disk.inodes', 'pass'), result('disk.spac', 'pass')])).toBe(counts);
  });

  it('forgets targets that their checker no longer speaks of, so that nothing piles up', () => {
    const counts = { 'orphans.docker container:1': 1, 'orphans.docker container:2': 1 };
    expect(countFailures(counts, [result('orphans.docker', 'pass')])).toEqual({});
  });

  it('counts a problem once in a run that reports it twice', () => {
    const run = [
      result('net.http', 'fail', 'api'),
      result('net.http', 'pass', 'api'),
      result('net.http', 'warn', 'api'),
    ];
    expect(countFailures({}, run)).toEqual({ 'net.http api': 1 });
  });

  it('gives back what it was given when nothing changes', () => {
    const counts = {};
    expect(countFailures(counts, [result('disk.space', 'pass'), result('net.http', 'unknown')])).toBe(counts);
    expect(countFailures(counts, [])).toBe(counts);
  });

  it('keeps the number of problems since the last pass, whatever came in between', () => {
    const status = fc.constantFrom<CheckStatus>('pass', 'warn', 'fail', 'unknown', 'skipped');
    fc.assert(
      fc.property(fc.array(fc.option(status)), (runs) => {
        let counts: FailureCounts = {};
        for (const each of runs)
          counts = countFailures(counts, each ? [result('net.http', each, 'api')] : []);
        const sinceLastPass = runs.slice(runs.lastIndexOf('pass') + 1);
        const expected = sinceLastPass.filter((each) => each === 'warn' || each === 'fail').length;
        expect(counts['net.http api'] ?? 0).toBe(expected);
      }),
    );
  });
});
