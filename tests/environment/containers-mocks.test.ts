import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import {
  type ContainerProject,
  containerProject,
  dataOf,
  idleService,
  textFrom,
  webService,
} from './container-project.js';
import { freePorts } from './process-project.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

/** A mock that answers with one word. */
function mockOf(port: number, word: string) {
  return { port, routes: [{ path: '/who', response: { body: word } }] };
}

/** What a container gets from the mock `m` at a port. */
async function heardBy(project: ContainerProject, service: string, port: number | string): Promise<string> {
  const id = (await project.containers())[service] ?? '';
  return project.docker('exec', id, 'sh', '-c', `wget -q -O- "http://m:${port}/who" 2>&1 || true`);
}

/** The numbers of processes that know of a project's state, by what they run. */
async function processesOf({ state }: ContainerProject, program: RegExp): Promise<number[]> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,command='], options);
  const lines = stdout.split('\n').filter((line) => line.includes(state) && program.test(line));
  expect(lines).toHaveLength(2);
  return lines.map((line) => Number.parseInt(line, 10));
}

describeWithEngine('the mocks of several projects on one engine', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('are each reached by the containers of their own, set up at the same moment with one name and one port', {
    timeout,
  }, async () => {
    const port = await freePorts(4);
    const words = ['one', 'two', 'three'];
    const projects = await Promise.all(
      words.map((word) =>
        containerProject(host, {
          config: {
            services: { c: idleService(image, { dependsOn: ['m'] }) },
            mocks: { m: mockOf(port, word) },
          },
        }),
      ),
    );
    const answers = await Promise.all(projects.map((project) => project.argus('setup')));
    for (const answer of answers) dataOf(answer);
    for (const [index, project] of projects.entries()) {
      // By the port of the configuration, and by the one that the container is told.
      expect(await heardBy(project, 'c', port)).toBe(words[index]);
      expect(await heardBy(project, 'c', '$ARGUS_PORT_M')).toBe(words[index]);
    }
  });

  it('are known to containers that were up before, which are replaced for it', { timeout }, async () => {
    const port = await freePorts(3);
    const services = { c: idleService(image), other: idleService(image) };
    const one = await containerProject(host, { config: { services } });
    const two = await containerProject(host, { config: { services, mocks: { m: mockOf(port, 'two') } } });
    dataOf(await one.argus('setup'));
    dataOf(await two.argus('setup'));
    const before = await one.containers();
    expect(dataOf(await one.argus('setup'))).toMatchObject({ unchanged: true });

    await one.configure({ services, mocks: { m: mockOf(port, 'one') } });
    const { networkVerification, ...data } = dataOf(await one.argus('setup'));
    expect(data).toMatchObject({
      unchanged: false,
      services: [{ status: 'ready' }, { status: 'ready' }, { status: 'ready' }],
    });
    expect(networkVerification).toMatchObject({ allReachable: true });
    expect(await heardBy(one, 'c', port)).toBe('one');
    expect(await heardBy(two, 'c', port)).toBe('two');
    expect(Object.values(await one.containers())).not.toContain(before.c);

    // What has not changed stays, and another answer of the mock concerns nobody else.
    expect(dataOf(await one.argus('setup'))).toMatchObject({ unchanged: true });
    const kept = await one.containers();
    await one.configure({ services, mocks: { m: mockOf(port, 'another') } });
    dataOf(await one.argus('setup'));
    expect(await heardBy(one, 'c', port)).toBe('another');
    expect(await one.containers()).toEqual(kept);
  });

  it('begin to listen for containers when there are some', { timeout }, async () => {
    const port = await freePorts(2);
    const mocks = { m: mockOf(port, 'here') };
    const project = await containerProject(host, { config: { mocks } });
    dataOf(await project.argus('setup'));
    await project.configure({ services: { c: idleService(image) }, mocks });
    dataOf(await project.argus('setup'));
    expect(await heardBy(project, 'c', port)).toBe('here');
  });

  it('listen in the same places when a guardian starts them anew', { timeout }, async () => {
    const port = await freePorts(3);
    const config = { services: { c: idleService(image) }, mocks: { m: mockOf(port, 'mine') } };
    const project = await containerProject(host, {
      config: { ...config, resilience: { container: { restartDelay: '10ms', stabilityWindow: '300ms' } } },
    });
    dataOf(await project.argus('setup', '--guard'));
    expect(await heardBy(project, 'c', port)).toBe('mine');
    // With the one that keeps it, so that nothing is left of how it was started.
    for (const pid of await processesOf(project, /mock-server\.js|keeper\.js/)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => heardBy(project, 'c', port), { timeout: 60_000, interval: 500 }).toBe('mine');
  });

  it('may be containers, with another port inside and a command of their own', { timeout }, async () => {
    const port = await freePorts(1);
    const { command } = webService(image, 'm');
    const project = await containerProject(host, {
      config: {
        services: { c: idleService(image, { dependsOn: ['m'] }) },
        mocks: { m: { image, port: `${port}:80`, command, vars: { url: `http://localhost:${port}/` } } },
      },
    });
    const { vars, networkVerification } = dataOf(await project.argus('setup'));
    expect(await textFrom(vars.url)).toBe('m');
    expect(networkVerification).toMatchObject({ allReachable: true, results: [{ to: 'm', port: 80 }] });
    const { c = '' } = await project.containers();
    expect(await project.docker('exec', c, 'sh', '-c', 'wget -q -O- $ARGUS_URL_M')).toBe('m');
  });

  it('are not mistaken for somebody who is on every address of this machine', { timeout }, async () => {
    const port = await freePorts(3);
    const stranger = createServer((_, response) => void response.end('a stranger')).listen(port);
    await once(stranger, 'listening');
    onTestFinished(() => void stranger.close());
    const mocks = { m: mockOf(port, 'mine') };
    const told = idleService(image, { dependsOn: ['m'] });
    const project = await containerProject(host, { config: { services: { c: told }, mocks } });
    dataOf(await project.argus('setup'));
    expect(await heardBy(project, 'c', '$ARGUS_PORT_M')).toBe('mine');

    const speltOut = idleService(image, { command: ['sh', '-c', `: http://m:${port}/; sleep 1000`] });
    await project.configure({ services: { c: speltOut }, mocks });
    const refused = {
      code: 'PORT_CONFLICT',
      message: expect.stringContaining('{{ports.m}}'),
      details: { service: 'm', port, reason: 'spelt-out' },
    };
    const { checks } = dataOf(await project.argus('check', '--only', 'ports.conflicts'));
    expect(checks).toMatchObject([{ status: 'fail', error: refused }]);
    for (const preflight of [{ enabled: true }, { enabled: false }]) {
      await project.configure({ services: { c: speltOut }, mocks, resilience: { preflight } });
      expect((await project.argus('setup')).error).toMatchObject(refused);
    }
  });
});
