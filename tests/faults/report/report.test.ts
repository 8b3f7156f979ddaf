import { describe, expect, it } from 'vitest';
import { figuresOf } from './figures.js';
import type { Row } from './row.js';
import { tableOf } from './table.js';

const product = (scenario: string, rest: Partial<Extract<Row, { way: 'with' }>> = {}): Row => ({
  way: 'with',
  scenario,
  detected: 'PORT_CONFLICT',
  detectable: true,
  recoverable: true,
  verified: true,
  seconds: 1.25,
  ...rest,
});
const baseline = (scenario: string, works: boolean): Row => ({
  way: 'without',
  scenario,
  works,
  why: works ? '' : 'PORT_CONFLICT',
});
const ten = Array.from({ length: 10 }, (_, index) => `scenario ${index}`);

describe('the table of faults', () => {
  it('has a line for each scenario with what all three ways showed', () => {
    const rows: Row[] = [
      product('taken'),
      baseline('taken', false),
      { way: 'agent', scenario: 'taken', right: true, calls: ['setup'], verdict: 'healthy' },
      product('unseen', { detected: null, verified: false }),
      product('odd', { leftOut: { without: 'it works anyway', agent: 'nobody is asked' } }),
    ];
    expect(tableOf(rows).split('\n')).toEqual([
      'scenario  detected as    recovered   without               agent',
      '--------  -------------  ----------  --------------------  -----------------',
      'taken     PORT_CONFLICT  yes, 1.3 s  fails: PORT_CONFLICT  right, 1: setup',
      'unseen    NOT DETECTED   NO',
      'odd       PORT_CONFLICT  yes, 1.3 s  – it works anyway     – nobody is asked',
    ]);
    expect(figuresOf(rows).lines).toContain(
      'failures: 1 of 1 without preflight and recovery, 0 with them; left out: 1, with the reason in the table',
    );
  });

  it('is not good enough when one fault goes unnoticed', () => {
    const rows = [product('a'), product('b', { detected: null })];
    expect(figuresOf(rows)).toMatchObject({ shortfalls: ['not everything was detected'] });
    expect(figuresOf([product('a'), product('b', { detected: null, detectable: false })]).shortfalls).toEqual(
      [],
    );
  });

  it('is not good enough when less than nine of ten are recovered from', () => {
    const rows = (broken: number) => ten.map((name, index) => product(name, { verified: index >= broken }));
    expect(figuresOf(rows(1)).shortfalls).toEqual([]);
    expect(figuresOf(rows(2)).shortfalls).toEqual(['less than 90% was recovered from']);
    expect(figuresOf(rows(2)).lines[1]).toContain('8 of 10 (80%)');
  });

  it('is not good enough when failures are not 70% fewer than without', () => {
    const lost = { recoverable: false, verified: false };
    const rows = (broken: number) => [
      ...ten.map((name) => baseline(name, false)),
      ...ten.map((name, index) => product(name, index < broken ? lost : {})),
    ];
    expect(figuresOf(rows(3)).shortfalls).toEqual([]);
    expect(figuresOf(rows(4)).shortfalls).toEqual(['failures are not 70% fewer']);
  });
});
