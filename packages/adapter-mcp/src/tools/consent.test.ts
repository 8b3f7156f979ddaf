import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { confirmed, newClient } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { folderWith, processProject } from '../fixtures/projects.js';
import { thingsIn } from './things-in.js';

describe.each(['auto', 'legacy'] as const)('consent through the built server in the era %s', (mode) => {
  it('is never offered to a model as something to give by itself', async () => {
    const client = await newClient({ cwd: await processProject() }, mode);
    const refused = await client.call('argus_clean', { allRuns: true });
    expect(refused).toMatchObject({
      ok: false,
      isError: true,
      error: { code: 'CONFIRMATION_REQUIRED' },
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
      error: { code: 'CONFIRMATION_REQUIRED' },
      next: { tool: 'argus_explain' },
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
      ok: false,
      error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } },
    });
    expect(leaks()).toBe('kitchen');
    agree = true;
    expect(await client.call(next?.tool ?? '', next?.arguments)).toMatchObject({
      ok: true,
      data: { steps: [{ outcome: 'applied', verdict: 'recovered' }] },
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
      error: { code: 'CONFIRMATION_REQUIRED' },
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
      ok: true,
      data: { steps: [{ verdict: 'recovered' }] },
    });
    expect(leaks()).toBe('');
  });
});

describe('a check that repairs', () => {
  it('leaves what is destructive undone, because nobody has agreed to it, and names the way', async () => {
    const { cwd, leaks } = leakyProject({ policy: { autonomy: 'full', consecutiveFailures: 1 } });
    let asked = 0;
    const { call, client } = await inProcess(cwd, {
      onAsk: () => {
        asked += 1;
        return { action: 'accept', content: { agree: true } };
      },
    });
    const checked = await call('argus_preflight_check', { autoFix: true });
    expect(checked).toMatchObject({
      ok: true,
      data: {
        overall: 'unhealthy',
        recovery: { steps: [{ outcome: 'refused', refusal: { rule: 'unasked' } }] },
      },
      next: { tool: 'argus_plan_recovery' },
    });
    expect(checked.human).toMatch(/close tap:kitchen.*argus_plan_recovery.*argus_apply_recovery/);
    expect(checked.text.split('\n')[0]).toContain('argus_apply_recovery');
    expect([asked, leaks()]).toEqual([0, 'kitchen']);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'argus_preflight_check')?.annotations).toMatchObject({
      destructiveHint: false,
    });
    // The way that it names leads there.
    const { next } = await call(checked.next?.tool ?? '', checked.next?.arguments);
    expect(await call(next?.tool ?? '', next?.arguments)).toMatchObject({
      data: { steps: [{ verdict: 'recovered' }] },
    });
    expect([asked, leaks()]).toEqual([1, '']);
  });
});

