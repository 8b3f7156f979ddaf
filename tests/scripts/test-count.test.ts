import { describe, expect, it } from 'vitest';
import { closingLine, countTests } from '../../scripts/steps/test-count.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

describe('the count of tests', () => {
  it('adds up the tests of all files', () => {
    const testResults = [
      file('passed', 'passed', 'passed', 'skipped', 'todo'),
      file('failed', 'failed', 'passed'),
    ];
    expect(countTests({ testResults }, 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const testResults = [file('passed', 'passed'), file('failed')];
    expect(countTests({ testResults }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('counts a run that failed though no test did, as with too little coverage', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it('counts a run without a report as a failure', () => {
    expect(countTests(undefined, 134)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('the closing line', () => {
  it('tells of skipped tests only when there are any', () => {
    expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
    expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped');
  });
});
