import fc from 'fast-check';
import parsePerfdata from 'perfdata-parser';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  awkward,
  checked,
  misconfigured,
  problem,
  repaired,
  result,
  scene,
} from '../fixtures/check-outcome.js';
import type { Outcome } from '../outcome.js';
import { programFormats } from './program-formats.js';

/** One item as the guidelines of the monitoring plugins have it: a quote inside a label is written twice. */
const item = /^'((?:[^'=|]|'')+)'=(-?\d+(?:\.\d+)?)(us|ms|s|%|[KMGT]?B|c)?((?:;[-\d.:~@]*){0,4})(?: |$)/;

/** Reads what Nagios would: the status, what was measured, and the rest. */
function read(outcome: Outcome) {
  const { text, exitCode } = programFormats.nagios.result(outcome, scene);
  expect(text.endsWith('\n')).toBe(true);
  const [first = '', ...long] = text.slice(0, -1).split('\n');
  const [, state, summary, data = ''] = /^ARGUS (\w+) - ([^|]*?)(?: \| ([^|]*))?$/.exec(first) ?? [];
  expect(long.join('')).not.toContain('|');
  const measured: Record<string, string> = {};
  for (let rest = data; rest !== ''; ) {
    const [whole = '', label = '', value, unit = '', limits] = item.exec(rest) ?? [];
    expect(whole, rest).not.toBe('');
    measured[label.replaceAll("''", "'")] = `${value}${unit}${limits}`;
    rest = rest.slice(whole.length);
  }
  expect(readByOthers(text)).toEqual(measured);
  return { state, summary, measured, long, exitCode };
}

/** The same as a parser has it that others wrote. */
function readByOthers(text: string): Record<string, string> {
  const items = Object.entries(parsePerfdata(text) ?? {});
  return Object.fromEntries(
    items.map(([label, { value, oum = '', warn, crit, min, max }]) => {
      const limits = [warn, crit, min, max].filter((limit) => limit !== undefined);
      return [label.slice(1, -1).replaceAll("''", "'"), [`${value}${oum}`, ...limits].join(';')];
    }),
  );
}

describe('nagios', () => {
  it('is OK with what was measured', () => {
    const details = { available: 5.5, required: 2, total: 1e22, unit: 'bytes' };
    const inodes = { available: 3, required: 2, critical: 1, unit: 'inodes' };
    const { state, summary, measured, long, exitCode } = read(
      checked([
        result('space', { target: '/', details }),
        result('inodes', { target: '/', details: inodes, duration: 12 }),
        result('off', { status: 'skipped', message: 'not here' }),
      ]),
    );
    expect({ state, summary, exitCode }).toEqual({
      state: 'OK',
      summary: '2 passed, 1 skipped',
      exitCode: 0,
    });
    expect(measured).toEqual({
      'demo.space': '12.5ms',
      'demo.inodes': '12ms',
      'demo.space / available': '5.5B;2:;;0;10000000000000000000000',
      'demo.inodes / available': '3;2:;1:;0',
      time: '40ms',
    });
    expect(long).toEqual([
      'OK demo.space /: all is well',
      'OK demo.inodes /: all is well',
      'SKIPPED demo.off: not here',
    ]);
  });

  it('is CRITICAL with the cause in the first line and what to type below it', () => {
    const { state, summary, long, exitCode } = read(
      checked([
        result('mute', { status: 'unknown', message: 'no answer' }),
        result('low', { status: 'warn', error: problem('too little') }),
        result('bad', { status: 'fail', target: 'thing', error: problem('nothing works') }),
        result('dependent', { status: 'skipped', message: 'demo.bad failed' }),
      ]),
    );
    expect({ state, exitCode }).toEqual({ state: 'CRITICAL', exitCode: 2 });
    expect(summary).toBe(
      '1 failed, 1 warning, 1 could not be determined, 0 passed, 1 skipped: demo.bad thing: nothing works (DEMO_LOW)',
    );
    expect(long).toEqual([
      'UNKNOWN demo.mute: no answer',
      'WARNING demo.low: too little (DEMO_LOW)',
      '  next: argus reset-circuit demo',
      'CRITICAL demo.bad thing: nothing works (DEMO_LOW)',
      '  next: argus reset-circuit demo',
      'SKIPPED demo.dependent: demo.bad failed',
    ]);
  });

  it('is WARNING for a warning whatever could not be told, and CRITICAL when asked to fail on it', () => {
    const checks = [
      result('mute', { status: 'unknown' }),
      result('low', { status: 'warn', error: problem('too little') }),
    ];
    expect(read(checked(checks))).toMatchObject({ state: 'WARNING', exitCode: 1 });
    expect(read(checked(checks, { own: { failOn: 'warn' } }))).toMatchObject({
      state: 'CRITICAL',
      exitCode: 2,
    });
  });

  it('is UNKNOWN when something could not be told and nothing else is wrong', () => {
    const checks = [result('mute', { status: 'unknown', message: 'no answer' }), result('good')];
    expect(read(checked(checks))).toMatchObject({ state: 'UNKNOWN', exitCode: 3 });
  });

  it('is UNKNOWN without data when the check fails as a whole', () => {
    expect(read(misconfigured)).toEqual({
      state: 'UNKNOWN',
      summary: 'The configuration is not valid (CONFIG_INVALID)',
      measured: {},
      long: [
        '  argus.config.yaml:4 services.api.prots: unknown key <prots>; did you mean ports?',
        '  next: correct argus.config.yaml and try again',
      ],
      exitCode: 3,
    });
  });

  it('is UNKNOWN when something crashed, and tells of repairs and notices', () => {
    const { state, long } = read(
      checked([result('low')], {
        notices: [problem('cannot be kept', { code: 'STORE_CORRUPT' })],
        notice: problem('far away', { code: 'INTERNAL_ERROR' }),
        recovery: repaired(),
      }),
    );
    expect(state).toBe('UNKNOWN');
    expect(long).toContain('UNKNOWN far away (INTERNAL_ERROR)');
    expect(long.slice(-2)).toEqual([
      'repair: fill thing:1: recovered',
      'notice: cannot be kept (STORE_CORRUPT)',
    ]);
  });

  it('is UNKNOWN when nothing can be stored, though every check passes', () => {
    const notices = [problem('cannot be used', { code: 'STORE_UNAVAILABLE' })];
    expect(read(checked([result('low')], { notices }))).toMatchObject({ state: 'UNKNOWN', exitCode: 3 });
  });

  it('lets no text pass for a line or for data', () => {
    const odd = { status: 'fail', target: awkward, error: problem(awkward), details: {} } as const;
    const { summary, long } = read(checked([result('odd', odd)]));
    expect(summary).toContain(`<a href="x">&amp;'¦]]>`);
    expect(long).toHaveLength(2);
  });

  it('can be read for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const details = { available: 1, total: 2 };
        const { measured, long } = read(checked([result('odd', { target: text, message: text, details })]));
        expect(Object.keys(measured)).toHaveLength(3);
        expect(long).toHaveLength(1);
      }),
    );
  });
});