describe('a person', () => {
  const asking = (answer: object = { action: 'accept', content: { agree: true } }) => {
    const asked: string[] = [];
    const onAsk = (message: string) => {
      asked.push(message);
      return answer;
    };
    return { asked, onAsk };
  };

  it('is not asked about what cannot be done', async () => {
    const { asked, onAsk } = asking();
    const { call } = await inProcess(leakyProject().cwd, { onAsk });
    const stale = await call('argus_apply_recovery', { hash: 'bogus' });
    expect(stale).toMatchObject({
      error: { code: 'PLAN_STALE' },
      next: { tool: 'argus_plan_recovery' },
      isError: true,
    });
    const wrong = { error: { code: 'USAGE_INVALID' } };
    expect(await call('argus_apply_recovery')).toMatchObject(wrong);
    expect(await call('argus_clean', { rnu: 'x' })).toMatchObject(wrong);
    expect(await call('argus_clean', { run: 'no-such-run' })).toMatchObject(wrong);
    expect(await call('argus_fault_inject')).toMatchObject(wrong);
    expect(asked).toEqual([]);
    // Nor is an agent sent to one who could only say yes to a mistake.
    const alone = await inProcess(leakyProject().cwd);
    expect(await alone.call('argus_apply_recovery')).toMatchObject(wrong);
    expect(await alone.call('argus_apply_recovery', { hash: 'bogus' })).toMatchObject({
      error: { code: 'CONFIRMATION_REQUIRED' },
    });
  });

  it('is not asked about what would be refused whoever agrees, but is told why', async () => {
    const { asked, onAsk } = asking();
    const spent = { policy: { autonomy: 'full', consecutiveFailures: 1, budget: { max: 0 } } };
    const { cwd, leaks } = leakyProject(spent);
    const { call } = await inProcess(cwd, { onAsk });
    const { next } = await call('argus_plan_recovery');
    const why = /whoever agrees: close tap:kitchen \(budget: 0 of 0 repairs .*policy\.budget/;
    for (const [tool, given] of [
      ['argus_apply_recovery', next?.arguments],
      ['argus_fix', {}],
    ] as const) {
      const answer = await call(tool, given);
      expect(answer).toMatchObject({ ok: true, human: expect.stringMatching(why) });
      expect(answer.text).toMatch(why);
      expect(answer.next).toBeUndefined();
    }
    expect([asked, leaks()]).toEqual([[], 'kitchen']);
  });

  it('is shown which steps of a plan would be refused', async () => {
    const { asked, onAsk } = asking({ action: 'decline' });
    const { cwd } = leakyProject({ policy: { exclude: ['tap:bath'] } });
    writeFileSync(join(cwd, 'leaks'), 'kitchen bath');
    const { call } = await inProcess(cwd, { onAsk });
    const { next } = await call('argus_plan_recovery');
    await call('argus_apply_recovery', next?.arguments);
    expect(asked).toEqual([
      expect.stringMatching(/\nclose tap:kitchen: Close it\nnot tap:bath: excluded: .*$/),
    ]);
  });

  it('is called for when what cannot be done is tried again and again', async () => {
    const { call } = await inProcess(leakyProject().cwd, asking());
    const tries = [];
    for (let count = 0; count < 3; count++) tries.push(await call('argus_apply_recovery', { hash: 'bogus' }));
    expect(tries.map(({ escalate }) => escalate)).toEqual([undefined, undefined, true]);
  });

  it('is told what nothing can be done about, and what was not looked at', async () => {
    const { asked, onAsk } = asking({ action: 'decline' });
    const plugin = `const gone = { code: 'ROOF_GONE', category: 'system', severity: 'fatal', summary: 'No roof', suggestedActions: [] };
export default { name: 'roof', apply({ hooks }) {
  hooks.errorCodes.tap('roof', (codes) => codes.add(gone));
  hooks.checkers.tap('roof', (checkers) => {
    checkers.add({ name: 'roof.there', check: ({ fail }) => fail(gone, { message: 'no roof', details: {} }) });
    checkers.add({ name: 'roof.dry', check: () => { throw new Error('too high'); } });
  });
} };`;
    const config = JSON.stringify({ project: { name: 'house' }, plugins: ['./roof.mjs'] });
    const { call } = await inProcess(folderWith({ 'argus.config.json': config, 'roof.mjs': plugin }), {
      onAsk,
    });
    await call('argus_fix');
    expect(asked).toEqual([
      expect.stringMatching(
        /\nnothing can be done\nno repair is known here for ROOF_GONE \(roof.there\)\nnot looked at: roof.dry$/,
      ),
    ]);
  });

  it('who cannot be asked after all is one that the agent has to ask', async () => {
    const { call } = await inProcess(await processProject(), {
      onAsk: () => {
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
      },
    });
    const refused = await call('argus_clean');
    expect(refused).toMatchObject({
      ok: false,
      isError: true,
      error: { code: 'CONFIRMATION_REQUIRED', details: { declined: false } },
      next: { tool: 'argus_clean', arguments: { dryRun: true } },
    });
    expect(refused.human).toContain('Do you agree');
    expect(await confirmed(call, 'argus_clean')).toMatchObject({ ok: true });
  });

  it.each([
    ['has closed the dialog, which the client tells as an error', new Error('dismissed')],
    ['was asked by a client that tells a no with an error of its own', new ProtocolError(-32000, 'rejected')],
  ])('who %s has not agreed, whatever the agent says', async (_, thrown) => {
    const { call } = await inProcess(await processProject(), {
      onAsk: () => {
        throw thrown;
      },
    });
    const declined = { ok: false, error: { code: 'CONFIRMATION_REQUIRED', details: { declined: true } } };
    expect(await call('argus_clean')).toMatchObject(declined);
    expect(await call('argus_clean', { confirm: true })).toMatchObject(declined);
  });

  it('is told who uses what would be removed, and what would not be', () => {
    const refused = [{ name: 'old', reason: 'it is too young' }];
    const usedBy = [{ host: 'here', pid: 7, suites: ['smoke'] }];
    expect(thingsIn({ removed: [{ type: 'process', name: 'api' }], usedBy, refused })).toEqual([
      'in use: tests run in it now (smoke, process 7)',
      'process api',
      'not old: it is too young',
    ]);
    expect(thingsIn({ removed: [], refused })).toEqual(['nothing can be done', 'not old: it is too young']);
    expect(thingsIn({ removed: [] })).toEqual(['there is nothing to do']);
  });
});
