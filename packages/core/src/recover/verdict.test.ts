import { describe, expect, it } from 'vitest';
import type { CheckStatus, HealthCheckResult } from '../model/check-result.js';
import type { FindingReference } from '../model/recovery-plan.js';
import type { Verdict } from '../model/recovery-report.js';
import { verdictsBetween } from './verdict.js';

const result = (
  name: string,
  status: CheckStatus,
  rest: Partial<HealthCheckResult> = {},
): HealthCheckResult => ({
  name,
  plugin: 'a',
  status,
  message: '',
  details: {},
  duration: 0,
  ...rest,
});
const verdictOf = (
  findings: FindingReference[],
  before: HealthCheckResult[],
  after: HealthCheckResult[],
): Verdict => verdictsBetween(before, after)(findings);
const finding = { check: 'a.one', code: 'BROKEN' };

describe('the verdict on a repair', () => {
  it.each<[CheckStatus, CheckStatus, string]>([
    ['fail', 'pass', 'recovered'],
    ['warn', 'pass', 'recovered'],
    ['fail', 'skipped', 'recovered'],
    ['fail', 'fail', 'ineffective'],
    ['fail', 'warn', 'ineffective'],
    ['fail', 'unknown', 'ineffective'],
    ['warn', 'fail', 'worse'],
  ])('of something that was %s and is %s is %s', (before, after, verdict) => {
    expect(verdictOf([finding], [result('a.one', before)], [result('a.one', after)])).toBe(verdict);
  });

  it('is not recovered when the check was kept from looking', () => {
    const after = [result('a.one', 'skipped', { causedBy: 'a.daemon' })];
    expect(verdictOf([finding], [result('a.one', 'fail')], after)).toBe('ineffective');
  });

  it('is recovered when the checker looked and the thing is no longer on its list', () => {
    const gone = { ...finding, target: 'container:1' };
    const before = [result('a.one', 'fail', { target: 'container:1' })];
    expect(verdictOf([gone], before, [result('a.one', 'pass')])).toBe('recovered');
    expect(verdictOf([gone], before, [result('a.one', 'unknown')])).toBe('ineffective');
    expect(verdictOf([gone], before, [])).toBe('ineffective');
  });

  it('is worse when something that depends on it was fine before and is not now', () => {
    const before = [result('a.one', 'fail'), result('a.two', 'pass')];
    expect(verdictOf([finding], before, [result('a.one', 'pass'), result('a.two', 'fail')])).toBe('worse');
  });

  it('does not blame the repair for what only now can be seen', () => {
    const before = [result('a.one', 'fail'), result('a.two', 'skipped', { causedBy: 'a.one' })];
    expect(verdictOf([finding], before, [result('a.one', 'pass'), result('a.two', 'fail')])).toBe(
      'recovered',
    );
  });

  it('is worse when a new problem appears on a list that was looked at before', () => {
    const before = [result('a.one', 'fail', { target: 'x' })];
    const after = [result('a.one', 'pass', { target: 'x' }), result('a.one', 'fail', { target: 'y' })];
    expect(verdictOf([{ ...finding, target: 'x' }], before, after)).toBe('worse');
  });

  it('needs every finding resolved', () => {
    const both = [finding, { check: 'a.two', code: 'BROKEN' }];
    const before = [result('a.one', 'fail'), result('a.two', 'fail')];
    expect(verdictOf(both, before, [result('a.one', 'pass'), result('a.two', 'fail')])).toBe('ineffective');
  });

  it('goes by the worst of several results for one thing, in whatever order they come', () => {
    const [pass, fail] = [result('a.one', 'pass'), result('a.one', 'fail')];
    expect(verdictOf([finding], [fail], [pass, fail])).toBe('ineffective');
    expect(verdictOf([finding], [pass, fail], [fail, pass])).toBe('ineffective');
    expect(verdictOf([finding], [pass, fail], [pass, pass])).toBe('recovered');
    expect(verdictOf([finding], [pass, result('a.one', 'warn')], [pass, fail])).toBe('worse');
  });
});
