import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  httpClient,
  newClient,
  program,
  serverEnv,
  type TestClient,
} from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { processProject } from '../../packages/adapter-mcp/src/fixtures/projects.js';
import { until } from '../../packages/adapter-mcp/src/fixtures/until.js';
import { leaksIn } from '../../packages/core/src/redact/fixtures/secret-cases.js';
import { argusProgram, runArgus } from '../support/run-command.js';
import { leakingProject, printedLines, suiteCases } from './leaking-project.js';

const timeout = 120_000;

/** The files below a folder, and what is in them. */
function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, name, mode: statSync(path).mode & 0o777, text: readFileSync(path, 'latin1') };
    });
}

/** What `logs --follow` prints until it has come to the end. */
async function followed(cwd: string, env: Record<string, string>): Promise<string> {
  const args = [argusProgram, 'logs', '--follow', '--tail', '1000', '--format', 'ndjson'];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until('everything was said', () => text.includes('#end'));
  child.kill('SIGINT');
  await ended;
  return text;
}

/** The answers of tools that tell of the service, each asked for once. */
async function answers(call: TestClient['call']): Promise<string> {
  const all: unknown[] = [];
  const verbose = { verbose: true };
  for (const [tool, args] of [
    ['argus_logs', { tail: 1_000 }],
    ['argus_status', verbose],
    ['argus_incidents', verbose],
    ['argus_preflight_check', verbose],
    ['argus_config', {}],
  ] as const) {
    const answer = await call(tool, args);
    all.push(answer);
    if (answer.truncated) all.push(await call('argus_more'));
  }
  return JSON.stringify(all);
}

describe('no secret is told', () => {
  it('by any output, whole, coloured, split or cut', { timeout }, async () => {
    const { cwd, state } = await leakingProject({ ill: '' });
    const env = serverEnv({ ARGUS_STATE_DIR: state, ARGUS_MCP_TOKEN: 'open sesame' });
    const argus = async (...args: string[]) => {
      const { stdout, stderr } = await runArgus(args, { cwd, state, env });
      return stdout + stderr;
    };
    onTestFinished(async () => void (await argus('clean')));
    const outputs: Record<string, string> = {};
    for (const format of ['pretty', 'json'])
      outputs[`failed setup, ${format}`] = await argus('setup', '--format', format);
    expect(outputs['failed setup, json']).toContain('HEALTH_CHECK_TIMEOUT');
    rmSync(join(cwd, 'ill'));

    outputs.setup = await argus('setup', '--guard', '--format', 'ndjson');
    outputs.follow = await followed(cwd, env);
    const { client, call } = await overBoth(cwd, env);
    // Into the way of every tool that looks: the service is not well, then it crashes.
    writeFileSync(join(cwd, 'ill'), '');
    outputs['sick check'] = (await argus('check', '--format', 'json')) + (await argus('check'));
    outputs['sick MCP'] = await answers(call);
    rmSync(join(cwd, 'ill'));
    writeFileSync(join(cwd, 'crash'), '');
    await until('the crash was answered', async () =>
      /"attempt":\s*1/.test(await argus('incidents', '--format', 'json')),
    );
    for (const command of ['check', 'status', 'logs', 'incidents', 'config'])
      for (const format of ['pretty', 'json']) {
        const more = command === 'logs' ? ['--tail', '1000'] : [];
        outputs[`${command}, ${format}`] = await argus(command, ...more, '--format', format);
      }
    outputs['check, events'] = await argus('check', '--format', 'ndjson');
    outputs.MCP = await answers(call);
    outputs.HTTP = await answers(client.call);
    outputs['tests, MCP'] = JSON.stringify(await call('argus_run', {}, { timeout: 60_000 }));

    for (const at of printedLines.keys()) expect(outputs.follow).toContain(`"#${at} `);
    expect(outputs['logs, json']).toContain('[redacted]');
    expect(outputs['incidents, json']).toContain('[redacted]');
    expect(outputs.MCP).toContain('[redacted]');
    expect(outputs['tests, MCP'].match(/\[redacted/g)?.length).toBeGreaterThan(suiteCases.length / 2);
    for (const [output, text] of Object.entries(outputs)) expect(leaksIn(text), output).toEqual([]);

    const files = filesIn(state);
    const raw = files.filter(({ name }) => /^output-\d+\.log$/.test(name));
    expect(raw.length).toBeGreaterThan(0);
    for (const { path, mode } of raw) expect(mode, path).toBe(0o600);
    for (const { path, text } of files.filter((one) => !raw.includes(one)))
      expect(leaksIn(text), path).toEqual([]);
    expect(files.some(({ name }) => /^guardian-.*\.log$/.test(name))).toBe(true);
  });

  it('and a name is told although a password is the same', { timeout }, async () => {
    const wordpress = { command: 'node server.mjs', environment: { MYSQL_PASSWORD: 'wordpress' } };
    const said = "console.log('wordpress listens, MYSQL_PASSWORD=wordpress'); setInterval(() => 0, 1_000);";
    const cwd = await processProject({ more: { services: { wordpress } }, files: { 'server.mjs': said } });
    const state = join(cwd, 'state');
    const argus = async (...args: string[]) => {
      const { stdout } = await runArgus([...args, '--format', 'json'], { cwd, state });
      return JSON.parse(stdout).data;
    };
    expect(await argus('setup')).toMatchObject({ services: [{ name: 'wordpress' }] });
    onTestFinished(async () => void (await argus('clean')));
    expect(await argus('status')).toMatchObject({ services: [{ name: 'wordpress' }] });
    expect(await argus('logs', '--service', 'wordpress')).toMatchObject({
      lines: [{ service: 'wordpress', text: 'wordpress listens, MYSQL_PASSWORD=[redacted]' }],
    });
    expect(JSON.stringify(await argus('config'))).not.toMatch(/PASSWORD"[^}]*wordpress/);
  });
});

/** One client over stdio and one over HTTP, of servers of one project. */
async function overBoth(cwd: string, env: Record<string, string>) {
  const { call } = await newClient({ cwd, env });
  const server = spawn(process.execPath, [program, '--http', '--port', '0'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await ended;
  });
  let log = '';
  server.stderr.on('data', (chunk) => {
    log += chunk;
  });
  await until('it listens', () => log.includes('serves at'));
  const client = await httpClient(/serves at (\S+)/.exec(log)?.[1] ?? '', 'open sesame');
  return { client, call };
}
