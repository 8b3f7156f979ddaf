import { describe, expect, it } from 'vitest';
import { inProcess } from '../../packages/adapter-mcp/src/fixtures/in-process.js';
import { folderWith } from '../../packages/adapter-mcp/src/fixtures/projects.js';

/** JSON that is nested so deep. */
const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('what a client sends', () => {
  it('is refused as wrong parameters where it is too deep, too long or too much, and the server goes on', async () => {
    const { client, call } = await inProcess(folderWith());
    const explain = (name: unknown) => client.callTool({ name: 'argus_explain', arguments: { name } });
    for (const excess of [nested(3_000), nested(50), 'a'.repeat(400_000), Array(20_000).fill(0)]) {
      await expect(explain(excess)).rejects.toMatchObject({ code: -32_602 });
    }
    for (const method of [
      () => client.callTool({ name: 'a'.repeat(400_000), arguments: {} }),
      () => client.readResource({ uri: `argus://errors/${'a'.repeat(400_000)}` }),
      () => client.getPrompt({ name: 'a'.repeat(400_000) }),
    ]) {
      await expect(method()).rejects.toMatchObject({ code: -32_602 });
    }
    expect(await call('argus_explain', { name: 'PORT_CONFLICT' })).toMatchObject({ ok: true });
  });

  it('is compared with known names only as far as anybody could mistype one', async () => {
    const { call } = await inProcess(folderWith());
    const name = 'DOCKER_UNAVAILABLE'.repeat(5_000);
    expect(await call('argus_explain', { name })).toMatchObject({ error: { code: 'USAGE_INVALID' } });
  });
});

/** A project whose plugin has some code in its check, and something in front of it. */
function blockingProject(check: string, apply = '') {
  return folderWith({
    'argus.config.json': JSON.stringify({ project: { name: 'stuck' }, plugins: ['./sticky.mjs'] }),
    'sticky.mjs': `import { execSync } from 'node:child_process';
      export default { name: 'sticky', apply({ hooks }) {
        ${apply}
        hooks.checkers.tap('sticky', (checkers) => checkers.add({ name: 'sticky.check', async check({ pass }) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          ${check}
          return pass('well');
        } }));
      } };`,
  });
}

describe('a plugin that blocks for ever', () => {
  const impatient = ['--standstill', '2'];

  it.each(['auto', 'legacy'] as const)('is named with its check and its line, and the next call works, in the era %s', async (mode) => {
    const cwd = blockingProject('while (true) {}');
    const client = await newClient({ cwd, args: impatient }, mode);
    const pid = client.serverPid();
    const beside = client.call('argus_preflight_check', { only: ['sticky'] });
    const answer = await client.call('argus_preflight_check');
    const blocked = {
      ok: false,
      isError: true,
      error: {
        code: 'PLUGIN_BLOCKED',
        details: { plugin: 'sticky', checks: ['sticky.check'], where: expect.stringMatching(/sticky\.mjs:6$/) },
      },
      next: { tool: 'argus_preflight_check', arguments: { skip: ['sticky.check'] } },
    };
    expect(answer).toMatchObject(blocked);
    expect(await beside).toMatchObject(blocked);
    expect(answer.text).toMatch(/^PLUGIN_BLOCKED: The plugin sticky in sticky\.check at .*sticky\.mjs:6 held everything up/);
    expect(await client.call(answer.next?.tool ?? '', answer.next?.arguments)).toMatchObject({
      ok: true,
      data: { checks: [{ status: 'pass' }] },
    });
    expect(client.serverPid()).not.toBe(pid);
    expect(client.stderr()).toContain('code: PLUGIN_BLOCKED\n');
  });

  it('is named over HTTP, also where it waits in code that is no JavaScript', async () => {
    const cwd = blockingProject(`execSync('sleep 60');`);
    const { client } = await overHttp(cwd, impatient);
    const call = async (name: string, args = {}) =>
      called((await client.callTool({ name, arguments: args })) as never);
    expect(await call('argus_preflight_check')).toMatchObject({
      error: { code: 'PLUGIN_BLOCKED', details: { plugin: 'sticky', checks: ['sticky.check'] } },
    });
    expect(await call('argus_config')).toMatchObject({ ok: true });
  });
});
