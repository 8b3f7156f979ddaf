import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverEnv } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { folderWith } from '../fixtures/projects.js';

const person = (remedy: string) => `\nWhat a person can do: ${remedy}\n`;

/** A plugin of somebody else whose check finds that a gate is shut, for this reason. */
const gate = (reason: string, hasRecoverer: boolean) => `
const shut = { code: 'GATE_SHUT', category: 'system', severity: 'fatal', summary: 'A gate is shut', suggestedActions: [],
  remedy: 'Open the gate.', remedies: { locked: 'Find the key.' } };
const opener = { name: 'gate.open', handles: [shut], risk: 'safe', plan: () => [], apply: async () => undefined };
export default { name: 'gate', apply({ hooks }) {
  hooks.errorCodes.tap('gate', (codes) => codes.add(shut));
  hooks.checkers.tap('gate', (checkers) => checkers.add({
    name: 'gate.open',
    check: ({ fail }) => fail(shut, { message: 'It is shut', details: { reason: ${JSON.stringify(reason)} } }),
  }));
  if (${hasRecoverer}) hooks.recoverers.tap('gate', (recoverers) => recoverers.add(opener));
} };`;

async function foundAtGate(reason: string, hasRecoverer = false) {
  const config = { project: { name: 'farm' }, plugins: ['./gate.mjs'] };
  const files = { 'argus.config.json': JSON.stringify(config), 'gate.mjs': gate(reason, hasRecoverer) };
  const { call } = await inProcess(folderWith(files));
  return call('argus_preflight_check');
}

describe('what a person can do', () => {
  it('is told with an error by its reason, where a tool can only look', async () => {
    const config = { project: { name: 'shop' }, services: { db: { image: 'postgres' } } };
    const cwd = folderWith({ 'argus.config.json': JSON.stringify(config) });
    const { call } = await inProcess(cwd, { env: serverEnv({ PATH: join(cwd, 'nothing') }) });
    const remedy = 'Install Docker, or leave the services out that need it.';
    const failed = await call('argus_setup');
    const error = { code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-installed' } };
    expect(failed).toMatchObject({ ok: false, error, remedy, next: { tool: 'argus_preflight_check' } });
    expect(failed.text).toContain(person(remedy));
  });

  it('is told with a check for the worst that it has found, also where the code is a third party’s', async () => {
    const found = await foundAtGate('locked');
    expect(found).toMatchObject({ ok: true, remedy: 'Find the key.', next: { tool: 'argus_plan_recovery' } });
    expect(found.text).toContain(person('Find the key.'));
    expect((await foundAtGate('rusty')).remedy).toBe('Open the gate.');
  });

  it('is not told where a recoverer handles what was found', async () => {
    const found = await foundAtGate('locked', true);
    expect(found).toMatchObject({ ok: true, data: { overall: 'unhealthy' } });
    expect(found.remedy).toBeUndefined();
    expect(found.text).not.toContain('a person can');
  });

  it('is not told where nothing is wrong', async () => {
    const { cwd } = leakyProject();
    writeFileSync(join(cwd, 'leaks'), '');
    const { call } = await inProcess(cwd);
    const found = await call('argus_preflight_check', { only: ['tap'] });
    expect(found).toMatchObject({ ok: true, data: { overall: 'healthy' } });
    expect(found.remedy).toBeUndefined();
  });

  it('is told only after the third time where another call helps by itself', async () => {
    const { call } = await inProcess(leakyProject({ policy: { autonomy: 'full' } }).cwd);
    const apply = () => call('argus_apply_recovery', { hash: 'stale', confirm: true });
    const answers = [await apply(), await apply(), await apply()];
    for (const { error, next } of answers)
      expect([error?.code, next?.tool]).toEqual(['PLAN_STALE', 'argus_plan_recovery']);
    expect(answers.map(({ escalate = false, remedy }) => [escalate, remedy])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, 'Make the plan again, look at it, and apply the new hash.'],
    ]);
  });

  it('is not told where whoever called has to call in another way', async () => {
    const { call } = await inProcess(leakyProject().cwd);
    const refused = await call('argus_explain', { name: 'TAP_LEAK' });
    expect(refused).toMatchObject({ error: { code: 'USAGE_INVALID' }, next: { tool: 'argus_explain' } });
    expect(refused.remedy).toBeUndefined();
  });

  it('is told also where the project cannot be opened', async () => {
    const broken = await inProcess(folderWith({ 'argus.config.json': '{ "servces": {} }' }));
    const failed = await broken.call('argus_status');
    expect(failed).toMatchObject({
      error: { code: 'CONFIG_INVALID' },
      remedy: expect.stringMatching(/^Correct the lines that the problems name/),
    });
  });
});
