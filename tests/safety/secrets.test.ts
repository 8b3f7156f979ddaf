import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  httpClient,
  newClient,
  program,
  serverEnv,
} from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { processProject } from '../../packages/adapter-mcp/src/fixtures/projects.js';
import { until } from '../../packages/adapter-mcp/src/fixtures/until.js';
import { leaksIn, secretCases } from '../../packages/core/src/redact/fixtures/secret-cases.js';
import { runArgus } from '../support/run-command.js';
import { leakingProject, leakingTests, linesOf, ordinary, services, share } from './leaking-project.js';
import { filesIn, followed, whole } from './told.js';

const timeout = 120_000;

/** Notes every command line that there is while a test runs, as every user of the machine may. */
function watchCommandLines(everyMs = 200) {
  const seen = new Set<string>();
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      } catch {
        // It has ended since.
      }
  };
  const timer = setInterval(look, everyMs);
  onTestFinished(() => clearInterval(timer));
  return () => [...seen].join('\n');
}

describe('no secret is told', () => {
  it('by any output, whole, coloured, split or cut', { timeout }, async () => {
    const { cwd, state } = await leakingProject({ ill: '' });
    const env = serverEnv({ ARGUS_STATE_DIR: state, ARGUS_MCP_TOKEN: 'open sesame' });
    const commandLines = watchCommandLines();
    const argus = async (...args: string[]) => {
      const { stdout, stderr } = await runArgus(args, { cwd, state, env });
      return stdout + stderr;
    };
    onTestFinished(async () => void (await argus('clean')));
    const outputs: Record<string, string> = {};
    const told = async (when: string, command: string, ...args: string[]) => {
      for (const format of ['pretty', 'json'])
        outputs[`${when}: ${command}, ${format}`] = await argus(command, ...args, '--format', format);
    };
    await told('ill', 'setup');
    expect(outputs['ill: setup, json']).toContain('HEALTH_CHECK_TIMEOUT');
    rmSync(join(cwd, 'ill'));

    writeFileSync(join(cwd, 'breathe'), '');
    outputs.setup = await argus('setup', '--format', 'ndjson');
    outputs.follow = await followed(cwd, env);
    rmSync(join(cwd, 'breathe'));
    const clients = Object.entries(await overBoth(cwd, env));
    const answered = async (when: string, tool: string, args: Record<string, unknown> = {}) => {
      for (const [way, call] of clients)
        outputs[`${when}: ${tool}, ${way}`] = await whole(call, tool, { verbose: true, ...args });
    };
    await told('up', 'logs', '--tail', '1000');
    await answered('up', 'argus_logs', { tail: 1_000 });

    writeFileSync(join(cwd, 'ill'), '');
    for (let round = 0; round < share; round++) {
      writeFileSync(join(cwd, 'round'), String(round));
      await told(`ill ${round}`, 'check');
      await answered(`ill ${round}`, 'argus_preflight_check');
    }
    for (const name of ['ill', 'round']) rmSync(join(cwd, name));

    const crash = () => services.map(({ name }) => writeFileSync(join(cwd, `crash-${name}`), ''));
    const all = (text: string, of: (name: string) => string) =>
      services.every(({ name }) => text.includes(of(name)));
    crash();
    await until('all have crashed', async () => all(await argus('check'), (name) => `${name} has ended`));
    for (const command of ['check', 'status']) await told('crashed', command);
    outputs['crashed: check, events'] = await argus('check', '--format', 'ndjson');
    for (const tool of ['argus_preflight_check', 'argus_status']) await answered('crashed', tool);

    await argus('clean');
    outputs['setup, guarded'] = await argus('setup', '--guard', '--format', 'ndjson');
    crash();
    const incidents = () => argus('incidents', '--last', '100', '--format', 'json');
    await until('all crashes were noted', async () =>
      all(await incidents(), (name) => `{"service":"${name}"`),
    );
    for (const command of ['check', 'status', 'config']) await told('guarded', command);
    await told('guarded', 'incidents', '--last', '100');
    await answered('guarded', 'argus_incidents', { last: 100 });
    for (const tool of ['argus_status', 'argus_preflight_check', 'argus_config'])
      await answered('guarded', tool);

    for (const [output, text] of Object.entries(outputs)) expect(leaksIn(text), output).toEqual([]);
    // Nothing told says something only where there was something to tell, in each of these: so many lines of each service.
    const full = { logs: 1_000, check: 20, incidents: 35 };
    const filled = Object.entries(outputs).flatMap(([output, text]) => {
      const [, part] = /^(?!guarded.*check).*(logs|check|incidents), (?:json|stdio|HTTP)$/.exec(output) ?? [];
      return part === undefined ? [] : [{ output, text, most: full[part as keyof typeof full] }];
    });
    expect(filled).toHaveLength(3 * (1 + share + 1 + 1));
    for (const { output, text, most } of filled) {
      const lines = services.map(({ cases }) => Math.min(most, linesOf(cases).length));
      const least = lines.reduce((sum, count) => sum + count);
      expect(text.split('[redacted').length, output).toBeGreaterThan(least);
    }
    expect(leaksIn(commandLines())).toEqual([]);
    for (const program of ['say.mjs', 'keeper', 'mock-server', 'guard', 'argus-mcp'])
      expect(commandLines()).toContain(program);
    expect(commandLines()).not.toContain(ordinary);
    const files = filesIn(state);
    const raw = files.filter(({ name }) => /^output-\d+\.log$/.test(name));
    expect(raw.length).toBeGreaterThan(0);
    for (const { path, mode } of raw) expect(mode, path).toBe(0o600);
    for (const { path, text } of files.filter((one) => !raw.includes(one)))
      expect(leaksIn(text), path).toEqual([]);
    expect(files.some(({ name }) => /^guardian-.*\.log$/.test(name))).toBe(true);
  });

  it('by what is told of tests', { timeout }, async () => {
    const commandLines = watchCommandLines(20);
    const ways = (['stdio', 'HTTP'] as const).map(async (way) => {
      const env = serverEnv({ ARGUS_MCP_TOKEN: 'open sesame' });
      const { [way]: call } = await overBoth(await leakingTests(), env);
      const text = await whole(call, 'argus_run', { verbose: true });
      expect(leaksIn(text), way).toEqual([]);
      for (const at of secretCases.keys()) expect(text, way).toContain(`"leak-${at}"`);
      expect(text.match(/\[redacted/g)?.length, way).toBeGreaterThan(secretCases.length / 2);
    });
    await Promise.all(ways);
    expect(commandLines()).toContain('.suite');
    expect(leaksIn(commandLines())).toEqual([]);
    expect(commandLines()).not.toContain(ordinary);
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
    const { call } = await newClient({ cwd, env: { ARGUS_STATE_DIR: state } });
    for (const [tool, place] of Object.entries({ argus_status: 'name', argus_logs: 'service' }))
      expect(JSON.stringify(await call(tool, { verbose: true })), tool).toContain(`"${place}":"wordpress"`);
    const checks = JSON.stringify(await argus('check'));
    expect(checks).toContain('process.services');
    expect(checks).not.toContain('[redacted]');
    expect(await argus('clean')).toMatchObject({ removed: [{ name: 'wordpress', service: 'wordpress' }] });
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
  return { stdio: call, HTTP: client.call };
}
