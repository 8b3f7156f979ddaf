import { describe, expect, it } from 'vitest';
import { runChecks } from '../check/run-checks.js';
import type { Checker } from '../model/checker.js';
import { defineErrorCode } from '../model/error-code.js';
import { definePlugin } from '../model/plugin.js';
import { defineRecoverer } from '../model/recoverer.js';
import type { StepOutcome } from '../model/recovery-report.js';
import { buildKernel, checking, registering } from '../testing/build-kernel.js';
import { applyRecovery } from './apply-recovery.js';
import { brokenThings, thingBroken } from './fixtures/broken-things.js';
import { historyStream } from './history.js';
import { planRecovery } from './plan-recovery.js';
import type { RepairOptions } from './repair-options.js';

const signal = new AbortController().signal;
const automatic: RepairOptions = { mode: 'automatic', dryRun: false, signal };
const approved: RepairOptions = { mode: 'approved', dryRun: false, signal };

/** A problem that nobody repairs. */
const strange = defineErrorCode({
  code: 'STRANGE',
  category: 'system',
  severity: 'recoverable',
  summary: 'Something is strange',
});
const elsewhere = (check: Checker['check']) =>
  registering('elsewhere', { codes: [strange], checkers: [checking('elsewhere.strange', check)] });

const summary = (steps: readonly StepOutcome[]) =>
  steps.map(
    ({ target, outcome, refusal, verdict }) =>
      refusal?.reason ?? `${target} ${outcome} ${verdict ?? ''}`.trim(),
  );

async function planAndApply(kernel: Parameters<typeof planRecovery>[0], options: RepairOptions) {
  const { hash } = await planRecovery(kernel);
  return applyRecovery(kernel, hash ?? 'none', options);
}

