import { describe, expect, it } from 'vitest';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { loadConfig } from '../config/load-config.js';
import { definePlugin } from '../model/plugin.js';
import { buildKernel } from '../testing/build-kernel.js';
import { config } from './config.js';
import { runOperation } from './run-operation.js';

const builtins = { '@argusai/plugin-a': async () => definePlugin({ name: 'a', apply: () => undefined }) };

async function shown(files: Record<string, string>, input: object = {}) {
  const dir = projectFolder(files);
  const loaded = await loadConfig({ cwd: dir, builtins });
  const kernel = buildKernel({
    plugins: loaded.plugins,
    dir,
    origin: loaded,
    config: loaded.raw as Record<string, unknown>,
  });
  return { dir, envelope: await runOperation(kernel, config, input) };
}

async function data(files: Record<string, string>, input: object = {}) {
  const { envelope } = await shown(files, input);
  if (!envelope.ok) throw new Error(envelope.error.message);
  const { sources, ...rest } = envelope.data;
  return { ...rest, sources: Object.fromEntries(sources.map(({ path, ...source }) => [path, source])) };
}

const yaml = `project:
  name: shop
services:
  api:
    command: node server.mjs
    ports:
      - "8080:3000"
    healthcheck:
      http: /health
      interval: 2s
`;

describe('config', () => {
  it('tells the line of each value that the file gives, and that the others are defaults', async () => {
    const { file, config: all, sources } = await data({ 'argus.config.yaml': yaml });
    expect(file).toMatch(/argus\.config\.yaml$/);
    expect(all).toMatchObject({ services: { api: { healthcheck: { interval: 2000, timeout: 5000 } } } });
    expect(sources).toMatchObject({
      'services.api.command': { from: 'file', line: 5 },
      // One text stands for all of these.
      'services.api.ports[0].host': { from: 'file', line: 7 },
      'services.api.ports[0].protocol': { from: 'file', line: 7 },
      'services.api.healthcheck.interval': { from: 'file', line: 10, written: '2s' },
      'services.api.healthcheck.timeout': { from: 'default', written: '5s' },
      'services.api.vars': { from: 'default' },
      'policy.autonomy': { from: 'default' },
      'resilience.preflight.diskSpaceThreshold': { from: 'default', written: '2GB' },
    });
  });

  it('takes a range of ports for what its one line says', async () => {
    const text = 'services:\n  api:\n    image: x\n    ports:\n      - "80-81:80-81"\n      - "90:90"\n';
    const { sources } = await data({ 'argus.config.yaml': text }, { only: 'services.api.ports' });
    expect(sources['services.api.ports[2].host']).toEqual({ from: 'file', line: 4 });
  });

  it('shows the defaults when there is no file, with the built-in plugins by name', async () => {
    const { file, config: all, sources } = await data({});
    expect(file).toBeNull();
    expect(all).toMatchObject({ plugins: ['@argusai/plugin-a'], policy: { autonomy: 'moderate' } });
    expect(new Set(Object.values(sources).map(({ from }) => from))).toEqual(new Set(['default']));
  });

  it('knows no lines of a file that is code, and shows a plugin in it by its name', async () => {
    const code = `export default { plugins: [[{ name: 'own', apply() {} }, {}]], policy: { autonomy: 'full' } };\n`;
    const { config: all, sources } = await data({ 'argus.config.mjs': code });
    expect(all).toMatchObject({ plugins: [['own', {}]] });
    expect(sources).toMatchObject({ 'policy.autonomy': { from: 'file' }, 'plugins[0][0]': { from: 'file' } });
    expect(sources['policy.autonomy']).not.toHaveProperty('line');
  });

  it('shows only the section or the part of one that is asked for', async () => {
    const { config: part, sources } = await data(
      { 'argus.config.yaml': yaml },
      { only: 'services.api.healthcheck' },
    );
    expect(Object.keys(part)).toEqual(['services']);
    expect(Object.keys(sources)).toEqual(
      ['http', 'interval', 'timeout', 'retries', 'startPeriod'].map(
        (key) => `services.api.healthcheck.${key}`,
      ),
    );
  });

  it.each([
    ['servics', 'did you mean services?'],
    ['services.apj', 'did you mean services.api?'],
    ['project.name.first', 'there is nothing below it'],
    ['zzzzzzzzzz', 'there are project, plugins'],
  ])('refuses --only %s', async (only, hint) => {
    const { envelope } = await shown({ 'argus.config.yaml': yaml }, { only });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
    expect(envelope.ok ? '' : envelope.error.message).toContain(hint);
  });

  it('removes secrets, and still tells where they come from', async () => {
    const password = ['hunter', '2'.repeat(8)].join('');
    const text = `services:\n  api:\n    image: x\n    environment:\n      DB_PASSWORD: ${password}\n      APP_SECRETS: ${password}\n      URL: "db://u:${password}@db/x"\n`;
    const answer = await data({ 'argus.config.yaml': text });
    expect(JSON.stringify(answer)).not.toContain(password);
    expect(answer.sources).toMatchObject({
      'services.api.environment.DB_PASSWORD': { from: 'file', line: 5 },
      'services.api.environment.APP_SECRETS': { from: 'file', line: 6 },
    });
  });
});
