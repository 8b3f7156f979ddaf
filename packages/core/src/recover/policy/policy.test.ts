import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../state/memory-store.js';
import { createSimulatedClock } from '../../testing/simulated-clock.js';
import { recordCheckRun, recordRecovered } from './failures/failure-counts.js';
import { proposal, settings } from './fixtures/circumstances.js';
import { result } from './fixtures/result.js';
import { createPolicy, type PolicyParts } from './policy.js';
import type { PolicySettings } from './settings.js';

const hour = 3_600_000;
const allowed = { allowed: true };
const apiFails = [result('docker.container', 'fail', 'container:api')];
const fourFail = ['api', 'db', 'web', 'pay'].map((name) =>
  result('docker.container', 'fail', `container:${name}`),
);

function setUp() {
  const clock = createSimulatedClock();
  const store = createMemoryStore({ clock });
  const self = { pid: 123, parentPid: 45 };
  const policy = (
    changes: Partial<Omit<PolicyParts, 'settings'>> & { settings?: Partial<PolicySettings> } = {},
  ) =>
    createPolicy({
      mode: 'automatic',
      dryRun: false,
      project: 'shop',
      checks: apiFails,
      store,
      clock,
      self,
      ...changes,
      settings: settings(changes.settings),
    });
  const fails = async (times: number) => {
    for (let run = 0; run < times; run += 1) await recordCheckRun(store, 'shop', apiFails);
  };
  return { clock, store, policy, fails };
}

describe('the policy', () => {
  it('allows a repair that no rule objects to', async () => {
    const { policy, fails } = setUp();
    await fails(3);
    expect(await policy().decide(proposal())).toEqual(allowed);
  });

  it('refuses with the name of the rule and the reason', async () => {
    const { policy } = setUp();
    const decide = (changes: Parameters<typeof policy>[0], about = {}) =>
      policy(changes).decide(proposal(about));

    expect(await decide({}, { target: 'process:123' })).toEqual({
      allowed: false,
      rule: 'exclusion',
      reason: 'excluded: process:123 is argus itself',
    });
    expect(await decide({ settings: { autonomy: 'observe' } })).toEqual({
      allowed: false,
      rule: 'autonomy',
      reason: 'autonomy: observe',
    });
    expect(await decide({ checks: fourFail })).toEqual({
      allowed: false,
      rule: 'correlated',
      reason:
        'correlated failures: 4 targets fail at once (limit 3); this looks like one infrastructure event',
    });
    expect(await decide({})).toEqual({
      allowed: false,
      rule: 'consecutive',
      reason: 'consecutive failures: 0 of 3',
    });
    expect(await decide({ settings: { budget: { max: 0, per: hour } } }, { risk: 'safe' })).toEqual({
      allowed: false,
      rule: 'budget',
      reason: 'budget: 0 of 0 repairs of container:api used in the last hour; policy.budget allows none',
    });
  });

  it('takes nothing from the budget for a repair that another rule refuses', async () => {
    const { policy, store, fails } = setUp();
    await fails(3);
    const refusing = [
      policy({ settings: { exclude: ['container:*'] } }),
      policy({ settings: { autonomy: 'cautious' } }),
      policy({ checks: fourFail }),
      policy({ settings: { consecutiveFailures: 4 } }),
    ];
    for (const each of refusing) expect(await each.decide(proposal())).toMatchObject({ allowed: false });
    expect(await store.list('budget')).toEqual([]);
  });

  it('lets an approved plan through where it would not act by itself', async () => {
    const { policy } = setUp();
    const approved = policy({ mode: 'approved', checks: fourFail, settings: { autonomy: 'observe' } });
    expect(await approved.decide(proposal({ risk: 'destructive' }))).toEqual(allowed);
  });

  it('leaves what is destructive to somebody who agrees, where nobody was there to', async () => {
    const { policy, store, fails } = setUp();
    await fails(3);
    const alone = policy({ mode: 'unattended', settings: { autonomy: 'full' } });
    expect(await alone.decide(proposal({ risk: 'destructive' }))).toEqual({
      allowed: false,
      rule: 'unasked',
      reason:
        'unasked: it is destructive and nobody has agreed to it; plan-recovery shows it, apply-recovery carries it out after a yes',
    });
    expect(await store.list('budget')).toEqual([]);
    expect(await alone.decide(proposal())).toEqual(allowed);
    const itself = policy({ settings: { autonomy: 'full' } });
    expect(await itself.decide(proposal({ risk: 'destructive' }))).toEqual(allowed);
  });

  it('names what a yes would not help against before it names that nobody was asked', async () => {
    const { policy } = setUp();
    const alone = policy({ mode: 'unattended', settings: { autonomy: 'full', exclude: ['container:*'] } });
    expect(await alone.decide(proposal({ risk: 'destructive' }))).toMatchObject({ rule: 'exclusion' });
  });

  it('keeps exclusions and the budget for an approved plan', async () => {
    const { policy } = setUp();
    const approved = policy({ mode: 'approved', settings: { exclude: ['container:prod-*'] } });
    const excluded = await approved.decide(proposal({ target: 'container:prod-db' }));
    expect(excluded).toMatchObject({ allowed: false, rule: 'exclusion' });
    expect(await approved.decide(proposal())).toEqual(allowed);
    expect(await approved.decide(proposal())).toEqual(allowed);
    expect(await approved.decide(proposal())).toEqual({
      allowed: false,
      rule: 'budget',
      reason: expect.stringMatching(
        /^budget: 2 of 2 repairs of container:api .*allowed in 1h,.*policy\.budget$/,
      ),
    });
  });

  it('has one budget for approved and automatic repairs', async () => {
    const { policy, fails } = setUp();
    await fails(3);
    expect(await policy({ mode: 'approved' }).decide(proposal())).toEqual(allowed);
    expect(await policy().decide(proposal())).toEqual(allowed);
    expect(await policy({ mode: 'approved' }).decide(proposal())).toMatchObject({ rule: 'budget' });
    expect(await policy().decide(proposal())).toMatchObject({ rule: 'budget' });
  });

  it('decides in a dry run as it would, and takes nothing', async () => {
    const { policy, store, fails } = setUp();
    await fails(3);
    const dry = policy({ dryRun: true });
    expect(await dry.decide(proposal())).toEqual(allowed);
    expect(await dry.decide(proposal())).toEqual(allowed);
    expect(await dry.decide(proposal())).toMatchObject({ allowed: false, rule: 'budget' });
    expect(await store.list('budget')).toEqual([]);
  });

  it('gives the last repair to one of two processes that decide at the same moment', async () => {
    const { policy, fails } = setUp();
    await fails(3);
    await policy().decide(proposal());
    const decisions = await Promise.all([policy().decide(proposal()), policy().decide(proposal())]);
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(1);
  });

  it('repairs a service that breaks again and again only as often as the budget says', async () => {
    const { policy, clock, store } = setUp();
    const repaired: number[] = [];
    for (let minute = 0; minute < 180; minute += 1) {
      await recordCheckRun(store, 'shop', apiFails);
      const decision = await policy().decide(proposal());
      if (decision.allowed) {
        repaired.push(minute);
        await recordRecovered(store, 'shop', proposal().findings);
      }
      await clock.advance(60_000);
    }
    // It takes three failing runs before the first, again before the second, and then an hour after each.
    expect(repaired).toEqual([2, 5, 62, 65, 122, 125]);
  });

  it('throws when the store cannot be used, so that nothing is done', async () => {
    const { policy, store } = setUp();
    await store.close();
    await expect(policy({ mode: 'approved' }).decide(proposal())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });
});
