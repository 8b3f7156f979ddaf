import { describe, expect, it } from 'vitest';
import type { Kernel } from '../kernel/kernel.js';
import type { PlannedStep } from '../model/recovery-plan.js';
import { buildKernel } from '../testing/build-kernel.js';
import { recordOutcome, recordStart } from './history.js';
import { recordedRepairs } from './recorded-repairs.js';

const step = (target: string, more: Partial<PlannedStep> = {}): PlannedStep => ({
  recoverer: 'things.mend',
  risk: 'safe',
  target,
  action: 'mend',
  description: `Mend ${target}`,
  reversible: true,
  findings: [{ check: 'things.whole', target, code: 'THING_BROKEN' }],
  ...more,
});

const shown = async (kernel: Kernel) =>
  (await recordedRepairs(kernel)).map(
    ({ target, outcome, verdict = '-', evidence, endedAt }) =>
      `${target} ${outcome} ${verdict} ${evidence ? 'evidence' : '-'} ${endedAt === null ? 'no end' : 'ended'}`,
  );

describe('recorded repairs', () => {
  it('are told newest first, each with its evidence and what became of it', async () => {
    const kernel = buildKernel();
    await recordStart(kernel, step('a'), { log: 'x' });
    await recordStart(kernel, step('b', { service: 'api' }), { log: 'y' });
    await recordOutcome(kernel, { ...step('a'), outcome: 'applied', verdict: 'recovered' });
    await recordOutcome(kernel, { ...step('b', { service: 'api' }), outcome: 'applied', verdict: 'worse' });
    const refusal = { rule: 'budget', reason: 'budget: 1 of 1' };
    await recordOutcome(kernel, { ...step('a'), outcome: 'refused', refusal });
    expect(await shown(kernel)).toEqual([
      'a refused - - ended',
      'b applied worse evidence ended',
      'a applied recovered evidence ended',
    ]);
    const [refused, , mended] = await recordedRepairs(kernel);
    expect(refused).toMatchObject({ refusal, risk: 'safe', findings: [{ code: 'THING_BROKEN' }] });
    expect(mended).toMatchObject({ evidence: { log: 'x' }, recoverer: 'things.mend', action: 'mend' });
    expect((await recordedRepairs(kernel))[1]?.service).toBe('api');
  });

  it('of which no end is known stay open, also when the same is begun or refused again', async () => {
    const kernel = buildKernel();
    await recordStart(kernel, step('a'), {});
    await recordOutcome(kernel, {
      ...step('a'),
      outcome: 'refused',
      refusal: { rule: 'budget', reason: 'no' },
    });
    await recordStart(kernel, step('a'), {});
    await recordOutcome(kernel, { ...step('a'), outcome: 'applied', verdict: 'recovered' });
    expect(await shown(kernel)).toEqual([
      'a applied recovered evidence ended',
      'a refused - - ended',
      'a open - evidence no end',
    ]);
  });
});
