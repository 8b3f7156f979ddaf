import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverEnv } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { leakyProject } from '../fixtures/leaky-project.js';
import { folderWith } from '../fixtures/projects.js';

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

describe('what is next', () => {
  it('is what a person must do about an error by its reason, and then the same call', async () => {
    const config = { project: { name: 'shop' }, services: { db: { image: 'postgres' } } };
    const cwd = folderWith({ 'argus.config.json': JSON.stringify(config) });
    const { call } = await inProcess(cwd, { env: serverEnv({ PATH: join(cwd, 'nothing') }) });
    const what = 'Install Docker, or leave the services out that need it.';
    const failed = await call('argus_setup');
    const error = { code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-installed' } };
    expect(failed).toMatchObject({ ok: false, error, next: { person: { what }, tool: 'argus_setup' } });
    expect(failed.text).toContain(`Next: a person must act: ${what} Then call argus_setup.`);
  });

  it('is what a person must do about the worst that a check has found, also where the code is a third party’s', async () => {
    const found = await foundAtGate('locked');
    const next = { person: { what: 'Find the key.' }, tool: 'argus_preflight_check' };
    expect(found).toMatchObject({ ok: true, next });
    expect((await foundAtGate('rusty')).next?.person?.what).toBe('Open the gate.');
  });

  it('is a plan where a recoverer handles what was found', async () => {
    const found = await foundAtGate('locked', true);
    expect(found).toMatchObject({ ok: true, data: { overall: 'unhealthy' } });
    expect(found.next).toEqual({ tool: 'argus_plan_recovery', arguments: {} });
  });

  it('is nothing where nothing is wrong and there is nothing to bring up', async () => {
    const { cwd } = leakyProject();
    writeFileSync(join(cwd, 'leaks'), '');
    const { call } = await inProcess(cwd);
    const found = await call('argus_preflight_check', { only: ['tap'] });
    expect(found).toMatchObject({ ok: true, data: { overall: 'healthy' } });
    expect(found.next).toBeUndefined();
  });

  it('is the setup where all is well and nothing runs', async () => {
    const config = { services: { web: { command: 'node server.mjs' } } };
    const { call } = await inProcess(folderWith({ 'argus.config.json': JSON.stringify(config) }));
    const found = await call('argus_preflight_check', { skip: ['docker', 'disk', 'orphans', 'ports'] });
    expect(found.text).toMatch(/^healthy: ready to set up, nothing runs\. Next: call argus_setup\./);
    expect(found.data).toMatchObject({ environment: 'nothing-runs' });
  });

  it('is the correction of a configuration that cannot be read, at its line, and then the same call', async () => {
    const broken = await inProcess(folderWith({ 'argus.config.json': '{\n  "servces": {}\n}' }));
    const failed = await broken.call('argus_status');
    expect(failed).toMatchObject({
      error: { code: 'CONFIG_INVALID' },
      next: { person: { where: { key: 'servces', line: 2, rename: 'services' } }, tool: 'argus_status' },
    });
  });
});
