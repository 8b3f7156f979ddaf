import { beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage, testImage } from '../support/test-image.js';
import type { Call } from './container-call.js';
import { heldDocker } from './container-held-docker.js';
import { type ContainerProject, containerProject, dataOf, idleService } from './container-project.js';
import { freePorts } from './process-project.js';

/** Stops a setup where it is told to, for longer than anyone waits: in a check, after a stage, before the last one. */
const holder = `const hold = () => new Promise((resolve) => setTimeout(resolve, 600_000));
  const at = process.env.HOLD_AT;
  export default {
    name: 'holder',
    apply({ hooks }) {
      if (at === 'gate') hooks.checkers.tap('holder', (checkers) => checkers.add({
        name: 'holder.wait', timeoutMs: 600_000,
        check: async ({ pass }) => (await hold(), pass('done')),
      }));
      if (at === 'resolve') hooks.resolveEnvironment.tapPromise({ name: 'holder', stage: 100 }, hold);
      if (at === 'verify') hooks.verifyEnvironment.tapPromise('holder', hold);
    },
  };`;

/** Brings a setup to a moment that it does not get over by itself. */
type Moment = (project: ContainerProject) => Promise<Call>;

const inStage =
  (stage: string): Moment =>
  async (project) => {
    const call = project.begin(['setup'], { HOLD_AT: stage });
    await call.until(({ type, data }) => type === 'setup_stage' && data?.stage === stage);
    return call;
  };

const atDocker =
  (pattern: string): Moment =>
  async (project) => {
    const docker = await heldDocker(pattern);
    const call = project.begin(['setup'], docker.env);
    await docker.reached(call);
    return call;
  };

const dockerfile = (step: string) => `FROM ${testImage}\nRUN ${step}\nCMD ["sleep", "1000"]\n`;

/** The next build is a quick one. */
const inBuild: Moment = async (project) => {
  await project.write('api/Dockerfile', dockerfile('echo compiling; sleep 600'));
  const call = project.begin(['setup']);
  await call.until(({ type, data }) => type === 'build_output' && data?.line?.endsWith('compiling') === true);
  await project.write('api/Dockerfile', dockerfile('echo quick'));
  return call;
};

describeWithEngine('a setup of containers that is interrupted', ({ host }) => {
  beforeAll(async () => void (await makeTestImage(host)));

  const makeProject = async () => {
    const plugins = ['docker', 'process', 'ports', 'orphans'].map((name) => `@argusai/plugin-${name}`);
    const services = {
      db: idleService(testImage, {
        volumes: ['data:/data'],
        healthcheck: { command: 'true', interval: '50ms', startPeriod: '60s' },
      }),
      api: { build: 'api', dependsOn: ['db'] },
      web: { command: 'node -e "setInterval(() => {}, 1000)"', dependsOn: ['db'] },
    };
    return containerProject(host, {
      config: {
        plugins: [...plugins, './holder.mjs'],
        services,
        mocks: { pay: { port: await freePorts(1), routes: [] } },
      },
      files: { 'holder.mjs': holder, 'api/Dockerfile': dockerfile('echo quick') },
    });
  };

  /** It is up, and nothing is there that is not of this run. */
  const expectOnly = async (project: ContainerProject, runId: string) => {
    const resources = await project.resources();
    expect(resources.filter((name) => !name.includes(runId))).toEqual([]);
    expect(resources).toHaveLength(4);
    // A service and a mock outside of containers, and the one that keeps them.
    expect(await project.processes()).toHaveLength(3);
  };

  it.each<[string, Moment]>([
    ['in the gate', inStage('gate')],
    ['while an image is built', inBuild],
    ['when the ports are resolved', inStage('resolve')],
    ['when the network has been made', atDocker('after network create *')],
    ['when the volume has been made', atDocker('after volume create *')],
    ['before the first container is made', atDocker('before run *')],
    ['when the first container has been made', atDocker('after run *')],
    ['while it waits for health', atDocker('before exec *')],
    ['when the last container has been made', atDocker('after run *-api *')],
    ['when all are up and not yet verified', inStage('verify')],
  ])('by kill -9 %s is made good by the next one', async (_, moment) => {
    const project = await makeProject();
    const call = await moment(project);
    call.kill('SIGKILL', 'group');
    expect((await call.ended()).code).toBe(null);
    const { runId, services } = dataOf(await project.argus('setup'));
    expect(services.map(({ name }) => name)).toEqual(['db', 'api', 'web', 'pay']);
    await expectOnly(project, runId);
  });

  it('by kill -9 alone leaves a client of Docker at work, and what that one makes later is found and removed', async () => {
    const project = await makeProject();
    const docker = await heldDocker('before volume create *');
    const call = project.begin(['setup'], docker.env);
    await docker.reached(call);
    call.kill('SIGKILL', 'alone');
    await call.ended();
    const { runId } = dataOf(await project.argus('setup'));
    await docker.release();
    const late = (await project.resources()).filter((name) => !name.includes(runId));
    expect(late).toEqual([expect.stringMatching(/^volume .*-data$/)]);
    const again = dataOf(await project.argus('setup'));
    expect(again).toMatchObject({ runId, unchanged: true, orphanCleanup: { failed: [] } });
    await expectOnly(project, runId);
  });

  it.each<[string, Moment]>([
    ['while an image is built', inBuild],
    ['before a container is made', atDocker('before run *')],
    ['when a container has been made', atDocker('after run *-api *')],
    ['while it waits for health', atDocker('before exec *')],
  ])('by Ctrl-C %s takes everything down again', async (_, moment) => {
    const project = await makeProject();
    const call = await moment(project);
    // As a terminal does it: the clients of Docker get it too.
    call.kill('SIGINT', 'group');
    const { code, result } = await call.ended();
    expect(result).toMatchObject({ type: 'result', ok: false, error: { code: 'CANCELLED' } });
    expect(result?.error?.details.rollback?.failed).toEqual([]);
    expect(code).toBe(130);
    expect([await project.resources(), await project.processes()]).toEqual([[], []]);
    expect(await project.argus('status')).toMatchObject({ data: { run: null } });
  });

  it('by Ctrl-C while a container stops does not leave one behind that ends later', async () => {
    const plugins = ['@argusai/plugin-docker'];
    const config = (db: Record<string, unknown>) => ({
      plugins,
      environment: { stopTimeout: '2s' },
      services: { db: idleService(testImage, db), other: idleService(testImage) },
    });
    const project = await containerProject(host, { config: config({}) });
    dataOf(await project.argus('setup'));
    const { other } = await project.containers();
    await project.configure(config({ environment: { CHANGED: 'yes' } }));
    const call = project.begin(['setup']);
    await call.until(({ type, data }) => type === 'service_state' && data?.state === 'stopping');
    call.kill('SIGINT', 'group');
    const { code, result } = await call.ended();
    expect({ code, error: result?.error?.code }).toEqual({ code: 130, error: 'CANCELLED' });
    expect(result?.error?.details.rollback).toMatchObject({ left: ['other'], gone: ['db'], failed: [] });
    expect(await project.containers()).toEqual({ other });
  });
});
