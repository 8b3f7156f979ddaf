import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newClient, program, serverEnv } from './fixtures/clients.js';
import { folderWith } from './fixtures/projects.js';
import { until } from './fixtures/until.js';

const secret = 'Svc-S3cret-2';

/** A project whose plugin has some code in its `apply` and in its check, where `error` quotes a secret of the configuration. */
function rashProject({ apply = '', check = '' }: { readonly apply?: string; readonly check?: string }) {
  return folderWith({
    'argus.config.json': JSON.stringify({
      project: { name: 'rash' },
      plugins: ['./rash.mjs'],
      services: { api: { command: 'sleep 1', environment: { DB_PASSWORD: secret } } },
    }),
    'rash.mjs': `import { existsSync } from 'node:fs';
    export default { name: 'rash', apply({ hooks, config }) {
      const error = new Error('quotes ' + config.services.api.environment.DB_PASSWORD);
      ${apply}
      hooks.checkers.tap('rash', (checkers) => checkers.add({
        name: 'rash.check',
        check: ({ pass }) => new Promise((resolve) => {
          const end = () => resolve(pass('well'));
          ${check}
        }),
      }));
    } };`,
  });
}

const crash = 'setTimeout(() => { setImmediate(end); throw error; }, 1);';

describe('a plugin that crashes during a call', () => {
  it('costs no result, is told without secrets and in no later call, and is no pass', async () => {
    const client = await newClient({ cwd: rashProject({ check: crash }) });
    const told = { code: 'INTERNAL_ERROR', message: '[output 1]' };
    for (let time = 0; time < 2; time += 1) {
      const answer = await client.call('argus_preflight_check', { verbose: true });
      expect(answer).toMatchObject({
        ok: true,
        data: { overall: 'degraded', checks: [{ name: 'rash.check', status: 'pass' }], notices: [told] },
        notices: [told],
        untrusted: { 'output 1': 'quotes [redacted]' },
      });
      expect(answer.notices).toHaveLength(1);
      expect(answer.text).toMatch(/^degraded[.:][^\n]*\nNotice INTERNAL_ERROR: \[output 1\]\./);
    }
    expect((await client.call('argus_plugins')).notices).toBeUndefined();
    await until('the log has it', () => client.stderr().includes('quotes'));
    expect(client.stderr()).toContain('argus-mcp: left unhandled by a plugin: quotes [redacted]\n');
    expect(client.stderr()).not.toContain(secret);
  });

  it('is told with the result of a call that outlived the patience', async () => {
    const check = `const waiting = setInterval(() => {
      if (!existsSync('go')) return;
      clearInterval(waiting);
      setImmediate(end);
      throw error;
    }, 10);`;
    const cwd = rashProject({ check });
    const client = await newClient({ cwd, args: ['--patience', '0.1'] });
    const { pending } = await client.call('argus_preflight_check');
    writeFileSync(join(cwd, 'go'), '');
    const ask = async () =>
      (await client.call('argus_status', { runId: pending?.runId })) as {
        data: { call: { state: string; result: unknown } };
        untrusted?: object;
      };
    await until('it is done', async () => (await ask()).data.call.state === 'done');
    expect(await ask()).toMatchObject({
      data: {
        call: {
          result: {
            data: { overall: 'degraded' },
            notices: [{ code: 'INTERNAL_ERROR', message: '[output 1]' }],
          },
        },
      },
      untrusted: { 'output 1': 'quotes [redacted]' },
    });
  });
});

describe('what else a plugin throws', () => {
  it('is told to the log without secrets, where nobody has waited for it', async () => {
    const client = await newClient({ cwd: rashProject({ check: 'Promise.reject(error); end();' }) });
    expect(await client.call('argus_preflight_check')).toMatchObject({ data: { overall: 'healthy' } });
    await until('the log has it', () => client.stderr().includes('quotes'));
    expect(client.stderr()).toBe('argus-mcp: left unhandled by a plugin: quotes [redacted]\n');
  });

  it('is told without secrets where it cannot be applied', async () => {
    const client = await newClient({ cwd: rashProject({ apply: 'throw error;' }) });
    const { text, error } = await client.call('argus_preflight_check');
    expect(error).toMatchObject({ code: 'PLUGIN_INVALID', message: 'Plugin rash: quotes [redacted]' });
    expect(text).not.toContain(secret);
  });

  it('is told without secrets in the log of a guardian', () => {
    for (const apply of ['throw error;', 'queueMicrotask(() => { throw error; });']) {
      const { status, stderr } = spawnSync(process.execPath, [program, 'guard', '--run', 'none'], {
        cwd: rashProject({ apply }),
        env: serverEnv(),
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: .*quotes \[redacted\] \[[A-Z_]+\]\n$/);
    }
  });
});