describe('planning', () => {
  it('names each resource, what happens to it and whether it can be undone, and changes nothing', async () => {
    const { kernel, world } = brokenThings(['a', 'b']);
    const plan = await planRecovery(kernel);
    expect(plan.steps[0]).toEqual({
      recoverer: 'things.mend',
      risk: 'safe',
      target: 'a',
      action: 'mend',
      description: 'Mend a',
      reversible: true,
      resolves: ['a'],
      findings: [{ check: 'things.whole', target: 'a', code: 'THING_BROKEN' }],
    });
    expect(plan.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(world.mended).toEqual([]);
  });

  it('gives the same hash as long as nothing changes, and another one when something does', async () => {
    const { kernel, world, clock } = brokenThings(['a']);
    const { hash } = await planRecovery(kernel);
    await clock.advance(60_000);
    expect((await planRecovery(kernel)).hash).toBe(hash);
    world.broken.add('b');
    expect((await planRecovery(kernel)).hash).not.toBe(hash);
  });

  it('has no hash when there is nothing to do', async () => {
    expect(await planRecovery(brokenThings([]).kernel)).toMatchObject({
      hash: null,
      steps: [],
      unhandled: [],
    });
  });

  it('lists what no recoverer handles', async () => {
    const { kernel } = brokenThings(['a'], { recoverer: { plan: () => [] } });
    expect((await planRecovery(kernel)).unhandled).toEqual([
      { check: 'things.whole', target: 'a', code: 'THING_BROKEN' },
    ]);
  });

  it('goes on when a recoverer breaks or never makes its plan', async () => {
    const breaking = brokenThings(['a'], { recoverer: { plan: () => Promise.reject(new Error('no plan')) } });
    expect((await planRecovery(breaking.kernel)).notices).toMatchObject([
      { message: 'things.mend planned nothing: no plan (plugin things)' },
    ]);

    const never = brokenThings(['a'], { recoverer: { plan: () => new Promise<never>(() => undefined) } });
    const planning = planRecovery(never.kernel);
    await never.clock.advance(30_000);
    expect((await planning).notices[0]?.message).toBe('things.mend made no plan within 30000 ms');
  });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    const { kernel, clock } = brokenThings(['a'], {
      recoverer: { plan: () => new Promise<never>(() => undefined) },
    });
    const planning = planRecovery(kernel, { signal: controller.signal });
    await clock.advance(1);
    controller.abort();
    await expect(planning).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('puts the recoverer first that the code suggests first', async () => {
    const other = defineRecoverer({
      name: 'aaa.other',
      risk: 'safe',
      handles: [thingBroken],
      apply: async () => undefined,
      plan: () => [{ target: 'x', action: 'kick', description: 'Kick x', reversible: false }],
    });
    const { kernel } = brokenThings(['a'], {
      kernel: { plugins: [registering('aaa', { recoverers: [other] })] },
    });
    expect((await planRecovery(kernel)).steps.map((step) => step.recoverer)).toEqual([
      'things.mend',
      'aaa.other',
    ]);
  });
});

describe('applying', () => {
  it('does exactly the plan, checks again, and calls it recovered', async () => {
    const { kernel, world } = brokenThings(['a', 'b']);
    const report = await planAndApply(kernel, automatic);
    expect(world.mended).toEqual(['a', 'b']);
    expect(summary(report.steps)).toEqual(['a applied recovered', 'b applied recovered']);
    expect([report.before.overall, report.after.overall]).toEqual(['unhealthy', 'healthy']);
  });

  it('refuses when the world has moved on, and touches nothing', async () => {
    const { kernel, world } = brokenThings(['a']);
    const { hash } = await planRecovery(kernel);
    world.broken.add('b');
    await expect(applyRecovery(kernel, hash ?? '', automatic)).rejects.toMatchObject({
      code: 'PLAN_STALE',
      error: { details: { asked: hash }, suggestedActions: ['plan-recovery'] },
    });
    world.broken.clear();
    await expect(applyRecovery(kernel, hash ?? '', automatic)).rejects.toThrow('nothing to do any more');
    expect(world.mended).toEqual([]);
  });

  it('tells what kept it from looking, and not that there is nothing to do', async () => {
    const engineGone = defineErrorCode({
      code: 'ENGINE_GONE',
      category: 'infrastructure',
      severity: 'fatal',
      summary: 'The engine is gone',
    });
    let mood: 'well' | 'gone' | 'silent' = 'well';
    const engine = registering('engine', {
      codes: [engineGone],
      checkers: [
        checking('engine.daemon', ({ pass, fail }) =>
          mood === 'gone' ? fail(engineGone, { message: 'no engine answers' }) : pass('answers'),
        ),
        checking(
          'engine.parts',
          ({ pass, fail }) => {
            if (mood === 'silent') throw new Error('the engine was silent');
            return mended ? pass('whole') : fail(thingBroken, { message: 'broken', target: 'part' });
          },
          { requires: ['engine.daemon'] },
        ),
      ],
    });
    let mended = false;
    const apply = async () => {
      mended = true;
    };
    const { kernel } = brokenThings([], { recoverer: { apply }, kernel: { plugins: [engine] } });
    const { hash } = await planRecovery(kernel);
    mood = 'gone';
    await expect(applyRecovery(kernel, hash ?? '', automatic)).rejects.toMatchObject({
      code: 'ENGINE_GONE',
      message: 'no engine answers',
    });
    mood = 'silent';
    await expect(applyRecovery(kernel, hash ?? '', automatic)).rejects.toThrow(
      /could not be made again: engine\.parts: .*the engine was silent.* Nothing was touched/,
    );
    mood = 'well';
    expect(mended).toBe(false);
    expect(summary((await applyRecovery(kernel, hash ?? '', automatic)).steps)).toEqual([
      'part applied recovered',
    ]);
  });

  it('tells how everything is that was not well, also what the repair was not for', async () => {
    const { kernel, world } = brokenThings(['a'], {
      kernel: {
        plugins: [
          elsewhere(({ pass, fail }) =>
            world.broken.size === 0 ? pass('well') : fail(strange, { message: 'not well either' }),
          ),
        ],
      },
    });
    const { before, after, steps } = await planAndApply(kernel, automatic);
    expect(summary(steps)).toEqual(['a applied recovered']);
    expect([before.overall, after.overall]).toEqual(['unhealthy', 'healthy']);
  });

  it('does not blame a repair for what became worse meanwhile elsewhere', async () => {
    let looks = 0;
    const { kernel } = brokenThings(['a'], {
      kernel: {
        plugins: [
          elsewhere(({ warn, fail }) => {
            looks += 1;
            return (looks < 3 ? warn : fail)(strange, { message: 'worse and worse' });
          }),
        ],
      },
    });
    const { after, steps } = await planAndApply(kernel, automatic);
    expect(summary(steps)).toEqual(['a applied recovered']);
    expect(after.overall).toBe('unhealthy');
  });

  it('calls it ineffective when the check still finds the problem', async () => {
    const { kernel } = brokenThings(['a'], { recoverer: { apply: async () => undefined } });
    expect(summary((await planAndApply(kernel, automatic)).steps)).toEqual(['a applied ineffective']);
  });

  it('calls it worse when more is broken afterwards', async () => {
    const { kernel, world } = brokenThings(['a'], {
      recoverer: {
        async apply() {
          world.broken.add('b');
        },
      },
    });
    expect(summary((await planAndApply(kernel, automatic)).steps)).toEqual(['a applied worse']);
  });

  it('reports a recoverer that breaks, with a code, and still checks again', async () => {
    const { kernel, world } = brokenThings(['a'], {
      recoverer: {
        async apply() {
          world.broken.clear();
          throw new Error('half way');
        },
      },
    });
    const [step] = (await planAndApply(kernel, automatic)).steps;
    expect(step).toMatchObject({
      outcome: 'failed',
      verdict: 'recovered',
      error: { code: 'RECOVERY_FAILED', message: 'things.mend: half way' },
    });
  });

  it('tells apart the steps that worked and those that did not', async () => {
    const { kernel, world } = brokenThings(['a', 'b'], {
      recoverer: {
        async apply({ clock }) {
          world.broken.delete('a');
          const error = {
            ...thingBroken,
            details: {},
            message: 'busy',
            suggestedActions: [],
            timestamp: clock.now(),
          };
          return [
            { target: 'a', applied: true },
            { target: 'b', applied: false, error },
          ];
        },
      },
    });
    const { steps } = await planAndApply(kernel, automatic);
    expect(summary(steps)).toEqual(['a applied recovered', 'b failed ineffective']);
    expect(steps[1]?.error?.message).toBe('busy');
  });

  it('gives up on a recoverer that never comes to an end', async () => {
    const { kernel, clock } = brokenThings(['a'], {
      recoverer: { apply: () => new Promise<never>(() => undefined) },
    });
    const applying = planAndApply(kernel, automatic);
    await clock.advance(300_000);
    expect((await applying).steps[0]?.error?.message).toContain('was not done within 300000 ms');
  });

  it('leaves a later recoverer out when an earlier one has resolved everything', async () => {
    let kicked = false;
    const other = defineRecoverer({
      name: 'zzz.other',
      risk: 'safe',
      handles: [thingBroken],
      plan: () => [{ target: 'x', action: 'kick', description: 'Kick x', reversible: false }],
      apply: async () => {
        kicked = true;
      },
    });
    const { kernel } = brokenThings(['a'], {
      kernel: { plugins: [registering('zzz', { recoverers: [other] })] },
    });
    const { steps } = await planAndApply(kernel, automatic);
    expect(summary(steps)).toEqual(['a applied recovered', 'x not-needed']);
    expect(kicked).toBe(false);
  });

  it('checks what depends on the repaired thing again', async () => {
    const { kernel } = brokenThings(['a']);
    const { before, after } = await planAndApply(kernel, automatic);
    const useful = (checks: typeof before.checks) =>
      checks.find(({ name }) => name === 'things.useful')?.status;
    expect([useful(before.checks), useful(after.checks)]).toEqual(['skipped', 'pass']);
  });

  it('keeps results in the report that nothing touched', async () => {
    const other = registering('other', { checkers: [checking('other.one', ({ pass }) => pass('fine'))] });
    const { kernel } = brokenThings(['a'], { kernel: { plugins: [other] } });
    const { after } = await planAndApply(kernel, automatic);
    expect(after.checks.map(({ name }) => name)).toEqual(['things.whole', 'things.useful', 'other.one']);
  });

  it('stops between recoverers when it is cancelled, and says what was done', async () => {
    const controller = new AbortController();
    const second = defineRecoverer({
      name: 'zzz.other',
      risk: 'safe',
      handles: [thingBroken],
      plan: () => [{ target: 'x', action: 'kick', description: 'Kick x', reversible: false }],
      apply: async () => undefined,
    });
    const { kernel } = brokenThings(['a'], {
      recoverer: {
        async apply() {
          controller.abort();
        },
      },
      kernel: { plugins: [registering('zzz', { recoverers: [second] })] },
    });
    const { hash } = await planRecovery(kernel);
    await expect(
      applyRecovery(kernel, hash ?? '', { ...automatic, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a recovery that is cancelled in the middle', () => {
  /** A recoverer that is cancelled after its first step. */
  function cancelledAfterOne(goOn: (signal: AbortSignal, mendRest: () => void) => unknown) {
    const controller = new AbortController();
    const things = brokenThings(['a', 'b', 'c'], {
      recoverer: {
        async apply({ signal: told }) {
          things.world.broken.delete('a');
          controller.abort();
          await goOn(told, () => things.world.broken.clear());
        },
      },
    });
    const applying = async () => {
      const { hash } = await planRecovery(things.kernel);
      const error = await applyRecovery(things.kernel, hash ?? '', {
        ...automatic,
        signal: controller.signal,
      }).catch((thrown) => thrown);
      return error as { code: string; error: { message: string; details: { steps: StepOutcome[] } } };
    };
    return { ...things, applying };
  }
  const begun = 'begun, and perhaps only partly done: mend a, mend b, mend c';

  it('tells what had begun by name, and what the check says of each', async () => {
    const { applying, store } = cancelledAfterOne((told) => told.throwIfAborted());
    const { code, error } = await applying();
    expect(code).toBe('CANCELLED');
    expect(error.message).toBe(`The recovery was cancelled; ${begun}`);
    expect(summary(error.details.steps)).toEqual([
      'a interrupted recovered',
      'b interrupted ineffective',
      'c interrupted ineffective',
    ]);
    const history = await store.read(historyStream('test'));
    expect(history.map(({ value }) => value)).toContainEqual(
      expect.objectContaining({ phase: 'finished', outcome: 'interrupted' }),
    );
  });

  it('takes no early return for a step that was carried out', async () => {
    const { error } = await cancelledAfterOne(() => undefined).applying();
    expect(summary(error.details.steps)[1]).toBe('b interrupted ineffective');
  });

  it('waits for one that takes its time, so that the check sees what it has left', async () => {
    const { applying } = cancelledAfterOne(async (_, mendRest) => {
      await new Promise((resolve) => setImmediate(resolve));
      mendRest();
    });
    const { error } = await applying();
    expect(error.message).toContain(begun);
    expect(summary(error.details.steps)).toEqual([
      'a interrupted recovered',
      'b interrupted recovered',
      'c interrupted recovered',
    ]);
  });

  it('leaves one behind that does not stop', async () => {
    const { applying, clock } = cancelledAfterOne(() => new Promise<never>(() => undefined));
    const ended = applying();
    await clock.advance(10_000);
    expect((await ended).error.message).toContain(begun);
  });

  it('has touched nothing when it is cancelled while the evidence is kept', async () => {
    const controller = new AbortController();
    const { kernel, world, store } = brokenThings(['a', 'b'], {
      recoverer: {
        evidence() {
          controller.abort();
          return {};
        },
      },
    });
    const { hash } = await planRecovery(kernel);
    await expect(
      applyRecovery(kernel, hash ?? '', { ...automatic, signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'CANCELLED',
      error: {
        message: 'The recovery was cancelled before it touched anything',
        details: { steps: [], notBegun: [{ target: 'a' }, { target: 'b' }] },
      },
    });
    expect(world.mended).toEqual([]);
    expect(await store.read(historyStream('test'))).toEqual([]);
  });
});

describe('the policy', () => {
  it('refuses by autonomy, and says so', async () => {
    const { kernel, world } = brokenThings(['a'], {
      kernel: { config: { policy: { autonomy: 'observe' } } },
    });
    expect(summary((await planAndApply(kernel, automatic)).steps)).toEqual(['autonomy: observe']);
    expect(world.mended).toEqual([]);
  });

  it('lets a person do what it would not do by itself', async () => {
    const { kernel, world } = brokenThings(['a'], {
      risk: 'destructive',
      kernel: { config: { policy: { autonomy: 'observe' } } },
    });
    expect(summary((await planAndApply(kernel, approved)).steps)).toEqual(['a applied recovered']);
    expect(world.mended).toEqual(['a']);
  });

  it('never spends more than the budget, not even for a person, until the window has passed', async () => {
    const { kernel, world, clock } = brokenThings(['a'], { recoverer: { apply: async () => undefined } });
    const attempt = async () => summary((await planAndApply(kernel, approved)).steps)[0];
    expect(await attempt()).toBe('a applied ineffective');
    expect(await attempt()).toBe('a applied ineffective');
    await clock.advance(600_000);
    expect(await attempt()).toMatch(/^budget: 2 of 2 repairs of a used in the last hour; .* in 50m,/);
    expect(world.broken.size).toBe(1);
    await clock.advance(3_000_000);
    expect(await attempt()).toBe('a applied ineffective');
  });

  it('waits for the third failure in a row before it interrupts anything, and starts afresh after a recovery', async () => {
    const { kernel, world } = brokenThings(['a'], { risk: 'disruptive' });
    const attempt = async () => summary((await planAndApply(kernel, automatic)).steps)[0];
    expect(await attempt()).toBe('consecutive failures: 1 of 3');
    expect(await attempt()).toBe('consecutive failures: 2 of 3');
    expect(await attempt()).toBe('a applied recovered');
    world.broken.add('a');
    expect(await attempt()).toBe('consecutive failures: 1 of 3');
  });

  it('takes many failures at once for one event, and restarts nothing', async () => {
    const { kernel, world } = brokenThings(['a', 'b', 'c'], { risk: 'disruptive' });
    const [first] = summary((await planAndApply(kernel, automatic)).steps);
    expect(first).toMatch(/^correlated failures: 3 targets fail at once/);
    expect(world.mended).toEqual([]);
  });

  it('never touches what is excluded, nor argus itself', async () => {
    const itself = `process:${process.pid}`;
    const { kernel } = brokenThings(['container:db', itself], {
      kernel: { config: { policy: { exclude: ['container:*'] } } },
    });
    const reasons = summary((await planAndApply(kernel, approved)).steps);
    expect(reasons[0]).toMatch(/^excluded: container:db/);
    expect(reasons[1]).toMatch(/^excluded: .*argus itself/);
  });

  it('obeys a veto, and takes a plugin that breaks when asked for one that says no', async () => {
    const vetoing = (answer: () => string | undefined) =>
      definePlugin({
        name: 'guard',
        apply: ({ hooks }) => hooks.beforeRecover.tap('guard', answer),
      });
    const vetoed = brokenThings(['a'], { kernel: { plugins: [vetoing(() => 'not on Fridays')] } });
    expect(summary((await planAndApply(vetoed.kernel, approved)).steps)).toEqual(['veto: not on Fridays']);
    const breaking = brokenThings(['a'], {
      kernel: {
        plugins: [
          vetoing(() => {
            throw new Error('oops');
          }),
        ],
      },
    });
    expect(summary((await planAndApply(breaking.kernel, approved)).steps)[0]).toContain('a plugin broke');
    expect(breaking.world.mended).toEqual([]);
  });

  it('in a dry run says what would be done and what refused, uses up nothing and records nothing', async () => {
    const { kernel, world, store } = brokenThings(['a', 'b'], {
      kernel: { config: { policy: { exclude: ['b'] } } },
    });
    const report = await planAndApply(kernel, { ...automatic, dryRun: true });
    expect(summary(report.steps)).toEqual(
      expect.arrayContaining(['a planned', expect.stringMatching(/^excluded/)]),
    );
    expect(world.mended).toEqual([]);
    expect(await store.list('budget')).toEqual([]);
    expect(await store.read(historyStream('test'))).toEqual([]);
  });
});

describe('what is kept', () => {
  it('is the evidence before and the outcome after, without secrets', async () => {
    const secret = ['s3cret', 'value'].join('-');
    let mendedAtEvidence: number | undefined;
    const { kernel, world, store } = brokenThings(['a'], {
      recoverer: {
        evidence: () => {
          mendedAtEvidence = world.mended.length;
          return { log: `password is ${secret}` };
        },
      },
      kernel: { env: { API_TOKEN: secret } },
    });
    const { steps } = await planAndApply(kernel, automatic);
    expect(mendedAtEvidence).toBe(0);
    expect(steps[0]?.evidence).toMatchObject({
      problems: [{ code: 'THING_BROKEN' }],
      log: expect.any(String),
    });
    const history = await store.read(historyStream('test'));
    expect(history.map(({ value }) => value)).toMatchObject([
      { phase: 'started', step: { target: 'a' }, evidence: { log: expect.any(String) } },
      { phase: 'finished', step: { target: 'a' }, outcome: 'applied', verdict: 'recovered' },
    ]);
    expect(JSON.stringify([history, steps])).not.toContain(secret);
  });

  it('says when the evidence could not be had, and repairs all the same', async () => {
    const { kernel } = brokenThings(['a'], {
      recoverer: { evidence: () => Promise.reject(new Error('no log')) },
    });
    const { steps } = await planAndApply(kernel, automatic);
    expect(steps[0]).toMatchObject({ outcome: 'applied', evidence: { incomplete: 'no log' } });
  });

  it('reaches the observers, who can break nothing', async () => {
    const seen: string[] = [];
    const observer = definePlugin({
      name: 'observer',
      apply: ({ hooks }) =>
        hooks.afterRecover.tap('observer', ({ target, verdict }) => {
          seen.push(`${target} ${verdict}`);
          throw new Error('observer broke');
        }),
    });
    const { kernel } = brokenThings(['a'], { kernel: { plugins: [observer] } });
    const states: string[] = [];
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'recovery_step') states.push(`${data.state}: ${data.message}`);
    });
    await planAndApply(kernel, automatic);
    expect(seen).toEqual(['a recovered']);
    expect(states).toEqual([
      'started: Mend a',
      'applied: recovered',
      'failed: an observer broke: observer broke',
    ]);
  });

  it('is needed for a repair: without a store that works, nothing is touched', async () => {
    const { kernel, world } = brokenThings(['a']);
    await kernel.store.close();
    const failing = new Proxy(kernel.store, {
      get: (_, name) => (name === 'notices' ? undefined : () => Promise.reject(new Error('disk gone'))),
    });
    const { hash } = await planRecovery(kernel);
    await expect(applyRecovery({ ...kernel, store: failing }, hash ?? '', automatic)).rejects.toThrow(
      'disk gone',
    );
    expect(world.mended).toEqual([]);
  });
});

describe('a problem without a recoverer', () => {
  it('is checked and reported all the same', async () => {
    const kernel = buildKernel({
      plugins: [
        registering('lone', {
          codes: [thingBroken],
          checkers: [checking('lone.one', ({ fail }) => fail(thingBroken, { message: 'broken' }))],
        }),
      ],
    });
    expect((await runChecks(kernel)).overall).toBe('unhealthy');
    expect(await planRecovery(kernel)).toMatchObject({ hash: null, unhandled: [{ check: 'lone.one' }] });
  });
});
