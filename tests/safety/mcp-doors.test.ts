import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  confirmed,
  httpClient,
  newClient,
  program,
  serverEnv,
} from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { inProcess } from '../../packages/adapter-mcp/src/fixtures/in-process.js';
import { folderWith, processProject } from '../../packages/adapter-mcp/src/fixtures/projects.js';
import { until } from '../../packages/adapter-mcp/src/fixtures/until.js';

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

/** A server of its own process that listens somewhere, and what it says. */
async function listening(cwd: string, args: readonly string[], env = serverEnv()) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await until('it listens or says why not', () => /serves at|next: /.test(log));
  return { child, ended, log, env, url: /serves at (\S+)/.exec(log)?.[1] ?? '' };
}

/** A server over HTTP, and a client that has read the token. */
async function overHttp(cwd: string, args: readonly string[] = []) {
  const { url, log, ...server } = await listening(cwd, ['--http', '--port', '0', ...args]);
  const token = /: (\S{43})\n/.exec(log)?.[1] ?? '';
  const client = await httpClient(url, token);
  return { ...server, client, url, log, token };
}

/** The status of a ping, at an address or at a socket. */
function statusOf(to: {
  url?: string;
  socketPath?: string;
  authorization?: string;
}): Promise<number | undefined> {
  const { url = 'http://localhost/mcp', socketPath, authorization } = to;
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization === undefined ? {} : { authorization }),
    };
    request(url, { method: 'POST', headers, ...(socketPath ? { socketPath } : {}) }, (response) =>
      resolve(response.resume().statusCode),
    )
      .once('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  });
}

const rightsOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('the door over HTTP', () => {
  it('asks for the token on loopback too, shows it once, and keeps it for its owner', async () => {
    const cwd = folderWith();
    const { client, url, log, token, env, child, ended } = await overHttp(cwd);
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(await statusOf({ url })).toBe(401);
    expect(await statusOf({ url, authorization: `Bearer ${token.slice(1)}` })).toBe(401);
    const file = join(env.ARGUS_STATE_DIR ?? '', 'mcp-token');
    expect(log).toContain(file);
    expect([readFileSync(file, 'utf8'), rightsOf(file)]).toEqual([`${token}\n`, '600']);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const again = await listening(cwd, ['--http', '--port', '0'], env);
    expect(again.log).not.toContain(token);
    expect(await statusOf({ url: again.url, authorization: `Bearer ${token}` })).toBe(200);
    const given = await listening(cwd, ['--http', '--port', '0'], { ...env, ARGUS_MCP_TOKEN: 'open sesame' });
    expect(await statusOf({ url: given.url, authorization: `Bearer ${token}` })).toBe(401);
    expect(await statusOf({ url: given.url, authorization: 'Bearer open sesame' })).toBe(200);
    // What others could have read is no secret any more.
    chmodSync(file, 0o644);
    const refused = await listening(cwd, ['--http', '--port', '0'], env);
    expect(refused.log).toMatch(
      /^error: .*mcp-token can be read or written by others; remove it.*\ncode: USAGE_INVALID\nnext: remove it, or set ARGUS_MCP_TOKEN/,
    );
    expect(await refused.ended).toBe(2);
    const elsewhere = join(cwd, 'elsewhere');
    renameSync(file, elsewhere);
    chmodSync(elsewhere, 0o600);
    symlinkSync(elsewhere, file);
    const linked = await listening(cwd, ['--http', '--port', '0'], env);
    expect(linked.log).toMatch(/^error: .*mcp-token is a link; remove it, and a new token is made\n/);
  });

  it('has one token, which servers that start at once do not see before it is whole', async () => {
    const cwd = folderWith();
    const env = serverEnv();
    const state = env.ARGUS_STATE_DIR ?? '';
    const starting = Array.from({ length: 6 }, () => listening(cwd, ['--http', '--port', '0'], env));
    const logs = (await Promise.all(starting)).map(({ log }) => log);
    const token = readFileSync(join(state, 'mcp-token'), 'utf8').trim();
    expect(logs.filter((log) => log.includes('shown this once'))).toEqual([expect.stringContaining(token)]);
    expect(logs.filter((log) => log.includes('the token is in'))).toHaveLength(5);
    expect(readdirSync(state).filter((name) => name.startsWith('mcp-token'))).toEqual(['mcp-token']);
  });
});

