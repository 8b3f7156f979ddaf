import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Clock, createMemoryStore, systemClock } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { type Engine, startPrivateEngine } from '../../../../tests/support/engine.js';
import { engineProcess } from '../../../../tests/support/engine-process.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { clientRig, signal } from '../fixtures/client-rig.js';
import { countingDocker } from '../fixtures/counting-docker.js';
import { createDockerClient } from './create-docker-client.js';
import type { DockerClient, OutputLine } from './docker-client.js';

describe('a client without an engine', () => {
  it('says that Docker is not installed where there is no client', async () => {
    const { client } = clientRig({ env: { PATH: await emptyFolder() } });
    await expect(client.run(['ps'], { signal })).rejects.toMatchObject({
      error: {
        code: 'DOCKER_UNAVAILABLE',
        category: 'infrastructure',
        severity: 'fatal',
        message: expect.stringContaining('not installed'),
        details: { reason: 'not-installed', endpoint: 'unix:///var/run/docker.sock' },
      },
    });
  });

  it('counts no fault of the daemon where there is no client to ask it', async () => {
    const { client, state } = clientRig({ env: { PATH: await emptyFolder() } });
    for (let count = 1; count <= 6; count += 1) {
      await expect(client.run(['ps'], { signal })).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
    }
    expect(await state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it('says which endpoint was tried where nothing listens', async () => {
    const host = `unix://${join(await emptyFolder(), 'docker.sock')}`;
    const { client } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
    await expect(client.run(['ps'], { signal })).rejects.toMatchObject({
      error: {
        code: 'DOCKER_UNAVAILABLE',
        details: { reason: 'not-running', endpoint: host, output: expect.stringContaining('Cannot connect') },
      },
    });
    expect(await client.endpoint(signal)).toBe(host);
  });

  it('knows the endpoint of the context that the user has chosen', async () => {
    const home = await emptyFolder();
    const env = { PATH: process.env.PATH, HOME: home, DOCKER_CONFIG: home };
    const { client } = clientRig({ env });
    expect(await client.endpoint(signal)).toBe('unix:///var/run/docker.sock');
    const args = ['context', 'create', 'far', '--docker', 'host=tcp://127.0.0.1:1'];
    await client.run(args, { signal });
    const there = clientRig({ env: { ...env, DOCKER_CONTEXT: 'far' } });
    expect(await there.client.endpoint(signal)).toBe('tcp://127.0.0.1:1');
    await expect(there.client.run(['ps'], { signal })).rejects.toMatchObject({
      error: { details: { reason: 'not-running', endpoint: 'tcp://127.0.0.1:1' } },
    });
  });

  it('opens no circuit for those who speak to another one', async () => {
    const store = createMemoryStore();
    const host = `unix://${await emptyFolder()}/gone.sock`;
    const at = (DOCKER_HOST: string) => clientRig({ store, env: { ...process.env, DOCKER_HOST } });
    const dead = at(host);
    for (let i = 0; i < 5; i += 1) await dead.client.run(['ps'], { signal }).catch(() => undefined);
    expect(await dead.state()).toMatchObject({ name: 'docker', state: 'open' });
    expect(await at(host).state()).toMatchObject({ name: 'docker', state: 'open' });
    expect(await at(`${host}-other`).state()).toMatchObject({ name: 'docker', state: 'closed' });
  });

  it('opens the circuit after five calls; the sixth fails without calling', async () => {
    const host = `unix://${join(await emptyFolder(), 'docker.sock')}`;
    const { env, calls } = await countingDocker({ DOCKER_HOST: host });
    const { client, state } = clientRig({ env });
    const ask = () => client.run(['ps'], { signal });
    for (let call = 1; call <= 5; call += 1) {
      await expect(ask()).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
    }
    expect(await state()).toMatchObject({ state: 'open', failureCount: 5 });

    await expect(ask()).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    await expect(client.follow(['build', '.'], { signal, onLine: ignore })).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
    });
    await expect(firstOf(client.lines(['events'], { signal }))).rejects.toMatchObject({
      code: 'CIRCUIT_OPEN',
    });

    expect(await calls()).toHaveLength(5);
  });

  it('may be asked whether it is back as often as one likes, unless the circuit is open', async () => {
    const host = `unix://${join(await emptyFolder(), 'docker.sock')}`;
    const { env, calls } = await countingDocker({ DOCKER_HOST: host });
    const { client, state } = clientRig({ env });
    for (let count = 1; count <= 6; count += 1) {
      await expect(client.answers(signal)).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
    }
    expect(await state()).toMatchObject({ state: 'closed', failureCount: 0 });
    for (let count = 1; count <= 5; count += 1) await client.run(['ps'], { signal }).catch(() => undefined);
    const before = (await calls()).length;
    await expect(client.answers(signal)).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(await calls()).toHaveLength(before);
  });

  it('counts it as one fault or two when ten commands end with it', async () => {
    const host = `unix://${join(await emptyFolder(), 'docker.sock')}`;
    const { client, state } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
    const ended = await Promise.allSettled(
      Array.from({ length: 10 }, () => client.follow(['exec', 'any', 'true'], { signal })),
    );
    expect(ended.map((one) => one.status)).toEqual(Array(10).fill('rejected'));
    const { failureCount = 0 } = (await state()) ?? {};
    expect(failureCount).toBeGreaterThanOrEqual(1);
    expect(failureCount).toBeLessThan(5);
  });

  it('counts a command with the output of others only when the daemon itself does not answer', async () => {
    const host = `unix://${join(await emptyFolder(), 'docker.sock')}`;
    const { client, state } = clientRig({ env: { ...process.env, DOCKER_HOST: host } });
    const following = client.follow(['run', testImage], { signal, onLine: ignore });
    await expect(following).rejects.toMatchObject({ error: { details: { reason: 'not-running' } } });
    expect(await state()).toMatchObject({ failureCount: 1 });
  });

  it('does not wait for a helper that outlives a client which was ended', async () => {
    const folder = await emptyFolder();
    const program = join(folder, 'docker');
    await writeFile(program, `#!/bin/sh\nsleep 100 & echo $! > '${folder}/pid'; wait\n`);
    await chmod(program, 0o755);
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, DOCKER_HOST: 'unix:///nowhere.sock' };
    const { client } = clientRig({ env });
    const asking = client.run(['ps'], { signal, timeoutMs: 500 });
    await expect(asking).rejects.toMatchObject({ error: { details: { reason: 'hung' } } });
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  it('takes a client that its terminal has ended for cancelled with the caller, whoever hears of it first', async () => {
    const folder = await emptyFolder();
    // It ends as the client does at Ctrl-C, and says when; the caller is told only then.
    const script = '#!/bin/sh\necho interrupted >&2\nexit 130\n';
    await writeFile(join(folder, 'docker'), script, { mode: 0o755 });
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const caller = new AbortController();
    const clock: Clock = {
      ...systemClock,
      after(ms, callback, options) {
        if (ms === 250) setImmediate(() => caller.abort(new Error('told to stop')));
        return systemClock.after(ms, callback, options);
      },
    };
    const { client } = clientRig({ env, clock });
    await expect(client.run(['ps'], { signal: caller.signal })).rejects.toThrow('told to stop');
  });

  it('does nothing for a caller that has gone', async () => {
    const { env, calls } = await countingDocker();
    const { client } = clientRig({ env });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(client.run(['ps'], { signal: gone })).rejects.toThrow('gone');
    expect(await calls()).toEqual([]);
  });
});

describeWithEngine('a client with an engine', ({ host }) => {
  const env = { ...process.env, DOCKER_HOST: host };
  const { client, state } = clientRig({ env });
  const made: string[] = [];
  const container = async (...args: string[]) => {
    const id = (await client.run(['run', '--detach', ...args], { signal })).trim();
    made.push(id);
    return id;
  };
  beforeAll(() => makeTestImage(host));
  afterAll(() => client.run(['rm', '--force', '--volumes', ...made], { signal, timeoutMs: 60_000 }));

  it('gives what a command says', async () => {
    expect(await client.run(['version', '--format', '{{.Server.Version}}'], { signal })).toMatch(/^\d+\./);
  });

  it('hands input to a command', async () => {
    const args = ['run', '--rm', '--interactive', testImage, 'cat'];
    expect(await client.run(args, { signal, input: 'hello' })).toBe('hello');
  });

  it('looks at many objects with one start of the client and leaves out those that do not exist', async () => {
    const { env: counted, calls } = await countingDocker({ DOCKER_HOST: host });
    const ids = [await container(testImage, 'sleep', '60'), await container(testImage, 'sleep', '60')];
    const asking = clientRig({ env: counted }).client;
    const found = await asking.inspect<{ Id: string }>('container', [...ids, 'nope'], { signal });
    expect(found.map(({ Id }) => Id)).toEqual(ids);
    for (const type of ['container', 'network', 'volume'] as const) {
      expect(await asking.inspect(type, ['nope'], { signal })).toEqual([]);
    }
    expect(await calls()).toEqual(['system dial-stdio']);
  });

  it('shares its line for looks with the others of a kernel', async () => {
    const { env: counted, calls } = await countingDocker({ DOCKER_HOST: host });
    const { client: one, circuits } = clientRig({ env: counted });
    const other = createDockerClient({ circuits, clock: systemClock, env: counted });
    await Promise.all([one, other].map((asking) => asking.inspect('network', ['nope'], { signal })));
    expect(await calls()).toEqual(['system dial-stdio']);
  });

  it('goes where the client goes, also when only the client knows the way', async () => {
    const config = await mkdtemp(join(tmpdir(), 'argus-context-'));
    onTestFinished(() => rm(config, { recursive: true, force: true }));
    const { DOCKER_HOST: _, ...rest } = process.env;
    const way = { ...rest, DOCKER_CONFIG: config, DOCKER_CONTEXT: 'there' };
    const making = ['context', 'create', 'there', '--docker', `host=${host}`];
    await promisify(execFile)('docker', making, { env: { ...rest, DOCKER_CONFIG: config } });
    const id = await container(testImage, 'sleep', '60');
    const found = await clientRig({ env: way }).client.inspect<{ Id: string }>('container', [id], { signal });
    expect(found.map(({ Id }) => Id)).toEqual([id]);
  });

  it('inspects many objects in one call where the client can keep no line open', async () => {
    const { env: counted, calls } = await countingDocker({ DOCKER_HOST: host }, ['system']);
    const ids = [await container(testImage, 'sleep', '60'), await container(testImage, 'sleep', '60')];
    const asking = clientRig({ env: counted }).client;
    const found = await asking.inspect<{ Id: string }>('container', [...ids, 'nope'], { signal });
    expect(found.map(({ Id }) => Id)).toEqual(ids);
    expect(await calls()).toEqual(['system dial-stdio', expect.stringMatching(/^container inspect/)]);
    for (const type of ['container', 'image', 'network', 'volume'] as const) {
      expect(await asking.inspect(type, ['nope'], { signal })).toEqual([]);
    }
    expect((await calls()).filter((call) => call.startsWith('system'))).toHaveLength(1);
  });

  it('asks nobody about nothing', async () => {
    const { env: counted, calls } = await countingDocker();
    expect(await clientRig({ env: counted }).client.inspect('container', [], { signal })).toEqual([]);
    expect(await calls()).toEqual([]);
  });

  const answers: [string, string[], object][] = [
    ['DOCKER_OBJECT_MISSING', ['rm', 'nope'], { command: 'docker rm' }],
    ['DOCKER_OBJECT_MISSING', ['network', 'rm', 'nope'], { command: 'docker network rm' }],
    [
      'DOCKER_COMMAND_FAILED',
      ['run', '--rm', testImage, 'nope'],
      { command: 'docker run', reason: 'command-missing', exitCode: 127 },
    ],
    ['DOCKER_COMMAND_FAILED', ['ps', '--nope'], { command: 'docker ps', reason: 'invalid' }],
    ['DOCKER_COMMAND_FAILED', ['network', 'rm', 'bridge'], { command: 'docker network rm' }],
    [
      'IMAGE_UNAVAILABLE',
      ['pull', '127.0.0.1:1/nope'],
      { command: 'docker pull', reason: 'registry-unreachable' },
    ],
  ];
  it.each(answers)('gives an ordinary answer its code: %s for %j', async (code, args, details) => {
    await expect(client.run(args, { signal })).rejects.toMatchObject({ code, error: { details } });
    expect(await state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it('says that a name is taken', async () => {
    const name = `argus-client-${process.pid}`;
    await container('--name', name, testImage, 'sleep', '60');
    await expect(client.run(['create', '--name', name, testImage], { signal })).rejects.toMatchObject({
      code: 'DOCKER_NAME_TAKEN',
      message: expect.stringContaining(`"/${name}" is already in use`),
    });
  });

  it('says which port is taken, by a program or by another container', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const name = `argus-port-${process.pid}`;
    onTestFinished(async () => void (await client.run(['rm', '--force', name], { signal })));
    const args = [
      'run',
      '--detach',
      '--name',
      name,
      '--publish',
      `127.0.0.1:${port}:80`,
      testImage,
      'sleep',
      '60',
    ];
    await expect(client.run(args, { signal, service: 'web' })).rejects.toMatchObject({
      error: { code: 'PORT_CONFLICT', details: { service: 'web', port, protocol: 'tcp' } },
    });

    const holder = await container('--publish', '127.0.0.1::80', testImage, 'sleep', '60');
    const held = (await client.run(['port', holder, '80/tcp'], { signal })).trim();
    const again = ['run', '--rm', '--publish', `${held}:80`, testImage, 'true'];
    await expect(client.run(again, { signal })).rejects.toMatchObject({
      error: { code: 'PORT_CONFLICT', details: { port: Number(held.split(':')[1]) } },
    });
  });

  it('keeps arguments out of errors, because they may hold secrets', async () => {
    const args = ['run', '--rm', '--env', 'TOKEN=hush-hush', '--pull', 'never', 'nope'];
    const thrown = await client.run(args, { signal }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'DOCKER_OBJECT_MISSING' });
    expect(JSON.stringify(thrown)).not.toContain('hush');
  });

  it('does not blame the daemon for what a program in a container says', async () => {
    const id = await container(testImage, 'sleep', '60');
    const lie =
      'echo "Cannot connect to the Docker daemon at x. Is the docker daemon running?" >&2; exit 255';
    const lines: string[] = [];
    const followed = await client.follow(['exec', id, 'sh', '-c', lie], {
      signal,
      onLine: (line, stream) => lines.push(`${stream}: ${line}`),
    });
    expect(followed).toMatchObject({ exitCode: 255, stderr: expect.stringContaining('Cannot connect') });
    expect(lines).toEqual([expect.stringContaining('stderr: Cannot connect')]);
    await expect(client.run(['exec', id, 'sh', '-c', lie], { signal })).rejects.toMatchObject({
      error: { code: 'DOCKER_COMMAND_FAILED', details: { reason: 'failed', exitCode: 255 } },
    });
    expect(await state()).toMatchObject({ failureCount: 0 });
  });

  it('follows a command line by line and gives its exit code', async () => {
    const lines: string[] = [];
    const args = ['run', '--rm', '--env', 'WORD', testImage, 'sh', '-c', 'echo $WORD; echo two >&2; exit 3'];
    const { exitCode } = await client.follow(args, {
      signal,
      env: { WORD: 'one' },
      onLine: (line, stream) => lines.push(`${stream}: ${line}`),
    });
    expect(exitCode).toBe(3);
    expect(lines.sort()).toEqual(['stderr: two', 'stdout: one']);
  });

  it('says that a command took too long when the daemon is not to blame', async () => {
    const late = clientRig({ env, timeoutMs: 1_000 });
    const id = await container(testImage, 'sleep', '60');
    const waiting = late.client.run(['exec', id, 'sleep', '60'], { signal, timeoutMs: 300 });
    await expect(waiting).rejects.toMatchObject({
      error: { code: 'DOCKER_COMMAND_FAILED', details: { reason: 'timeout', command: 'docker exec' } },
    });
    expect(await late.state()).toMatchObject({ failureCount: 0 });
  });

  it('streams lines until the signal aborts', async () => {
    const id = await container(testImage, 'sh', '-c', 'echo one; echo two >&2; sleep 60');
    const stop = new AbortController();
    const lines: OutputLine[] = [];
    for await (const line of client.lines(['logs', '--follow', id], { signal: stop.signal })) {
      lines.push(line);
      if (lines.length === 2) stop.abort();
    }
    expect(lines).toContainEqual({ text: 'one', stream: 'stdout' });
    expect(lines).toContainEqual({ text: 'two', stream: 'stderr' });
  });

  it('streams lines until the command ends by itself, and ends it when nobody reads on', async () => {
    const id = await container(testImage, 'sh', '-c', 'echo one; echo two');
    await client.run(['wait', id], { signal });
    const lines: string[] = [];
    for await (const { text } of client.lines(['logs', id], { signal })) lines.push(text);
    expect(lines).toEqual(['one', 'two']);
    expect(await firstOf(client.lines(['logs', '--follow', id], { signal }))).toMatchObject({ text: 'one' });
    await expect(allOf(client.lines(['logs', 'nope'], { signal }))).rejects.toMatchObject({
      code: 'DOCKER_OBJECT_MISSING',
    });
  });

  it('shares the circuit with another client of the same kernel', async () => {
    const { circuits } = clientRig();
    const { createDockerClient } = await import('./create-docker-client.js');
    const clock = createSimulatedClock();
    expect(() => createDockerClient({ circuits, clock })).not.toThrow();
    expect(circuits.all()).toHaveLength(1);
  });
});

describeWithEngine('a client whose engine hangs, comes back and dies', () => {
  let engine: Engine;
  let pid: number;
  beforeAll(async () => {
    const started = await startPrivateEngine();
    if ('missing' in started) throw new Error(started.missing);
    engine = started;
    pid = engineProcess(engine);
    await makeTestImage(engine.host);
  });
  afterAll(async () => {
    await engine.end();
  });
  const hung = async (work: () => Promise<void>) => {
    process.kill(pid, 'SIGSTOP');
    try {
      await work();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };

  it('finds out by its time limit, opens the circuit, and closes it with one probe when it is back', async () => {
    const { env, calls } = await countingDocker({ DOCKER_HOST: engine.host });
    const clock = createSimulatedClock();
    const { client, state } = clientRig({ env, clock, timeoutMs: 1_000 });
    const ask = () => client.run(['ps'], { signal });
    await hung(async () => {
      for (let call = 1; call <= 5; call += 1) {
        const asking = expect(ask()).rejects.toMatchObject({
          error: {
            code: 'DOCKER_UNAVAILABLE',
            message: `The Docker daemon at ${engine.host} (from DOCKER_HOST) gave no answer within 2s`,
            details: { reason: 'hung', endpoint: engine.host },
          },
        });
        await expect.poll(calls).toHaveLength(call);
        await clock.advance(2_000);
        await asking;
      }
      expect(await state()).toMatchObject({ state: 'open' });
      await expect(ask()).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    });
    expect(await calls()).toHaveLength(5);
    await expect(ask()).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });

    await clock.advance(30_000);
    await Promise.all([ask(), ask(), ask()]);

    // The first of them is the probe, and the others wait for it.
    expect(await calls()).toHaveLength(8);
    expect(await state()).toMatchObject({ state: 'closed', failureCount: 0 });
    await ask();
  });

  it('lets a probe that is a long command ask the daemon first', async () => {
    const clock = createSimulatedClock();
    const env = { ...process.env, DOCKER_HOST: engine.host };
    const { client, circuits, state } = clientRig({ env, clock });
    const circuit = circuits.get('docker');
    const nowhere = clientRig({ env: { ...env, DOCKER_HOST: 'unix:///nowhere.sock' } }).client;
    const fault = await nowhere.run(['ps'], { signal }).catch((thrown: unknown) => thrown);
    for (let count = 1; count <= 5; count += 1)
      await circuit?.execute(() => Promise.reject(fault)).catch(ignore);
    expect(await state()).toMatchObject({ state: 'open' });
    await clock.advance(30_000);
    await client.follow(['run', '--rm', testImage, 'true'], { signal, onLine: ignore, timeoutMs: 60_000 });
    expect(await state()).toMatchObject({ state: 'closed' });
  });

  it('forgets earlier faults when a long command has worked', async () => {
    const env = { ...process.env, DOCKER_HOST: engine.host };
    const { client, circuits, state } = clientRig({ env });
    const nowhere = clientRig({ env: { ...env, DOCKER_HOST: 'unix:///nowhere.sock' } }).client;
    const fault = await nowhere.run(['ps'], { signal }).catch((thrown: unknown) => thrown);
    await circuits
      .get('docker')
      ?.execute(() => Promise.reject(fault))
      .catch(ignore);
    expect(await state()).toMatchObject({ failureCount: 1 });
    await client.run(['run', '--rm', testImage, 'true'], { signal });
    expect(await state()).toMatchObject({ failureCount: 0 });
  });

  it('ends at once when the caller aborts, and the circuit counts nothing', async () => {
    const { env, calls } = await countingDocker({ DOCKER_HOST: engine.host });
    const { client, state } = clientRig({ env });
    await hung(async () => {
      const stop = new AbortController();
      const asking = expect(client.run(['ps'], { signal: stop.signal })).rejects.toThrow('enough');
      await expect.poll(calls, { timeout: 10_000 }).toEqual(['ps']);
      stop.abort(new Error('enough'));
      await asking;
    });
    expect(await state()).toMatchObject({ state: 'closed', failureCount: 0 });
  });

  it('asks during a long command whether the daemon is still there, and lets it go on', async () => {
    const { env, calls } = await countingDocker({ DOCKER_HOST: engine.host });
    const clock = createSimulatedClock();
    const { client, state } = clientRig({ env, clock, timeoutMs: 1_000 });
    const started = deferred();
    const args = ['run', '--rm', testImage, 'sh', '-c', 'echo here; sleep 1'];
    const working = client.follow(args, { signal, onLine: started.resolve, timeoutMs: 3_600_000 });
    await started.promise;
    await clock.advance(2_000);
    await expect.poll(calls).toHaveLength(2);
    expect(await working).toMatchObject({ exitCode: 0 });
    expect(await state()).toMatchObject({ failureCount: 0 });
  });

  it('notices during a long command that the daemon hangs', async () => {
    const { env, calls } = await countingDocker({ DOCKER_HOST: engine.host });
    const clock = createSimulatedClock();
    const { client, state } = clientRig({ env, clock, timeoutMs: 1_000 });
    const started = deferred();
    const args = ['run', '--rm', testImage, 'sh', '-c', 'echo here; sleep 60'];
    const working = expect(
      client.follow(args, { signal, onLine: started.resolve, timeoutMs: 3_600_000 }),
    ).rejects.toMatchObject({ error: { details: { reason: 'hung' } } });
    await started.promise;
    await hung(async () => {
      await clock.advance(2_000);
      await expect.poll(calls).toHaveLength(2);
      await clock.advance(1_000);
      await working;
    });
    expect(await state()).toMatchObject({ failureCount: 1 });
  });

  it('notices that the daemon dies in the middle of a stream and of a command', async () => {
    const { client, state } = clientRig({ env: { ...process.env, DOCKER_HOST: engine.host } });
    const args = ['run', '--rm', testImage, 'sh', '-c', 'echo here; sleep 60'];
    const started = deferred();
    const broken = { error: { details: { reason: 'not-running' } } };
    const both = Promise.allSettled([
      allOf(client.lines(['events'], { signal })),
      client.follow(args, { signal, timeoutMs: 60_000, onLine: started.resolve }),
    ]);
    await started.promise;
    process.kill(pid, 'SIGKILL');
    expect((await both).map((one) => one.status === 'rejected' && one.reason)).toMatchObject([
      broken,
      broken,
    ]);
    expect((await state())?.failureCount).toBeGreaterThan(0);
  });
});

function ignore(): void {
  // The answer is of no interest here.
}

async function firstOf(lines: ReturnType<DockerClient['lines']>): Promise<OutputLine | undefined> {
  for await (const line of lines) return line;
  return undefined;
}

async function allOf(lines: ReturnType<DockerClient['lines']>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of lines) texts.push(text);
  return texts;
}

function deferred() {
  let resolve: () => void = ignore;
  const promise = new Promise<void>((done) => {
    resolve = () => done();
  });
  return { promise, resolve };
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'argus-empty-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
