import { describe, expect, it } from 'vitest';
import { newClient } from '../fixtures/clients.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { processProject } from '../fixtures/projects.js';

describe.each(['auto', 'legacy'] as const)('consent through the built server in the era %s', (mode) => {
  it('is never offered to a model as something to give by itself', async () => {
    const client = await newClient({ cwd: await processProject() }, mode);
    const refused = await client.call('argus_clean', { allRuns: true });
    expect(refused).toMatchObject({
      ...{ ok: false, isError: true, error: { code: 'CONFIRMATION_REQUIRED' } },
      next: { tool: 'argus_clean', arguments: { allRuns: true, dryRun: true } },
    });
    expect(refused.text.split('\n')[0]).toMatch(
      /^CONFIRMATION_REQUIRED: .*person.*confirm: true.*Next: call argus_clean/,
    );
    expect(refused.human).toContain('argus_clean');
    const dry = await client.call(refused.next?.tool ?? '', refused.next?.arguments);
    expect(dry).toMatchObject({ ok: true, data: { dryRun: true } });
    expect(dry.next).toBeUndefined();
    // Where there is nothing to look at first, the next call says what it is about.
    const other = await client.call('argus_run', { command: ['true'] });
    expect(other).toMatchObject({
      ...{ error: { code: 'CONFIRMATION_REQUIRED' }, next: { tool: 'argus_explain' } },
    });
    expect(JSON.stringify(other.next)).not.toContain('"confirm"');
  });

  it('of a person lets a plan be carried out that the policy refuses to do alone', async () => {
    const { cwd, leaks } = leakyProject();
    const asked: string[] = [];
    let agree = false;
    const client = await newClient({ cwd }, mode, (message) => {
      asked.push(message);
      return { action: 'accept', content: { agree } };
    });
    const { next } = await client.call('argus_plan_recovery');
    expect(next).toMatchObject({ tool: 'argus_apply_recovery' });
    expect(await client.call(next?.tool ?? '', next?.arguments)).toMatchObject({
      ...{ ok: false, error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } } },
    });
    expect(leaks()).toBe('kitchen');
    agree = true;
    expect(await client.call(next?.tool ?? '', next?.arguments)).toMatchObject({
      ...{ ok: true, data: { steps: [{ outcome: 'applied', verdict: 'recovered' }] } },
    });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/Exactly this:\nclose tap:kitchen: Close it$/);
    expect(leaks()).toBe('');
  });

  it('that only a model gives leaves the policy in force, and the answer names the way for a person', async () => {
    const { cwd, leaks } = leakyProject();
    const client = await newClient({ cwd }, mode);
    const { next } = await client.call('argus_plan_recovery');
    const hash = String(next?.arguments.hash);
    expect(await client.call('argus_apply_recovery', { hash })).toMatchObject({
      ...{ error: { code: 'CONFIRMATION_REQUIRED' } },
      next: { tool: 'argus_apply_recovery', arguments: { hash, dryRun: true } },
    });
    const applied = await client.call('argus_apply_recovery', { hash, confirm: true });
    expect(applied).toMatchObject({ ok: true, data: { steps: [{ outcome: 'refused' }] } });
    expect(applied.human).toContain(`argus fix --apply ${hash}`);
    expect(applied.text).toContain(`argus fix --apply ${hash}`);
    expect(leaks()).toBe('kitchen');
  });

  it('that a model gives is enough for what the policy allows', async () => {
    const { cwd, leaks } = leakyProject({ policy: { autonomy: 'full', consecutiveFailures: 1 } });
    const client = await newClient({ cwd }, mode);
    const { next } = await client.call('argus_plan_recovery');
    expect(await client.call('argus_apply_recovery', { ...next?.arguments, confirm: true })).toMatchObject({
      ...{ ok: true, data: { steps: [{ verdict: 'recovered' }] } },
    });
    expect(leaks()).toBe('');
  });
});
