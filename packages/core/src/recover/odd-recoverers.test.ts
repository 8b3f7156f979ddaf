import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgusError } from '../model/argus-error.js';
import { defineRecoverer, type Recoverer, type RecoveryStep } from '../model/recoverer.js';
import { recoveryPlanSchema, recoveryReportSchema } from '../operations/report-schemas.js';
import { checking, registering } from '../testing/build-kernel.js';
import { applyRecovery } from './apply-recovery.js';
import { brokenThings, thingBroken } from './fixtures/broken-things.js';
import { planRecovery } from './plan-recovery.js';
import { recordedRepairs } from './recorded-repairs.js';
import type { RepairOptions } from './repair-options.js';

const approved: RepairOptions = {
  mode: 'approved',
  dryRun: false,
  signal: new AbortController().signal,
};
const step: RecoveryStep = { target: 'a', action: 'mend', description: 'Mend a', reversible: true };

/** A list that breaks when it is looked at, but not when it is awaited. */
function unreadable(): unknown {
  return new Proxy([], {
    get(_, key) {
      if (key !== 'then') throw new Error('no looking');
    },
  });
}

function withHole(): unknown {
  const list: unknown[] = [];
  list[1] = step;
  return list;
}

/** A world with one broken thing, an odd recoverer, and a good one that comes after it. `looks` counts the checks. */
function oddly(recoverer: Partial<Recoverer>) {
  const seen = { looks: 0, applied: 0, others: 0 };
  const good = defineRecoverer({
    name: 'zzz.other',
    risk: 'safe',
    handles: [thingBroken],
    plan: () => [{ target: 'zzz:x', action: 'kick', description: 'Kick x', reversible: false }],
    async apply() {
      seen.others++;
    },
  });
  const look = checking('zzz.look', ({ pass }) => pass(`${++seen.looks}`), { requires: [] });
  const { apply } = recoverer;
  const things = brokenThings(['a'], {
    recoverer: {
      ...recoverer,
      ...(apply && {
        apply(context) {
          seen.applied++;
          return apply(context);
        },
      }),
    },
    kernel: {
      config: { policy: { exclude: ['never:*'] } },
      plugins: [
        registering('zzz', { checkers: [{ ...look, follows: ['things.whole'] }], recoverers: [good] }),
      ],
    },
  });
  const repair = async () => {
    const plan = await planRecovery(things.kernel);
    return applyRecovery(things.kernel, plan.hash ?? 'none', approved);
  };
  return { ...things, seen, repair };
}

