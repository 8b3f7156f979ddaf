import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import {
  awkward,
  checked,
  misconfigured,
  problem,
  repaired,
  result,
  scene,
} from '../fixtures/check-outcome.js';
import { healthSchema } from '../fixtures/health-schema.js';
import type { Outcome } from '../outcome.js';
import { programFormats } from './program-formats.js';

const isHealth = new Ajv({ strict: true, strictRequired: false }).compile(healthSchema);

const read = (outcome: Outcome) => {
  const { text, exitCode } = programFormats.health.result(outcome, scene);
  const document = JSON.parse(text);
  isHealth(document);
  expect(isHealth.errors).toBeNull();
  expect(exitCode).toBeUndefined();
  return document;
};

const time = '2026-01-02T03:04:05.678Z';

describe('health', () => {
  it('says who passes and what was measured', () => {
    const details = { available: 5, required: 2, total: 10, unit: 'bytes' };
    const space = result('space', { name: 'disk.space', target: '/', details });
    expect(read(checked([space, result('good')]))).toEqual({
      status: 'pass',
      version: '1',
      releaseId: '1.2.3',
      serviceId: 'shop',
      description: 'The environment of shop, as argus sees it',
      checks: {
        'disk:space': [
          {
            componentId: '/',
            componentType: 'system',
            observedValue: 5,
            observedUnit: 'bytes',
            status: 'pass',
            time,
          },
        ],
        'demo:good': [{ componentType: 'component', status: 'pass', time }],
      },
    });
  });

  it('fails with the reason and what to type, and notes what was skipped instead of judging it', () => {
    const bad = result('bad', { status: 'fail', target: 'a', error: problem('nothing works') });
    const skipped = result('dependent', { status: 'skipped', message: 'demo.bad failed' });
    const document = read(checked([bad, { ...bad, target: 'b' }, skipped]));
    expect(document).toMatchObject({
      status: 'fail',
      output: '2 failed, 0 passed, 1 skipped',
      notes: ['skipped: demo.dependent: demo.bad failed'],
      checks: {
        'demo:bad': [
          { componentId: 'a', status: 'fail' },
          { componentId: 'b', status: 'fail' },
        ],
      },
    });
    expect(Object.keys(document.checks)).toEqual(['demo:bad']);
    expect(document.checks['demo:bad'][0].output).toBe(
      'nothing works (DEMO_LOW)\nnext: argus reset-circuit demo',
    );
  });

  it('warns of what could not be told, and says that', () => {
    const document = read(
      checked([result('mute', { status: 'unknown', message: 'no answer' }), result('good')]),
    );
    expect(document).toMatchObject({
      status: 'warn',
      output: '1 could not be determined, 1 passed',
      checks: { 'demo:mute': [{ status: 'warn', output: 'could not be determined: no answer' }] },
    });
  });

  it('warns of a warning, and fails when asked to fail on it', () => {
    const checks = [result('low', { status: 'warn', error: problem('too little') })];
    expect(read(checked(checks))).toMatchObject({
      status: 'warn',
      checks: { 'demo:low': [{ status: 'warn' }] },
    });
    expect(read(checked(checks, { own: { failOn: 'warn' } }))).toMatchObject({
      status: 'fail',
      checks: { 'demo:low': [{ status: 'fail' }] },
    });
  });

  it('keeps its keys apart from what names are made of', () => {
    const odd = result('odd', {
      name: 'demo.a:b.c',
      status: 'fail',
      target: awkward,
      error: problem(awkward),
    });
    const { checks } = read(checked([odd]));
    expect(Object.keys(checks)).toEqual(['demo:a.b.c']);
    expect(checks['demo:a.b.c'][0].output).toContain('second line (DEMO_LOW)');
  });

  it('fails without checks when the check fails as a whole', () => {
    const document = read(misconfigured);
    expect(document).toMatchObject({
      status: 'fail',
      output: expect.stringContaining('argus.config.yaml:4'),
    });
    expect(document.output).toMatch(/^The configuration is not valid \(CONFIG_INVALID\)\n/);
    expect(Object.keys(document)).not.toContain('checks');
  });

  it('notes repairs and notices, and does not call it a pass when something crashed', () => {
    const document = read(
      checked([result('low')], {
        notices: [problem('cannot be kept', { code: 'STORE_CORRUPT' })],
        notice: problem('far away', { code: 'INTERNAL_ERROR' }),
        recovery: repaired(),
      }),
    );
    expect(document).toMatchObject({
      status: 'warn',
      notes: ['repair: fill thing:1: recovered', 'notice: cannot be kept (STORE_CORRUPT)'],
      checks: {
        argus: [{ status: 'warn', output: expect.stringMatching(/^far away \(INTERNAL_ERROR\)\n/) }],
      },
    });
  });
});
