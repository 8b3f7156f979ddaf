import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { serveImage } from './fixtures/small-registry.js';
import { freePort, serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { containerName, networkName, volumeName } from './names.js';

describeWithEngine('the docker runtime starts services', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const trials: TrialRun[] = [];
  const begin = () => {
    trial = trialRun(host);
    trials.push(trial);
    return trial;
  };
  const web = (body: string, extra = {}) =>
    serviceOf(body, {
      image,
      command: ['sh', '-c', `echo ${body} > /index.html; exec httpd -f -p 80 -h /`],
      ...extra,
    });
  const containers = () =>
    trial.docker('ps', '--all', '--quiet', '--filter', `label=argusai.project=${trial.run.project}`);

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(async () => {
    for (const one of trials.splice(0)) await one.cleanUp();
  });

  it('reaches one service from another by its name, and from this machine by its published port', async () => {
    begin();
    const port = await freePort();
    const mapping = { host: port, container: 80, ip: null, protocol: 'tcp' as const };
    const api = web('api', { ports: [mapping] });
    const context = await trial.start(api, web('client'));
    await until(
      async () => (await trial.runtime.exec(web('client'), 'wget -qO- http://api/', context)).exitCode === 0,
    );
    const inside = await trial.runtime.exec(web('client'), ['wget', '-qO-', 'http://api/'], context);
    expect(inside).toEqual({ exitCode: 0, output: 'api' });
    const outside = await fetch(`http://127.0.0.1:${port}/`);
    expect((await outside.text()).trim()).toBe('api');
    const name = containerName(trial.run, 'api');
    const bound = await trial.docker(
      'inspect',
      '--format',
      '{{(index (index .NetworkSettings.Ports "80/tcp") 0).HostIp}}',
      name,
    );
    expect(bound).toBe('127.0.0.1');
  });

  it('runs what is on other runtimes under its name on this machine', async () => {
    begin();
    const server = createServer((socket) => socket.end('from outside\n'));
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const client = web('client');
      const pay = serviceOf('pay', { kind: 'mock', routes: [] });
      const context = trial.context([client, pay]);
      await trial.runtime.prepare?.(context);
      await trial.runtime.start(client, 'spec-1', context);
      const { output } = await trial.runtime.exec(client, `nc -w 3 pay ${port}`, context);
      expect(output).toBe('from outside');
    } finally {
      server.close();
    }
  });

  it('gives it environment, user, entrypoint, limits and volumes', async () => {
    begin();
    const folder = await mkdtemp(join(tmpdir(), 'argus-mount-'));
    try {
      await writeFile(join(folder, 'given'), 'by the host');
      const service = serviceOf('full', {
        image,
        entrypoint: 'sh -c',
        command: ['cat /host/given > /data/copy; sleep 100'],
        environment: {
          SECRET: 'a "b" $c\nd',
          PATH: '/bin:/elsewhere',
          DOCKER_HOST: 'unix:///not/for/the/client',
        },
        volumes: ['data:/data', `${folder}:/host:ro`, '/alone'],
        memory: 32 * 1024 * 1024,
        cpus: 0.5,
        user: '0:5',
      });
      const context = await trial.start(service);
      const exec = async (command: string[]) => (await trial.runtime.exec(service, command, context)).output;
      expect(await exec(['sh', '-c', 'echo "$SECRET|$PATH|$DOCKER_HOST"'])).toBe(
        'a "b" $c\nd|/bin:/elsewhere|unix:///not/for/the/client',
      );
      expect(await exec(['id', '-g'])).toBe('5');
      await until(async () => (await exec(['cat', '/data/copy'])) === 'by the host');
      expect((await trial.runtime.exec(service, 'touch /host/x', context)).exitCode).toBe(1);
      const facts = '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.RestartPolicy.Name}}';
      const name = containerName(trial.run, 'full');
      expect(await trial.docker('inspect', '--format', facts, name)).toBe('33554432 500000000 no');
      const shared = await trial.docker('volume', 'inspect', volumeName(trial.run, 'data'));
      expect(JSON.parse(shared)[0].Labels).toMatchObject({ 'argusai.run-id': trial.run.id });
      // The value is handed over in a way that other users of the machine cannot see.
      expect(trial.calls.flat().join(' ')).not.toContain('"b"');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('prepares twice without harm and makes nothing for a run without containers', async () => {
    begin();
    const services = [serviceOf('one', { image, volumes: ['data:/data'] })];
    await trial.runtime.prepare?.(trial.context(services));
    await trial.runtime.prepare?.(trial.context(services));
    const made = await trial.runtime.resources({ project: trial.run.project }, AbortSignal.timeout(5_000));
    expect(made.map(({ type, name }) => [type, name]).sort()).toEqual([
      ['network', networkName(trial.run)],
      ['volume', volumeName(trial.run, 'data')],
    ]);
    begin();
    await trial.runtime.prepare?.(trial.context([serviceOf('only', { command: 'node server.js' })]));
    expect(trial.calls).toEqual([]);
  });

  it('does not take a network of the same name for its own', async () => {
    begin();
    await trial.docker(
      'network',
      'create',
      '--label',
      `argusai.project=${trial.run.project}`,
      networkName(trial.run),
    );
    await expect(trial.runtime.prepare?.(trial.context([web('api')]))).rejects.toMatchObject({
      code: 'SERVICE_START_FAILED',
      error: { details: { reason: 'name-taken' } },
    });
  });

  it('says which port is taken and leaves nothing of the container', async () => {
    begin();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    const port = (number: number) => ({ host: number, container: 80, ip: null, protocol: 'tcp' as const });
    try {
      const first = web('first', { ports: [port(await freePort())] });
      const context = await trial.start(first);
      const start = (number: number) =>
        trial.runtime.start(web('second', { ports: [{ ...port(number), container: 81 }] }), 's', context);
      for (const number of [taken, first.ports[0]?.host ?? 0]) {
        await expect(start(number)).rejects.toMatchObject({
          code: 'PORT_CONFLICT',
          error: { details: { service: 'second', port: number, protocol: 'tcp' } },
        });
      }
      expect((await containers()).split('\n')).toHaveLength(1);
    } finally {
      server.close();
    }
  });

  it('pulls an image that is not on the engine', async () => {
    begin();
    const registry = await serveImage(host, image);
    try {
      const service = serviceOf('pulled', { image: registry.image, command: 'sleep 100' });
      const context = await trial.start(service);
      expect((await trial.runtime.exec(service, 'true', context)).exitCode).toBe(0);
      expect(trial.events).toContainEqual(
        expect.objectContaining({
          type: 'service_state',
          data: { service: 'pulled', state: 'starting', message: `Pulling ${registry.image}` },
        }),
      );
    } finally {
      await registry.close();
      await trial.cleanUp();
      await trial.docker('rmi', '--force', registry.image);
    }
  });

  it('tells a missing image, a missing command and any other reason apart, and leaves nothing', async () => {
    begin();
    const cases = [
      [{ image: 'localhost:9/no-such-image:1' }, 'IMAGE_UNAVAILABLE', 'registry-unreachable'],
      [{ image: 'Not An Image' }, 'IMAGE_UNAVAILABLE', 'invalid-name'],
      [{ build: { context: '/nowhere', args: {} } }, 'SERVICE_START_FAILED', 'image-missing'],
      [{ image, command: 'no-such-command --now' }, 'SERVICE_START_FAILED', 'command-missing'],
      [{ image, entrypoint: ['/etc'] }, 'SERVICE_START_FAILED', 'command-missing'],
      [{ image, user: 'nobody-of-that-name' }, 'SERVICE_START_FAILED', 'failed'],
      [{ image, command: 'echo "never closed' }, 'SERVICE_START_FAILED', 'failed'],
    ] as const;
    for (const [spec, code, reason] of cases) {
      await expect(trial.start(serviceOf('bad', spec)), JSON.stringify(spec)).rejects.toMatchObject({
        code,
        error: { details: { service: 'bad', reason } },
      });
      expect(await containers()).toBe('');
    }
  });

  it('leaves nothing of a start that is aborted, at whatever moment', async () => {
    begin();
    const service = serviceOf('slow', { image, command: 'sleep 100', volumes: ['/alone'] });
    await trial.runtime.prepare?.(trial.context([service]));
    for (const delay of [0, 20, 60, 150, 300]) {
      const signal = AbortSignal.timeout(delay);
      const start = trial.runtime.start(service, 'spec-1', trial.context([service], { signal }));
      await start.catch((error) => expect(error).toBe(signal.reason));
      if (!signal.aborted) await trial.docker('rm', '-f', '-v', containerName(trial.run, 'slow'));
      expect(await containers()).toBe('');
    }
    const before = trial.calls.length;
    const aborted = trial.context([service], { signal: AbortSignal.abort(new Error('too late')) });
    await expect(trial.runtime.start(service, 'spec-1', aborted)).rejects.toThrow('too late');
    expect(trial.calls).toHaveLength(before);
  });

  it('starts a container of its own that has ended again, and replaces it when its spec is another', async () => {
    begin();
    const service = serviceOf('again', { image, command: 'sh -c "echo x >> /times; sleep 100"' });
    const context = await trial.start(service);
    const name = containerName(trial.run, 'again');
    const times = async () => (await trial.runtime.exec(service, 'cat /times', context)).output;
    await expect(trial.runtime.start(service, 'spec-1', context)).rejects.toMatchObject({
      error: { details: { reason: 'name-taken' } },
    });
    await trial.docker('kill', name);
    await trial.runtime.start(service, 'spec-1', context);
    await until(async () => (await times()) === 'x\nx');
    await trial.docker('kill', name);
    await trial.runtime.start(service, 'spec-2', context);
    await until(async () => (await times()) === 'x');
  });

  it('leaves a container of somebody else alone that has the name', async () => {
    begin();
    const name = containerName(trial.run, 'mine');
    await trial.docker('create', '--name', name, image, 'sleep', '1');
    try {
      await expect(trial.start(serviceOf('mine', { image }))).rejects.toMatchObject({
        error: { details: { reason: 'name-taken' } },
      });
      expect(await trial.docker('inspect', '--format', '{{.State.Status}}', name)).toBe('created');
    } finally {
      await trial.docker('rm', '-f', name);
    }
  });

  it('runs two runs of one project side by side', async () => {
    const first = begin();
    const second = first.sibling();
    trials.push(second);
    await first.start(web('api', { volumes: ['data:/data'] }));
    const context = await second.start(web('api', { volumes: ['data:/data'] }));
    const signal = AbortSignal.timeout(10_000);
    const own = await first.runtime.resources({ project: first.run.project, runId: first.run.id }, signal);
    expect(own.map(({ type }) => type).sort()).toEqual(['container', 'network', 'volume']);
    expect(await first.runtime.resources({ project: first.run.project }, signal)).toHaveLength(6);
    await first.runtime.remove(own, { graceMs: 0, signal });
    expect((await second.runtime.exec(web('api'), 'true', context)).exitCode).toBe(0);
  });

  it('needs no shell for a plain command and takes that of the image for any other', async () => {
    begin();
    const service = serviceOf('shell', { image, command: 'sleep 100' });
    const context = await trial.start(service);
    const exec = (command: string) => trial.runtime.exec(service, command, context);
    expect(await exec(`echo 'a  b' "c"`)).toEqual({ exitCode: 0, output: 'a  b c' });
    expect(await exec('false || echo saved')).toEqual({ exitCode: 0, output: 'saved' });
    expect((await exec('exit 3; true')).exitCode).toBe(3);
    expect((await exec('echo "never closed')).exitCode).not.toBe(0);
    expect((await exec('no-such-program')).exitCode).toBeGreaterThan(125);
    await trial.docker('kill', containerName(trial.run, 'shell'));
    expect((await exec('true')).exitCode).not.toBe(0);
  });
});
