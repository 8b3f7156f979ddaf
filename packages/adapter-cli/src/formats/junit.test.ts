import fc from 'fast-check';
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
import { readJunit } from '../fixtures/read-junit.js';
import type { Outcome } from '../outcome.js';
import { programFormats } from './program-formats.js';

const written = (outcome: Outcome) => programFormats.junit.result(outcome, scene);
const read = (outcome: Outcome) => readJunit(written(outcome).text);

describe('junit', () => {
  it('has a suite for each plugin and a test for each thing that was looked at', async () => {
    const { totals, suites } = await read(
      checked([
        result('space', { target: '/' }),
        result('space', { target: '/tmp' }),
        result('other', { plugin: 'team', name: 'team.other', duration: 1000 }),
      ]),
    );
    expect(totals).toMatchObject({ name: 'argus shop', tests: 3, failures: 0, errors: 0, time: 0.04 });
    expect(suites).toMatchObject([
      {
        name: 'demo',
        tests: 2,
        failures: 0,
        errors: 0,
        skipped: 0,
        timestamp: '2026-01-02T03:04:05',
        testcase: [
          { classname: 'demo', name: 'demo.space /', time: 0.013 },
          { classname: 'demo', name: 'demo.space /tmp', time: 0.013 },
        ],
      },
      { name: 'team', tests: 1, time: 1, testcase: [{ classname: 'team', name: 'team.other', time: 1 }] },
    ]);
    // The check was made once for both.
    expect(suites[0]?.time).toBe(0.013);
  });

  it('shows a failure with its code, its details and what to type, and what was skipped because of it', async () => {
    const error = problem('nothing works', { details: { circuit: 'demo', deep: { list: [1, 2] } } });
    const { totals, tests } = await read(
      checked([
        result('bad', { status: 'fail', message: 'nothing works', error, target: 'thing' }),
        result('dependent', { status: 'skipped', message: 'demo.bad failed', causedBy: 'demo.bad' }),
      ]),
    );
    expect(totals).toMatchObject({ tests: 2, failures: 1, errors: 0 });
    expect(tests[0]?.failure).toEqual([
      {
        message: 'nothing works',
        type: 'DEMO_LOW',
        inner:
          'nothing works\ncode: DEMO_LOW\ncircuit: demo\ndeep:\n  list: 1, 2\nnext: argus reset-circuit demo',
      },
    ]);
    expect(tests[1]?.skipped).toEqual([{ message: 'demo.bad failed' }]);
  });

  it('lets a warning pass with what it says, and makes it a failure when asked to fail on it', async () => {
    const checks = [result('low', { status: 'warn', error: problem('too little') })];
    const passed = await read(checked(checks));
    expect(passed.totals).toMatchObject({ tests: 1, failures: 0 });
    expect(passed.tests[0]?.failure).toBeUndefined();
    expect(passed.tests[0]?.['system-out']?.[0]).toMatch(/^too little\ncode: DEMO_LOW\n/);

    const failed = await read(checked(checks, { own: { failOn: 'warn' } }));
    expect(failed.totals).toMatchObject({ tests: 1, failures: 1 });
    expect(failed.tests[0]?.failure).toMatchObject([{ message: 'too little', type: 'DEMO_LOW' }]);
  });

  it('shows what could not be told as an error, also when it has no code', async () => {
    const broken = problem('cannot look', { code: 'CHECK_BROKEN', details: {}, suggestedActions: [] });
    const { totals, tests } = await read(
      checked([
        result('broken', { status: 'unknown', error: broken }),
        result('mute', { status: 'unknown', message: 'it does not say' }),
      ]),
    );
    expect(totals).toMatchObject({ failures: 0, errors: 2 });
    expect(tests.map(({ error }) => error)).toMatchObject([
      [
        {
          type: 'CHECK_BROKEN',
          inner: expect.stringMatching(/^cannot look\ncode: CHECK_BROKEN\nnext: Read the message; /),
        },
      ],
      [{ type: 'unknown', inner: 'it does not say' }],
    ]);
  });

  it('is well-formed whatever the texts are made of', async () => {
    const error = problem(awkward, { details: { [awkward]: awkward } });
    const { tests } = await read(
      checked([
        result('odd', { status: 'fail', target: awkward, error }),
        result('none', { status: 'skipped', message: awkward }),
      ]),
    );
    expect(tests[0]?.name).toContain(`demo.odd <a href="x">&amp;'|]]> %0A`);
    expect(tests[0]?.failure?.[0]?.message).toMatch(/^<a href="x">.* �� é😀\nsecond line$/s);
    expect(tests[1]?.skipped?.[0]?.message).toContain('second line');
  });

  it('is well-formed for any text', async () => {
    const texts = fc.sample(anyText, 300);
    const checks = texts.map((text, index) => {
      const error = problem(text, { details: { [text]: text } });
      return result(String(index), { status: 'fail', target: text, message: text, error });
    });
    expect((await read(checked(checks))).tests).toHaveLength(300);
  });

  it('is one test with an error when the check fails as a whole', async () => {
    const { totals, tests } = await read(misconfigured);
    expect(totals).toMatchObject({ name: 'argus', tests: 1, errors: 1 });
    expect(tests).toMatchObject([{ classname: 'argus', name: 'argus', error: [{ type: 'CONFIG_INVALID' }] }]);
    expect(tests[0]?.error?.[0]?.inner).toBe(
      'The configuration is not valid\ncode: CONFIG_INVALID\n' +
        'argus.config.yaml:4 services.api.prots: unknown key <prots>; did you mean ports?\n' +
        'next: correct argus.config.yaml and try again',
    );
  });

  it('shows notices as tests that pass, a crash as an error, and repairs with what was repaired', async () => {
    const { tests } = await read(
      checked([result('low')], {
        notices: [problem('cannot be kept', { code: 'STORE_CORRUPT' })],
        notice: problem('far away', { code: 'INTERNAL_ERROR' }),
        recovery: repaired(),
      }),
    );
    expect(tests).toMatchObject([
      { name: 'demo.low', 'system-out': ['repair: fill thing:1: recovered'] },
      { name: 'argus', error: [{ type: 'INTERNAL_ERROR', message: 'far away' }] },
      { name: 'argus STORE_CORRUPT', 'system-out': ['cannot be kept\ncode: STORE_CORRUPT'] },
    ]);
  });

  it('is an empty list when there is nothing to check', async () => {
    expect(written(checked([])).text).toMatch(/<testsuites name="argus shop" tests="0" .*\/>\n$/);
  });
});
