import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newClient, serverEnv } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { folderWith, processProject } from '../fixtures/projects.js';

describe('the next call', () => {
  it('is about the project of the call, and narrowed as it was', async () => {
    const { cwd, leaks } = leakyProject({ policy: { autonomy: 'full', consecutiveFailures: 1 } });
    const projectPath = basename(cwd);
    const { call } = await inProcess(dirname(cwd), { env: serverEnv({ ARGUS_TRUST: cwd }) });
    const given = { projectPath, only: ['tap.leaks'] };
    const checked = await call('argus_preflight_check', given);
    expect(checked.next).toEqual({ tool: 'argus_plan_recovery', arguments: given });
    const planned = await call('argus_plan_recovery', checked.next?.arguments);
    expect(planned.next).toEqual({
      tool: 'argus_apply_recovery',
      arguments: { ...given, hash: expect.any(String) },
    });
    expect(planned.text).toContain(JSON.stringify(planned.next?.arguments));
    const applied = await call('argus_apply_recovery', { ...planned.next?.arguments, confirm: true });
    expect(applied).toMatchObject({ ok: true, data: { after: { overall: 'healthy' } } });
    expect(leaks()).toBe('');
    expect(await call('argus_logs', { projectPath })).toMatchObject({
      ok: false,
      next: { tool: 'argus_setup', arguments: { projectPath } },
    });
  });

  it('is about the project of the call also where that goes on, and then where it has failed', async () => {
    const cwd = await processProject({ isSlow: true });
    const projectPath = basename(cwd);
    const env = { ARGUS_TRUST: cwd };
    const client = await newClient({ cwd: dirname(cwd), args: ['--patience', '1'], env });
    const { pending, next } = await client.call('argus_setup', { projectPath });
    const runId = pending?.runId;
    expect(next).toEqual({ tool: 'argus_status', arguments: { runId, projectPath } });
    await client.call('argus_cancel', { runId });
    await expect
      .poll(async () => (await client.call('argus_status', { runId, projectPath })).data, { timeout: 20_000 })
      .toMatchObject({
        project: 'shop',
        call: { state: 'done', result: { next: { arguments: { projectPath } } } },
      });
  });

  it('of a person is to be made in the folder of the project', async () => {
    const { cwd } = leakyProject();
    const { call } = await inProcess(dirname(cwd), { env: serverEnv({ ARGUS_TRUST: cwd }) });
    const projectPath = basename(cwd);
    const { next } = await call('argus_plan_recovery', { projectPath });
    const refused = await call('argus_apply_recovery', { ...next?.arguments, confirm: true });
    expect(refused.human).toContain(`In a terminal in ${cwd}: argus fix --apply ${next?.arguments.hash}`);
  });

  it('is none after a repair of which every step was refused, also in a dry run', async () => {
    const { cwd, leaks } = leakyProject({
      policy: { autonomy: 'full', consecutiveFailures: 1, budget: { max: 1, per: '1h' } },
    });
    const { call } = await inProcess(cwd);
    const repair = async (given: object) => {
      const { next } = await call('argus_plan_recovery');
      return call('argus_apply_recovery', { ...next?.arguments, ...given });
    };
    expect(await repair({ confirm: true })).toMatchObject({
      data: { steps: [{ verdict: 'recovered' }], after: { overall: 'healthy' } },
    });
    writeFileSync(join(cwd, 'leaks'), 'kitchen');
    for (const given of [{ dryRun: true }, { confirm: true }]) {
      const refused = await repair(given);
      expect(refused).toMatchObject({ ok: true, data: { steps: [{ outcome: 'refused' }] } });
      expect(refused.next).toBeUndefined();
      expect(refused.human).toMatch(
        /^Tell the person .*: close tap:kitchen \(budget: 1 of 1 repair .* allowed in .*policy\.budget\)$/,
      );
    }
    expect(leaks()).toBe('kitchen');
  });

  it('leads back into a folder that was refused only after a person has allowed it', async () => {
    const { call } = await inProcess(folderWith());
    expect(await call('argus_status', { projectPath: '..' })).toMatchObject({
      error: { code: 'PROJECT_REFUSED' },
      next: { person: { what: expect.stringContaining('--allow') }, arguments: { projectPath: '..' } },
    });
  });
});