describe('a plan that cannot be used', () => {
  it.each<[string, unknown, string]>([
    ['is nothing', undefined, 'things.mend plans no list of steps'],
    ['is no list', { 0: step, length: 1 }, 'things.mend plans no list of steps'],
    ['is no list that can be looked at', unreadable(), 'things.mend plans what cannot be read: no looking'],
    ['has a hole', withHole(), 'things.mend plans something that is no step: "undefined"'],
    ['has no end', new Array(2 ** 32 - 1), 'things.mend plans what cannot be read: a list of 4294967295'],
    ['has a step without its parts', [{ target: 5 }], 'plans a step whose target is a number, not a text'],
    ['has a step without an action', [{ ...step, action: undefined }], 'whose action is missing, not a text'],
    ['has a step that may or may not be undone', [{ ...step, reversible: 'no' }], 'not true or false'],
    ['has a step of a service that is none', [{ ...step, service: 5 }], 'whose service is a number'],
    ['resolves no list', [{ ...step, resolves: 'a' }], 'whose resolves is a string, not a list'],
    ['resolves a hole', [{ ...step, resolves: new Array(1) }], 'whose resolves.0 is missing'],
    [
      'has data that JSON cannot say',
      [{ ...step, data: { pid: 1n } }],
      'the step for a.data.pid is a bigint',
    ],
    ['has data that is no object', [{ ...step, data: [] }], 'whose data is a list, not an object'],
    ['has two steps for one target', [step, step], 'plans two steps for a, so what became of each'],
  ])(
    'because it %s is told with its recoverer and plugin, and the others go on',
    async (_, planned, said) => {
      const { kernel } = oddly({ plan: (() => planned) as never });
      const plan = await planRecovery(kernel);
      expect(plan.notices).toMatchObject([
        {
          code: 'RECOVERER_BROKEN',
          message: expect.stringContaining(said),
          details: { recoverer: 'things.mend', plugin: 'things', reason: 'bad-plan' },
        },
      ]);
      expect(plan.notices[0]?.message).toContain('(plugin things)');
      expect(plan.steps.map(({ recoverer }) => recoverer)).toEqual(['zzz.other']);
    },
  );

  it('is told with its recoverer and plugin when it throws, and keeps a code of its own', async () => {
    const plain = oddly({ plan: () => Promise.reject(new Error('no plan')) });
    expect((await planRecovery(plain.kernel)).notices).toMatchObject([
      {
        code: 'RECOVERER_BROKEN',
        message: 'things.mend planned nothing: no plan (plugin things)',
        details: { recoverer: 'things.mend', plugin: 'things', reason: 'threw' },
      },
    ]);
    const coded = oddly({
      plan: () => Promise.reject(new ArgusError(thingBroken, { message: 'too broken' })),
    });
    expect((await planRecovery(coded.kernel)).notices).toMatchObject([
      { code: 'THING_BROKEN', message: 'things.mend planned nothing: too broken (plugin things)' },
    ]);
  });

  it('cannot say who carries a step out, and what that can cost', async () => {
    const { kernel } = brokenThings(['a'], {
      risk: 'destructive',
      recoverer: { plan: () => [{ ...step, risk: 'safe', recoverer: 'other', extra: () => 1 } as never] },
    });
    const { steps } = await planRecovery(kernel);
    expect(steps).toMatchObject([{ risk: 'destructive', recoverer: 'things.mend' }]);
    expect(steps[0]).not.toHaveProperty('extra');
  });

  it('does not touch what others are told of', async () => {
    const { kernel, repair, store } = oddly({
      plan({ findings }) {
        for (const { check } of findings) Object.assign(check, { target: 5, name: null });
        (findings as unknown[]).length = 0;
        return [step];
      },
      async apply({ steps }) {
        for (const one of steps) Object.assign(one, { target: 5, action: null });
        (steps as unknown[]).length = 0;
      },
    });
    const { steps } = await repair();
    expect(steps.map(({ target }) => target)).toEqual(['a', 'zzz:x']);
    expect(steps[0]?.findings).toEqual([{ check: 'things.whole', target: 'a', code: 'THING_BROKEN' }]);
    expect((await recordedRepairs({ ...kernel, store })).map(({ outcome }) => outcome)).toEqual([
      'applied',
      'applied',
    ]);
  });
});