describe.each([
  ['http', ['--http', '--port', '0']],
  ['socket', ['--socket', 'argus.sock']],
])('the door %s', (_, args) => {
  it('is not opened with a folder for its records that others may write, or that is a link', async () => {
    const cwd = folderWith();
    const env = serverEnv();
    const { ARGUS_STATE_DIR = '' } = env;
    chmodSync(ARGUS_STATE_DIR, 0o777);
    const link = join(cwd, 'state');
    symlinkSync(folderWith(), link);
    for (const given of [env, { ...env, ARGUS_STATE_DIR: link }]) {
      const { log, ended } = await listening(cwd, args, given);
      expect(log).toMatch(/so argus keeps nothing there\ncode: STORE_UNAVAILABLE\nnext: /);
      expect(await ended).toBe(1);
      expect(readdirSync(given.ARGUS_STATE_DIR ?? '')).toEqual([]);
    }
    expect(existsSync(join(cwd, 'argus.sock'))).toBe(false);
  });
});

describe('the door at a socket', () => {
  it('is for its owner only, needs no token, and is gone at the end', async () => {
    const cwd = folderWith();
    const socketPath = join(cwd, 'argus.sock');
    const { child, ended, env } = await listening(cwd, ['--socket', socketPath]);
    expect(rightsOf(socketPath)).toBe('600');
    expect(await statusOf({ socketPath })).toBe(200);
    const second = await listening(cwd, ['--socket', socketPath], env);
    expect(second.log).toContain('code: PORT_CONFLICT\n');
    expect(await statusOf({ socketPath })).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(existsSync(socketPath)).toBe(false);
  });

  it('is taken over from a server that was killed, and from nobody else', async () => {
    const cwd = folderWith();
    const socketPath = join(cwd, 'argus.sock');
    const { child, ended, env } = await listening(cwd, ['--socket', socketPath]);
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(socketPath)).toBe(true);
    const next = await listening(cwd, ['--socket', socketPath], env);
    expect(await statusOf({ socketPath })).toBe(200);
    next.child.kill('SIGTERM');
    await next.ended;
    // Somebody else's, dead as well; and a file.
    const leaver = `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await new Promise((resolve) => spawn(process.execPath, ['-e', leaver]).once('exit', resolve));
    const file = join(cwd, 'notes');
    writeFileSync(file, 'mine');
    for (const path of [socketPath, file]) {
      const refused = await listening(cwd, ['--socket', path], env);
      expect(refused.log).toMatch(
        /^error: .*something is there that no dead argus-mcp has left\ncode: PORT_CONFLICT\n/,
      );
      expect(await refused.ended).toBe(1);
    }
    expect(statSync(socketPath).isSocket()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

/** A plugin with two checks, of which one has this code in it on its sixth line. */
const stickyPlugin = (code: string) => ({
  'system.mjs': `export * from 'node:fs'; export { execSync } from 'node:child_process';`,
  'sticky.mjs': `import { execSync, existsSync } from './system.mjs';
async function check({ pass }) {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const started = Date.now();
  // Here.
  ${code}
  return pass('after ' + (Date.now() - started) + ' ms');
}
const other = ({ pass }) => pass('well');
export default { name: 'sticky', apply({ hooks }) {
  hooks.checkers.tap('sticky', (checkers) => {
    checkers.add({ name: 'sticky.check', check });
    checkers.add({ name: 'sticky.other', check: other });
  });
} };`,
});

const blockingProject = (code: string) =>
  folderWith({
    'argus.config.json': JSON.stringify({ project: { name: 'stuck' }, plugins: ['./sticky.mjs'] }),
    ...stickyPlugin(code),
  });

describe('the word of a model that can ask nobody', () => {
  it('is not enough for anything destructive without the hash of what was shown', async () => {
    const { client, call } = await inProcess(await processProject());
    await call('argus_setup');
    const given: Record<string, object> = {
      argus_run: { command: ['true'] },
      argus_fault_inject: { fault: 'kill-service' },
      argus_clean_foreign: { names: ['container:old'] },
      argus_apply_recovery: { hash: 'made up' },
    };
    const { tools } = await client.listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(destructive.length).toBeGreaterThan(4);
    for (const { name } of destructive) {
      const args = { ...given[name], confirm: true };
      for (const more of name === 'argus_apply_recovery' ? [{}] : [{}, { hash: 'made up' }]) {
        const answer = await call(name, { ...args, ...more });
        expect(['CONFIRMATION_REQUIRED', 'PLAN_STALE'], name).toContain(answer.error?.code);
        // Nobody is handed the hash of what they have not seen.
        if (answer.next) expect(answer, name).not.toHaveProperty('error.details.hash');
      }
    }
    expect(await call('argus_status')).toMatchObject({ data: { services: [{ status: 'running' }] } });
    await confirmed(call, 'argus_clean');
  });

  it('does exactly what was shown, and nothing when that is another thing by now', async () => {
    const { call } = await inProcess(await processProject());
    const empty = await call('argus_clean', { dryRun: true });
    expect(empty).toMatchObject({ data: { dryRun: true }, hash: expect.any(String) });
    expect(empty.data).not.toHaveProperty('removed');
    await call('argus_setup');
    const stale = await call('argus_clean', { confirm: true, hash: empty.hash });
    expect(stale).toMatchObject({
      ok: false,
      error: { code: 'PLAN_STALE' },
      next: { tool: 'argus_clean', arguments: { dryRun: true } },
    });
    const shown = await call(stale.next?.tool ?? '', stale.next?.arguments);
    expect(shown.human).toContain(`confirm: true and the hash ${shown.hash}`);
    expect(shown.text).toContain(shown.hash);
    // For something else it counts as little as for another time.
    const other = await call('argus_clean', { allRuns: true, confirm: true, hash: shown.hash });
    expect(other).toMatchObject({ error: { code: 'PLAN_STALE' } });
    expect(await call('argus_clean', { confirm: true, hash: shown.hash })).toMatchObject({
      ok: true,
      data: { removed: [{ name: 'api' }] },
    });
  });
});

describe('a plugin that blocks for ever', () => {
  const impatient = ['--standstill', '2'];

  it.each(['auto', 'legacy'] as const)(
    'is named with its check and its line, and the next call works, in the era %s',
    async (mode) => {
      const cwd = blockingProject('while (true) {}');
      const client = await newClient({ cwd, args: impatient }, mode);
      const beside = client.call('argus_preflight_check', { only: ['sticky'] });
      const answer = await client.call('argus_preflight_check');
      const blocked = {
        ok: false,
        isError: true,
        error: {
          code: 'PLUGIN_BLOCKED',
          details: {
            plugin: 'sticky',
            checks: ['sticky.check'],
            where: expect.stringMatching(/sticky\.mjs:6$/),
          },
        },
        next: { tool: 'argus_preflight_check', arguments: { skip: ['sticky.check'] } },
      };
      expect(answer).toMatchObject(blocked);
      expect(await beside).toMatchObject(blocked);
      expect(answer.text).toMatch(
        /^PLUGIN_BLOCKED: The plugin sticky in sticky\.check at .*sticky\.mjs:6 held everything up/,
      );
      const next = { ...answer.next?.arguments, verbose: true };
      expect(await client.call(answer.next?.tool ?? '', next)).toMatchObject({
        ok: true,
        data: { overall: 'healthy' },
      });
      expect(client.stderr()).toContain('code: PLUGIN_BLOCKED\n');
    },
  );

  it('is named over HTTP, also where it waits in code that is no JavaScript', async () => {
    const cwd = blockingProject(`execSync('sleep 60');`);
    const { client } = await overHttp(cwd, impatient);
    expect(await client.call('argus_preflight_check')).toMatchObject({
      error: { code: 'PLUGIN_BLOCKED', details: { plugin: 'sticky', checks: ['sticky.check'] } },
    });
    expect(await client.call('argus_config')).toMatchObject({ ok: true });
  });

  it('does not outlive a server that was ended by force', async () => {
    const cwd = blockingProject(`(await import('./system.mjs')).writeFileSync('begun', ''); while (true) {}`);
    const { client, child } = await overHttp(cwd, impatient);
    // The process that works has the same stderr, which is closed when both are gone.
    const bothGone = new Promise((resolve) => child.once('close', resolve));
    const answer = client.call('argus_preflight_check');
    await Promise.all([
      expect(answer).rejects.toThrow(),
      until('it blocks', () => existsSync(join(cwd, 'begun'))).then(() => child.kill('SIGKILL')),
    ]);
    await bothGone;
  });

  it('does not hold back an answer that was given before', async () => {
    const cwd = blockingProject(`const send = process.send.bind(process);
      process.send = (message, ...more) => { send(message, ...more); while (message.result) {} };`);
    const client = await newClient({ cwd, args: ['--standstill', '600'] });
    const answer = await client.call('argus_preflight_check');
    process.kill(client.serverPid(), 'SIGKILL');
    expect(answer).toMatchObject({ ok: true, data: { overall: 'healthy' } });
  });

  it('is named also where it has written to whatever is open, which alone costs nothing', async () => {
    const cwd = blockingProject(`const { writeSync } = await import('./system.mjs');
      writeSync(4, 'x\\nnull\\n{"frames":[{}]}\\nx'); while (existsSync('go')) {}`);
    const client = await newClient({ cwd, args: impatient });
    const check = () => client.call('argus_preflight_check', { only: ['sticky'] });
    expect(await check()).toMatchObject({ ok: true, data: { overall: 'healthy' } });
    writeFileSync(join(cwd, 'go'), '');
    expect(await check()).toMatchObject({
      error: { code: 'PLUGIN_BLOCKED', details: { where: expect.stringMatching(/sticky\.mjs:7$/) } },
    });
  });

  it('leaves nothing half done unsaid: what was under way says so, also to whoever asks later', async () => {
    const cwd = await processProject({
      isSlow: true,
      more: { plugins: ['./sticky.mjs', '@argusai/plugin-process', '@argusai/plugin-ports'] },
      files: stickyPlugin(`while (existsSync('go')) {}`),
    });
    const client = await newClient({ cwd, args: [...impatient, '--patience', '0.5'] });
    const { pending } = await client.call('argus_setup');
    expect(pending).toMatchObject({ tool: 'argus_setup' });
    writeFileSync(join(cwd, 'go'), '');
    expect(await client.call('argus_preflight_check', { only: ['sticky'] })).toMatchObject({
      error: { code: 'PLUGIN_BLOCKED' },
    });
    const { data } = await client.call('argus_status', { runId: pending?.runId });
    expect(data).toMatchObject({
      call: {
        state: 'done',
        result: {
          ok: false,
          error: {
            code: 'PLUGIN_BLOCKED',
            message: expect.stringContaining('what argus_setup had begun was not taken back'),
          },
          next: { tool: 'argus_status' },
        },
      },
    });
    expect(await client.call('argus_clean', { dryRun: true })).toMatchObject({
      data: { removed: [{ type: 'process', name: 'api' }] },
    });
  });
});
