import { describe, expect, it } from 'vitest';
import type { Ask, Question } from '../model/ask.js';
import { definePlugin } from '../model/plugin.js';
import { fix } from './fix.js';
import { brokenThings } from './fixtures/broken-things.js';
import { planRecovery } from './plan-recovery.js';

const { signal } = new AbortController();
const unasked = { agreed: false, planOnly: false, signal };

/** Answers questions in their order, and remembers them. */
function answering(...answers: boolean[]): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const about = (question: Question) =>
    question.about === 'plan' ? `plan of ${question.plan.steps.length}` : question.step.target;
  return {
    asked,
    ask: async (question) => {
      asked.push(about(question));
      return answers.shift() ?? false;
    },
  };
}

describe('a repair with consent', () => {
  it('carries out what was agreed to, and says how it was before and after', async () => {
    const { kernel, world } = brokenThings(['a', 'b']);
    const { ask, asked } = answering(true);
    const { stopped, before, report } = await fix(kernel, { ...unasked, ask });
    expect(asked).toEqual(['plan of 2']);
    expect([stopped, before.overall, report?.after.overall]).toEqual([null, 'unhealthy', 'healthy']);
    expect(world.mended).toEqual(['a', 'b']);
  });

  it('says with the plan which steps would be refused, and uses nothing up', async () => {
    const { kernel, world } = brokenThings(['a', 'b'], {
      kernel: { config: { policy: { exclude: ['b'] } } },
    });
    const { stopped, refused, report } = await fix(kernel, { ...unasked, planOnly: true });
    expect({ stopped, report }).toEqual({ stopped: 'only-planned', report: null });
    expect(refused).toMatchObject([{ target: 'b', refusal: { rule: 'exclusion' } }]);
    expect(world.mended).toEqual([]);
  });

  it('says before it asks which steps would be refused, and asks for none of them', async () => {
    const { kernel, world } = brokenThings(['a', 'b'], {
      risk: 'destructive',
      kernel: { config: { policy: { exclude: ['b'] } } },
    });
    const questions: Question[] = [];
    const ask: Ask = async (question) => questions.push(question) > 0;
    const { report } = await fix(kernel, { ...unasked, ask });
    expect(questions).toMatchObject([
      { about: 'plan', refused: [{ target: 'b', refusal: { rule: 'exclusion' } }] },
      { about: 'step', step: { target: 'a' } },
    ]);
    expect(world.mended).toEqual(['a']);
    expect(report?.steps).toMatchObject([
      { target: 'b', outcome: 'refused' },
      { target: 'a', outcome: 'applied' },
    ]);
  });

  it('asks nothing where every step would be refused, and says so', async () => {
    const { kernel, world } = brokenThings(['a'], { kernel: { config: { policy: { exclude: ['a'] } } } });
    const { ask, asked } = answering(true);
    for (const options of [{ ...unasked, ask }, unasked])
      expect(await fix(kernel, options)).toMatchObject({
        stopped: null,
        report: { steps: [{ target: 'a', outcome: 'refused', refusal: { rule: 'exclusion' } }] },
      });
    expect([asked, world.mended]).toEqual([[], []]);
  });

  describe('that a plugin forbids at first, and no more when it is asked again', () => {
    const once = () => {
      const asked = new Set<string>();
      return definePlugin({
        name: 'backup',
        apply: ({ hooks }) =>
          hooks.beforeRecover.tap('backup', ({ target }) => {
            if (target !== 'b' || asked.has(target)) return undefined;
            asked.add(target);
            return 'a backup is running';
          }),
      });
    };
    const forbidden = { target: 'b', outcome: 'refused', refusal: { rule: 'veto' } };

    it('is not done where nothing else was to be asked about', async () => {
      for (const ask of [undefined, answering(true, true).ask]) {
        const { kernel, world } = brokenThings(['b'], { risk: 'destructive', kernel: { plugins: [once()] } });
        expect(await fix(kernel, { ...unasked, ask })).toMatchObject({ report: { steps: [forbidden] } });
        expect(world.mended).toEqual([]);
      }
    });

    it('is not done with what was agreed to beside it', async () => {
      const { kernel, world } = brokenThings(['a', 'b'], {
        risk: 'destructive',
        kernel: { plugins: [once()] },
      });
      const { ask, asked } = answering(true, true, true);
      const { report } = await fix(kernel, { ...unasked, ask });
      expect(report?.steps).toMatchObject([forbidden, { target: 'a', outcome: 'applied' }]);
      expect([asked, world.mended]).toEqual([['plan of 2', 'a'], ['a']]);
    });

    it('is not done with a hash where nobody can be asked', async () => {
      const { kernel, world } = brokenThings(['a', 'b'], { kernel: { plugins: [once()] } });
      const hash = (await planRecovery(kernel)).hash ?? '';
      const { report } = await fix(kernel, { ...unasked, hash });
      expect(report?.steps).toMatchObject([forbidden, { target: 'a', outcome: 'applied' }]);
      expect(world.mended).toEqual(['a']);
    });
  });

  it('touches nothing when it is declined, or when nobody can be asked, or when it should only show', async () => {
    const { kernel, world } = brokenThings(['a']);
    const results = [
      await fix(kernel, { ...unasked, ask: answering(false).ask }),
      await fix(kernel, unasked),
      await fix(kernel, { ...unasked, agreed: true, planOnly: true }),
    ];
    expect(results.map(({ stopped }) => stopped)).toEqual(['declined', 'nobody-to-ask', 'only-planned']);
    expect(results.map(({ report }) => report)).toEqual([null, null, null]);
    expect(world.mended).toEqual([]);
  });

  it('asks for each step that cannot be undone, and leaves out those that are declined', async () => {
    const { kernel, world } = brokenThings(['a', 'b'], { risk: 'destructive' });
    const { ask, asked } = answering(true, false, true);
    const { report } = await fix(kernel, { ...unasked, ask });
    expect(asked).toEqual(['plan of 2', 'a', 'b']);
    expect(world.mended).toEqual(['b']);
    expect(report?.steps.map(({ target, outcome, refusal }) => [target, outcome, refusal?.rule])).toEqual([
      ['a', 'refused', 'declined'],
      ['b', 'applied', undefined],
    ]);
  });

  it('asks nothing when everything was agreed to, also what the policy would not do by itself', async () => {
    const { kernel, world } = brokenThings(['a'], { risk: 'destructive' });
    const { ask, asked } = answering();
    await fix(kernel, { ...unasked, agreed: true, ask });
    expect([asked, world.mended]).toEqual([[], ['a']]);
  });

  it('carries out exactly the plan with a hash, and refuses when that is no longer the plan', async () => {
    const { kernel, world } = brokenThings(['a'], { risk: 'destructive' });
    const { hash } = await planRecovery(kernel);
    world.broken.add('b');
    await expect(fix(kernel, { ...unasked, hash: hash ?? '' })).rejects.toMatchObject({ code: 'PLAN_STALE' });
    expect(world.mended).toEqual([]);
    world.broken.delete('b');
    await fix(kernel, { ...unasked, hash: hash ?? '', agreed: true });
    expect(world.mended).toEqual(['a']);
  });

  it('leaves undone what is destructive where nobody can be asked, also with a hash', async () => {
    const { kernel, world } = brokenThings(['a'], { risk: 'destructive' });
    const hash = (await planRecovery(kernel)).hash ?? '';
    expect(await fix(kernel, { ...unasked, hash })).toMatchObject({ stopped: 'nobody-to-ask', report: null });
    expect(world.mended).toEqual([]);
  });

  it('asks for each step that cannot be undone also with a hash, unless all was agreed to', async () => {
    const { kernel, world } = brokenThings(['a', 'b'], { risk: 'destructive' });
    const hash = (await planRecovery(kernel)).hash ?? '';
    const none = answering(false, false);
    expect(await fix(kernel, { ...unasked, hash, ask: none.ask })).toMatchObject({
      stopped: 'declined',
      report: null,
    });
    expect([none.asked, world.mended]).toEqual([['a', 'b'], []]);
    await fix(kernel, { ...unasked, hash, ask: answering(false, true).ask });
    expect(world.mended).toEqual(['b']);
    const unneeded = answering();
    const left = (await planRecovery(kernel)).hash ?? '';
    await fix(kernel, { ...unasked, hash: left, agreed: true, ask: unneeded.ask });
    expect([unneeded.asked, world.mended]).toEqual([[], ['b', 'a']]);
  });

  it('asks nothing with the hash of a plan that takes nothing away', async () => {
    const { kernel, world } = brokenThings(['a']);
    const hash = (await planRecovery(kernel)).hash ?? '';
    const { ask, asked } = answering();
    await fix(kernel, { ...unasked, hash, ask });
    expect([asked, world.mended]).toEqual([[], ['a']]);
  });

  it('has nothing to do where all is well', async () => {
    const { ask, asked } = answering();
    expect(await fix(brokenThings([]).kernel, { ...unasked, ask })).toMatchObject({
      stopped: 'nothing-to-do',
      report: null,
    });
    expect(asked).toEqual([]);
  });
});