describe('what a recoverer says of its steps', () => {
  it.each<[string, unknown, string]>([
    ['is a list of holes', new Array(3), 'it returned something that is no result: "undefined"'],
    ['is a list of nothing', [undefined], 'it returned something that is no result: "undefined"'],
    ['is no list', 5, 'it returned no list of results: 5'],
    ['cannot be looked at', unreadable(), 'it returned something that cannot be read'],
    ['has no end', new Array(2 ** 32 - 1), 'it returned something that cannot be read: a list of'],
    [
      'does not say whether it was done',
      [{ target: 'a', applied: 'yes' }],
      'it returned something that is no result: {"target"',
    ],
  ])('is left to the check that follows when it %s', async (_, returned, said) => {
    const { kernel, world, seen, repair } = oddly({
      apply: (async () => {
        world.broken.clear();
        return returned;
      }) as never,
    });
    const { steps, after } = await repair();
    expect(after.overall).toBe('healthy');
    expect(steps[0]).toMatchObject({
      outcome: 'applied',
      verdict: 'recovered',
      error: {
        code: 'RECOVERER_BROKEN',
        message: expect.stringContaining(`things.mend did not say what became of a: ${said}`),
        details: { recoverer: 'things.mend', plugin: 'things', reason: 'bad-result' },
      },
    });
    expect(seen.looks).toBeGreaterThan(1);
    expect((await recordedRepairs(kernel)).filter(({ outcome }) => outcome === 'open')).toEqual([]);
  });

  it('lets the next recoverer go on when nothing can be read of it', async () => {
    const { repair, seen } = oddly({ apply: (async () => new Array(3)) as never });
    const { steps } = await repair();
    expect(steps.map(({ target, verdict }) => [target, verdict])).toEqual([
      ['a', 'ineffective'],
      ['zzz:x', 'ineffective'],
    ]);
    expect(seen.others).toBe(1);
  });

  it('is believed of the steps that it can be read of', async () => {
    const { kernel } = brokenThings(['a', 'b'], {
      recoverer: { apply: (async () => [{ target: 'a', applied: false, error: 5 }, null]) as never },
    });
    const { hash } = await planRecovery(kernel);
    const { steps } = await applyRecovery(kernel, hash ?? '', approved);
    expect(steps).toMatchObject([
      {
        outcome: 'failed',
        error: {
          code: 'RECOVERY_FAILED',
          message: 'things.mend: it says that it failed, and not why',
          details: { recoverer: 'things.mend', plugin: 'things', target: 'a' },
        },
      },
      { outcome: 'applied', error: { code: 'RECOVERER_BROKEN' } },
    ]);
  });

  it('may be evidence that is none', async () => {
    const { repair } = oddly({ evidence: (() => 'abc') as never });
    expect((await repair()).steps[0]?.evidence).toMatchObject({
      incomplete: 'what was kept is no object: "abc"',
    });
  });
});

describe('a repair, whatever a recoverer gives', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withNullPrototype: true,
  });
  const maybe = <Value>(right: fc.Arbitrary<Value>) => fc.oneof({ weight: 4, arbitrary: right }, anything);
  const nearlyStep = fc.record(
    {
      target: maybe(fc.constantFrom('a', 'b', 'thing:c')),
      action: maybe(fc.constant('mend')),
      description: maybe(fc.string()),
      reversible: maybe(fc.boolean()),
      service: maybe(fc.string()),
      resolves: maybe(fc.array(fc.constantFrom('a', 'b'))),
      data: maybe(fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<unknown>),
    },
    { requiredKeys: ['target', 'action', 'description', 'reversible'] },
  );
  const nearlyResult = fc.record(
    { target: maybe(fc.constantFrom('a', 'b')), applied: maybe(fc.boolean()), error: anything },
    { requiredKeys: ['target', 'applied'] },
  );
  const listOf = (item: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: fc.array(fc.oneof(item, item, anything), { maxLength: 3 }) }, anything);

  it('does not reject, checks again what was applied, ends its record and lets the others go on', async () => {
    await fc.assert(
      fc.asyncProperty(listOf(nearlyStep), listOf(nearlyResult), anything, async (plan, results, kept) => {
        const { kernel, seen, repair } = oddly({
          plan: (() => plan) as never,
          apply: (async () => results) as never,
          evidence: (() => kept) as never,
        });
        expect(recoveryPlanSchema.safeParse(await planRecovery(kernel)).error).toBeUndefined();
        const looksBefore = seen.looks;
        const report = await repair();
        expect(recoveryReportSchema.safeParse(report).error).toBeUndefined();
        // One for the plan, one before it is applied, and one after each of the two recoverers that was applied.
        expect(seen.looks - looksBefore).toBe(2 + seen.applied + seen.others);
        expect(seen.others).toBe(1);
        const recorded = await recordedRepairs(kernel);
        expect(recorded.filter(({ outcome, endedAt }) => outcome === 'open' || endedAt === null)).toEqual([]);
        expect(recorded.map(({ recoverer }) => recoverer)).toContain('zzz.other');
      }),
      { numRuns: 150 },
    );
  });
});
