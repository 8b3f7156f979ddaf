import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  confirmed,
  newClient,
  olderClient,
  program,
  serverEnv,
  type TestClient,
} from './fixtures/clients.js';
import { leakyProject } from './fixtures/leaky-project.js';
import { folderWith, processProject } from './fixtures/projects.js';
import { until } from './fixtures/until.js';

const noDocker = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };

/** Whether a process is there. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const kinds: [string, (cwd: string) => Promise<TestClient>][] = [
  ['the new SDK in the new era', (cwd) => newClient({ cwd }, 'auto')],
  ['the new SDK in the old era', (cwd) => newClient({ cwd }, 'legacy')],
  ['the older SDK', (cwd) => olderClient({ cwd })],
];

describe.each(kinds)('a client of %s', (kind, connect) => {
  it('brings an environment up, looks at it, and takes it down', async () => {
    const client = await connect(await processProject());
    if (kind.endsWith('new era')) expect(client.version).toBe('2026-07-28');
    const steps: (string | undefined)[] = [];
    const setup = await client.call('argus_setup', {}, { onprogress: ({ message }) => steps.push(message) });
    expect(setup).toMatchObject({
      ok: true,
      isError: false,
      data: { services: [{ name: 'api', status: 'ready' }] },
    });
    expect(setup.text).toMatch(/^The environment is up: api http:\/\/localhost:\d+\.\n<untrusted>\n\{/);
    expect(steps).toEqual(
      expect.arrayContaining(['setup: gate', 'setup: start', 'api starting: starting on process']),
    );

    const status = await client.call('argus_status');
    expect(status).toMatchObject({
      data: { guardian: { pid: client.serverPid(), background: false, alive: true } },
    });

    const refused = await client.call('argus_clean');
    expect(refused).toMatchObject({
      ok: false,
      isError: true,
      error: { code: 'CONFIRMATION_REQUIRED' },
      next: { tool: 'argus_clean', arguments: { dryRun: true } },
    });
    expect(refused.text).toMatch(
      /^CONFIRMATION_REQUIRED: .*Next: call argus_clean {"dryRun":true}\..*\n<untrusted>\n{/,
    );
    expect(await confirmed(client.call, 'argus_clean')).toMatchObject({
      data: { removed: [{ name: 'api' }] },
    });
    expect(await client.call('argus_logs')).toMatchObject({ ok: false, next: { tool: 'argus_setup' } });
  });
});

it.each(['auto', 'legacy'] as const)('asks the person through a client in the era %s', async (mode) => {
  const asked: string[] = [];
  const onAsk = (message: string) => {
    asked.push(message);
    return { action: 'accept', content: { agree: true } };
  };
  const client = await newClient({ cwd: await processProject() }, mode, onAsk);
  await client.call('argus_setup');
  expect(await client.call('argus_clean')).toMatchObject({ ok: true, data: { removed: [{ name: 'api' }] } });
  expect(asked).toEqual([expect.stringContaining('process api')]);
  // Nobody is asked to agree to nothing.
  const idle = await client.call('argus_fix', { only: ['disk.inodes'], yes: true });
  expect(idle).toMatchObject({ ok: true, data: { stopped: 'nothing-to-do' } });
  expect(asked).toHaveLength(1);
  // Which plan was shown comes back with the answer, in both eras.
  const { cwd, leaks } = leakyProject();
  const plumber = await newClient({ cwd }, mode, onAsk);
  const fixed = await plumber.call('argus_fix');
  expect(fixed).toMatchObject({ ok: true, data: { stopped: null } });
  expect(asked.slice(1)).toEqual([expect.stringContaining('close tap:kitchen')]);
  expect(leaks()).toBe('');
});

describe('the tools', () => {
  it('are the operations, in a fixed order, with schemas that hold and all four annotations', async () => {
    const client = await newClient({ cwd: await processProject() });
    const { tools } = await client.listTools();
    expect((await client.listTools()).tools).toEqual(tools);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        [
          'preflight_check',
          'plan_recovery',
          'apply_recovery',
          'reset_circuit',
          'status',
          'build',
          'setup',
          'run',
          'logs',
          'clean',
          'explain',
        ].map((name) => `argus_${name}`),
      ),
    );
    const ajv = new Ajv2020({ strict: false });
    for (const { name, annotations, description, inputSchema, outputSchema } of tools) {
      expect(
        Object.values(annotations as object).filter((one) => typeof one === 'boolean'),
        name,
      ).toHaveLength(4);
      expect(description, name).not.toMatch(/\{[a-z]/);
      ajv.compile(inputSchema as object);
      ajv.compile(outputSchema as object);
    }
    const of = (name: string) => tools.find((one) => one.name === name);
    expect(of('argus_preflight_check')?.inputSchema).toMatchObject({
      properties: {
        autoFix: {},
        skipDiskCheck: {},
        skipOrphanCheck: {},
        only: {},
        skip: {},
        projectPath: {},
      },
    });
    expect(of('argus_setup')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(of('argus_clean')?.annotations).toMatchObject({ destructiveHint: true });
  });

  it('cost an agent little, and still tell what is in an answer', async () => {
    const client = await newClient({ cwd: await processProject() });
    const { tools } = await client.listTools();
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(40_000);
    const ajv = new Ajv2020({ strict: false });
    const calls: [string, object][] = [
      ['argus_status', {}],
      ['argus_preflight_check', {}],
      ['argus_explain', { name: 'PORT_CONFLICT' }],
      ['argus_explain', {}],
      ['argus_config', {}],
      ['argus_plugins', {}],
      ['argus_schema', {}],
      ['argus_logs', {}],
      ['argus_clean', {}],
      ['argus_status', { runId: 'call-0' }],
    ];
    for (const [name, args] of calls) {
      const outputSchema = tools.find((one) => one.name === name)?.outputSchema;
      const { text, isError, ...answer } = await client.call(name, args as Record<string, unknown>);
      const fits = ajv.compile(outputSchema as object);
      expect(fits(answer), `${name}: ${ajv.errorsText(fits.errors)}`).toBe(true);
    }
    const outputSchema = tools.find(({ name }) => name === 'argus_status')?.outputSchema;
    expect(JSON.stringify(outputSchema)).toContain('status: running|paused|exited|missing|unknown');
    expect(JSON.stringify(outputSchema)).toContain('"call"');
  });

  it('are still there without Docker and with a broken configuration, and say what is wrong', async () => {
    const cwd = folderWith({ 'argus.config.yaml': 'servces: {}\n' });
    const client = await newClient({ cwd, env: noDocker });
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    const setup = await client.call('argus_setup');
    expect(setup).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(setup.next).toMatchObject({ person: { where: { key: 'servces' } }, tool: 'argus_setup' });
    expect(await client.call('argus_explain', { name: 'CONFIG_INVALID' })).toMatchObject({ ok: true });
    writeFileSync(join(cwd, 'argus.config.yaml'), 'project: { name: mended }\n');
    expect(await client.call('argus_status')).toMatchObject({ ok: true, data: { project: 'mended' } });
    expect(await client.call('argus_preflight_check', { skipDiskCheck: true })).toMatchObject({ ok: true });
  });

  it('give wrong input and unknown names as errors that say what to do', async () => {
    const client = await newClient({ cwd: await processProject() });
    expect(await client.call('argus_status', { colour: 'red' })).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID' },
    });
    expect(await client.call('argus_logs', { follow: true, tail: 5 })).toMatchObject({
      ok: false,
      next: { tool: 'argus_logs', arguments: { tail: 5 } },
    });
    await expect(client.call('argus_nothing')).rejects.toThrow('There is no tool argus_nothing');
    await expect(client.readResource('argus://nothing')).rejects.toThrow(
      'There is no resource argus://nothing',
    );
  });
});

describe('long work', () => {
  it('is taken back when the client cancels, while other calls are answered', async () => {
    const cwd = await processProject({ isSlow: true });
    const client = await newClient({ cwd });
    const stop = new AbortController();
    let isWaiting = false;
    const setup = client.call(
      'argus_setup',
      {},
      {
        signal: stop.signal,
        onprogress: ({ message = '' }) => {
          isWaiting ||= message.startsWith('api waiting');
        },
      },
    );
    const ended = expect(setup).rejects.toThrow();
    await until('the service waits for its health', () => isWaiting);
    expect(await client.call('argus_status')).toMatchObject({ data: { run: { state: 'starting' } } });
    stop.abort();
    await ended;
    await until('nothing is left', async () => {
      const { data } = await client.call('argus_status');
      return (data as { run: unknown }).run === null;
    });
    expect(await client.call('argus_clean', { dryRun: true, verbose: true })).toMatchObject({
      data: { removed: [] },
    });
  });

  it('that outlives the patience goes on, can be asked for and be stopped', async () => {
    const cwd = await processProject({ isSlow: true });
    const client = await newClient({ cwd, args: ['--patience', '1'] });
    const { pending, next, text } = await client.call('argus_setup');
    expect(pending).toMatchObject({ tool: 'argus_setup' });
    expect(text).toContain('Next: call argus_status');
    const asked = await client.call(next?.tool ?? '', next?.arguments);
    expect(asked).toMatchObject({ ok: true, data: { call: { state: 'running' } } });
    const runId = pending?.runId;
    expect(await client.call('argus_cancel', { runId })).toMatchObject({ data: { state: 'stopping' } });
    await until('the call is done', async () => {
      const { data } = await client.call('argus_status', { runId });
      return (data as { call: { state: string } }).call.state === 'done';
    });
    expect(await client.call('argus_status', { runId })).toMatchObject({
      data: { run: null, call: { result: { ok: false, error: { code: 'CANCELLED' } } } },
    });
    expect(await client.call('argus_status', { runId: 'call-0' })).toMatchObject({ ok: false });
  });

  it('that goes on is told to a second call as this server’s own', async () => {
    const more = { tests: { suites: [{ id: 'smoke', command: 'true' }] } };
    const cwd = await processProject({ isSlow: true, more });
    const client = await newClient({ cwd, args: ['--patience', '1'] });
    const { pending } = await client.call('argus_setup');
    const runId = pending?.runId;
    for (const tool of ['argus_setup', 'argus_run', 'argus_setup', 'argus_setup', 'argus_setup']) {
      const second = await client.call(tool);
      expect(second).toMatchObject({
        ok: false,
        error: { code: 'SETUP_IN_PROGRESS' },
        pending: { runId, tool: 'argus_setup' },
        next: { tool: 'argus_status', arguments: { runId } },
      });
      expect(second.error?.message).toMatch(/^argus_setup of this server is still at work as call-\w+/);
      // To wait for one's own work is not to go round in circles.
      expect(second.escalate).toBeUndefined();
    }
    expect(await confirmed(client.call, 'argus_clean')).toMatchObject({ pending: { runId } });
    const other = await newClient({ cwd, env: client.env });
    expect(await other.call('argus_setup')).toMatchObject({
      error: { code: 'SETUP_IN_PROGRESS', message: expect.stringContaining(`process ${client.serverPid()}`) },
    });
    expect(await client.call('argus_cancel', { runId })).toMatchObject({ data: { state: 'stopping' } });
    await until('the call is done', async () => {
      const { data } = await client.call('argus_status', { runId });
      return (data as { call: { state: string } }).call.state === 'done';
    });
  });

  it('ends with the server, taken back, when the input ends', async () => {
    const cwd = await processProject({ isSlow: true });
    const env = serverEnv();
    const client = await newClient({ cwd, env });
    let isWaiting = false;
    const setup = client.call(
      'argus_setup',
      {},
      {
        onprogress: ({ message = '' }) => {
          isWaiting ||= message.startsWith('api waiting');
        },
      },
    );
    setup.catch(() => undefined);
    await until('the service waits for its health', () => isWaiting);
    const pid = client.serverPid();
    await client.close();
    await until('the server has ended', () => !lives(pid));
    const after = await newClient({ cwd, env });
    expect(await after.call('argus_status')).toMatchObject({ data: { run: null } });
  });

  it('is taken back before a client that goes away ends the server by force, also what does not want to stop', async () => {
    const stubborn = `import { createServer } from 'node:http';
process.on('SIGTERM', () => undefined);
createServer((_, response) => { response.statusCode = 503; response.end(); }).listen(Number(process.env.PORT));`;
    const more = { environment: { stopTimeout: '30s' } };
    const cwd = await processProject({ isSlow: true, more, files: { 'server.mjs': stubborn } });
    const env = serverEnv();
    const client = await newClient({ cwd, env });
    let isWaiting = false;
    const onprogress = ({ message = '' }) => {
      isWaiting ||= message.startsWith('api waiting');
    };
    client.call('argus_setup', {}, { onprogress }).catch(() => undefined);
    await until('the service waits for its health', () => isWaiting);
    // It waits for some seconds and then kills the server.
    await client.close();
    const after = await newClient({ cwd, env });
    expect(await after.call('argus_status')).toMatchObject({ data: { run: null } });
    expect(await after.call('argus_clean', { dryRun: true, verbose: true })).toMatchObject({
      data: { removed: [] },
    });
  });
});

describe('the process', () => {
  it('ends when its input ends, also while it guards, and leaves the environment up', async () => {
    const cwd = await processProject();
    const env = serverEnv();
    const child = spawn(process.execPath, [program], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    send({ id: 1, method: 'initialize', params: initialize });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'argus_setup', arguments: {} } });
    await until('it is up', () => output.includes('"id":2'));
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    expect(await exit).toBe(0);
    const client = await newClient({ cwd, env });
    expect(await client.call('argus_status')).toMatchObject({
      data: { run: { state: 'up', alive: true }, services: [{ status: 'running' }], guardian: null },
    });
    await confirmed(client.call, 'argus_clean');
  });

  it('can be started twice beside each other', async () => {
    const cwd = await processProject();
    const env = serverEnv();
    const [one, other] = await Promise.all([newClient({ cwd, env }), newClient({ cwd, env })]);
    expect(await one.call('argus_setup')).toMatchObject({ ok: true });
    expect(await other.call('argus_setup')).toMatchObject({ ok: true, data: { unchanged: true } });
    expect(await other.call('argus_status')).toMatchObject({ data: { services: [{ status: 'running' }] } });
    await confirmed(other.call, 'argus_clean');
  });

  it.each([
    ['inside a check', 'argus_preflight_check', `check: () => process.exit(7)`, ''],
    ['when it is loaded', 'argus_status', `check: ({ pass }) => pass('well')`, 'process.exit(7);'],
  ])('says which call was under way when a plugin ends it %s', async (_, tool, check, first) => {
    const plugin = `${first}
      export default { name: 'rash', apply({ hooks }) {
        hooks.checkers.tap('rash', (checkers) => checkers.add({ name: 'rash.check', ${check} }));
      } };`;
    const config = JSON.stringify({ project: { name: 'rash' }, plugins: ['./rash.mjs'] });
    const cwd = folderWith({ 'argus.config.json': config, 'rash.mjs': plugin });
    const client = await newClient({ cwd });
    const answer = await client.call(tool);
    expect(answer).toMatchObject({ ok: false, isError: true, error: { code: 'INTERNAL_ERROR' } });
    expect(answer.error?.message).toContain('exit code 7');
    await until('the end is told', () => client.stderr().includes('next: '));
    expect(client.stderr()).toMatch(
      new RegExp(`^error: .*exit code 7.* ${tool} was under way\\ncode: INTERNAL_ERROR\\nnext: .+\\n$`),
    );
    // The next one has a new process, whatever became of the last.
    expect(await client.call('argus_status', { runId: 'call-0' })).toMatchObject({
      error: { code: 'USAGE_INVALID' },
    });
  });

  it('keeps stdout for the protocol, whatever a plugin prints', async () => {
    const plugin = `import { execFileSync, spawn, spawnSync } from 'node:child_process';
      import { writeFileSync, writeSync } from 'node:fs';
      import { Socket } from 'node:net';
      import { Worker } from 'node:worker_threads';
      const inWorker = \`const { writeSync } = require('node:fs');
        writeSync(1, 'noise: worker\\\\n');
        require('node:child_process').execSync('echo noise: its command', { stdio: 'inherit' });\`;
      const socket = new Socket({ fd: 1 });
      const shout = async () => {
        await new Promise((resolve) => new Worker(inWorker, { eval: true }).once('exit', resolve));
        await new Promise((resolve) => socket.write('noise: socket\\n', resolve));
        console.log('noise: console');
        process.stdout.write('noise: stream\\n');
        writeSync(1, 'noise: descriptor\\n');
        writeFileSync(1, 'noise: whole\\n');
        spawnSync('echo', ['noise: command'], { stdio: 'inherit' });
        execFileSync('echo', ['noise: file'], { stdio: ['ignore', 'inherit', 'inherit'] });
        return new Promise((resolve) => spawn('echo', ['noise: child'], { stdio: 'inherit' }).once('close', resolve));
      };
      await shout();
      export default { name: 'noisy', apply({ hooks }) {
        hooks.checkers.tap('noisy', (checkers) => checkers.add({
          name: 'noisy.check', async check({ pass }) { await shout(); return pass('printed'); },
        }));
      } };`;
    const cwd = folderWith({
      'argus.config.json': JSON.stringify({ project: { name: 'loud' }, plugins: ['./noisy.mjs'] }),
      'noisy.mjs': plugin,
    });
    const child = spawn(process.execPath, [program], {
      cwd,
      env: serverEnv(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    send({ id: 1, method: 'initialize', params: initialize });
    send({ id: 2, method: 'tools/call', params: { name: 'argus_preflight_check', arguments: {} } });
    await until('it has answered', () => output.includes('"id":2'));
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.stdin.end();
    await closed;
    const messages = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(messages[1].result.structuredContent).toMatchObject({ ok: true, data: { overall: 'healthy' } });
    const inMain = ['console', 'stream', 'descriptor', 'whole', 'command', 'file', 'child'];
    for (const noise of ['worker', 'its command', 'socket', ...inMain]) {
      expect(errors).toContain(`noise: ${noise}`);
    }
  });
});

describe('the guardian in the background', () => {
  it('tells its log in a line without secrets why it cannot guard', async () => {
    const secret = ['sk', 'very', 'hidden', '1234567890'].join('-');
    const plugin = `throw new Error('no entry with ${secret}');`;
    const config = JSON.stringify({ project: { name: 'shut' }, plugins: ['./shut.mjs'] });
    const cwd = folderWith({ 'argus.config.json': config, 'shut.mjs': plugin });
    const env = serverEnv({ API_TOKEN: secret });
    for (const args of [
      ['guard', '--run', 'none'],
      ['guard', '--colour'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: .* \[[A-Z_]+\]\n$/);
      expect(stderr).not.toContain(secret);
    }
  });

  it('is started by the server and outlives it', async () => {
    const cwd = await processProject();
    const env = serverEnv();
    const client = await newClient({ cwd, env });
    const { data } = await client.call('argus_setup', { guard: true });
    const { guardian } = data as { guardian: { pid: number } };
    await client.close();
    expect(lives(guardian.pid)).toBe(true);
    const other = await newClient({ cwd, env });
    await confirmed(other.call, 'argus_clean');
    await until('the guardian has ended', () => !lives(guardian.pid));
  });
});
