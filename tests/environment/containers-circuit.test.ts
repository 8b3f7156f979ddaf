import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { runArgus } from '../support/run-command.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService } from './container-project.js';
import { moodyDocker } from './moody-docker.js';

describeWithEngine('an environment of containers whose circuit has opened', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  async function project(settings: Record<string, unknown> = {}) {
    const docker = await moodyDocker();
    const services = {
      web: idleService(image, { volumes: ['data:/data'] }),
      worker: { command: 'node -e "setInterval(() => {}, 1000)"' },
    };
    const made = await containerProject(host, { config: { services, ...settings }, env: docker.env });
    const circuit = async () => dataOf(await made.argus('status')).circuits[0];
    /** Opens the circuit as a shell does that asks again and again. */
    const open = async (command: string) => {
      await docker.become('cut-off');
      for (let call = 1; call <= 5; call += 1) await made.argus(command);
      expect(await circuit()).toMatchObject({ state: 'open', failureCount: 5 });
    };
    return { ...made, docker, circuit, open };
  }

  it('is shown as far as it can be seen, and is taken down by the first clean once the engine is back', async () => {
    const { argus, dir, state, resources, docker, circuit, open } = await project();
    const { runId } = dataOf(await argus('setup'));
    await open('status');
    expect(await argus('status')).toMatchObject({
      code: 3,
      data: {
        services: [
          { name: 'web', status: 'unknown', message: expect.stringContaining('Circuit docker is open') },
          { name: 'worker', status: 'running' },
        ],
      },
    });
    // What is not held back goes, and what is left is named with the reason.
    expect(await argus('clean')).toMatchObject({
      code: 3,
      ok: true,
      data: {
        removed: [{ type: 'process', name: 'worker' }],
        failed: [
          {
            type: 'service',
            name: 'web',
            error: { code: 'CLEANUP_FAILED', details: { reason: expect.stringContaining('is open') } },
          },
          { type: 'run', name: `${runId} on docker` },
        ],
      },
    });
    const env = { DOCKER_HOST: host, NO_COLOR: '1', ...docker.env };
    const { stdout } = await runArgus(['clean'], { cwd: dir, state, env });
    expect(stdout).toMatch(
      /nothing removed, 2 not looked at; argus reset-circuit docker, then argus clean again takes down the rest\n$/,
    );
    await docker.become('well');
    expect(dataOf(await argus('reset-circuit', 'docker'))).toMatchObject({ current: 'half-open' });
    const dry = dataOf(await argus('clean', '--dry-run')).removed;
    expect(dry.map(({ type }) => type)).toEqual(['container', 'network', 'volume']);
    expect(await argus('clean')).toMatchObject({ code: 0, data: { removed: dry, failed: [] } });
    expect(await resources()).toEqual([]);
    expect(await circuit()).toMatchObject({ state: 'closed' });
  });

  it('is left as it is by whatever needs the engine, as long as there is nothing else', async () => {
    const { argus, docker, open } = await project({ services: { web: idleService(image) } });
    const { runId } = dataOf(await argus('setup'));
    await open('status');
    const before = dataOf(await argus('status'));
    const error = expect.objectContaining({ code: 'CIRCUIT_OPEN' });
    const refused = { code: 1, ok: false, error };
    for (const command of [['guard'], ['setup']])
      expect([command, await argus(...command)]).toEqual([command, expect.objectContaining(refused)]);
    for (const rest of [[], ['--dry-run'], ['--run', runId]])
      expect([rest, await argus('clean', ...rest)]).toMatchObject([
        rest,
        { code: 3, data: { removed: [], failed: [{ name: 'web', unlooked: true }, { unlooked: true }] } },
      ]);
    const after = dataOf(await argus('status'));
    const lasting = ({ run, services }: typeof after) => ({ run: { ...Object(run), leaseMs: 0 }, services });
    expect(lasting(after)).toEqual(lasting(before));
    await docker.become('well');
    await argus('reset-circuit', 'docker');
    expect(await argus('status')).toMatchObject({ code: 0, data: { run: { id: runId, state: 'up' } } });
    expect(await argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
  });

  it('is set up by the first setup once the engine is back, also when nothing is checked before', async () => {
    const { argus, docker, circuit, open } = await project({ resilience: { preflight: { enabled: false } } });
    await open('setup');
    await docker.become('well');
    await argus('reset-circuit', 'docker');
    expect(await argus('setup')).toMatchObject({ code: 0, data: { services: [{}, {}] } });
    expect(await circuit()).toMatchObject({ state: 'closed' });
  });

  it('is not held up by a command that was killed, or interrupted, while it found out whether the engine is back', async () => {
    const { argus, begin, docker, circuit, open } = await project();
    dataOf(await argus('setup'));
    await open('status');
    await argus('reset-circuit', 'docker');
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      await docker.become('hung');
      const call = begin(['status']);
      while (!existsSync(docker.hangs)) {
        expect(call.isOver()).toBe(false);
        await sleep(20);
      }
      call.kill(signal, 'alone');
      await call.ended();
      await docker.become('well');
      // A reset says whose turn it is; a circuit that the last round has closed has nothing to say.
      expect(dataOf(await argus('reset-circuit', 'docker'))).toMatchObject({
        message: expect.stringMatching(/the next call is the probe|nothing to reset/),
      });
      expect(await argus('status')).toMatchObject({
        code: 0,
        data: { services: [{ name: 'web', status: 'running' }, {}] },
      });
      expect(await circuit()).toMatchObject({ state: 'closed' });
    }
    expect(await argus('clean')).toMatchObject({ code: 0 });
  });

  it('is taken down altogether when the containers have gone from the configuration', async () => {
    const { argus, configure, resources, processes } = await project();
    dataOf(await argus('setup'));
    const worker = { command: 'node -e "setInterval(() => {}, 1000)"' };
    await configure({ services: { web: worker } });
    expect(dataOf(await argus('status')).services).toMatchObject([
      { name: 'web', runtime: 'docker', status: 'running' },
      { name: 'worker', runtime: 'process', status: 'running' },
    ]);
    dataOf(await argus('setup'));
    expect((await resources()).map((name) => name.split(' ')[0])).toEqual(['network', 'volume']);
    const { checks } = dataOf(await argus('check', '--only', 'orphans'));
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toContain('orphans.docker pass');
    const { removed, failed } = dataOf(await argus('clean'));
    expect([removed.map(({ type }) => type), failed]).toEqual([['process', 'network', 'volume'], []]);
    expect([await resources(), await processes()]).toEqual([[], []]);
    const after = dataOf(await argus('check')).checks.find(({ name }) => name === 'orphans.docker');
    expect(after).toMatchObject({
      status: 'skipped',
      message: 'No service or mock of this project needs Docker',
    });
  });

  it('is told of in plain words, with the reason of everything that is left', async () => {
    const { argus, dir, state, docker } = await project();
    dataOf(await argus('setup'));
    await docker.become('cut-off');
    const env = { DOCKER_HOST: host, NO_COLOR: '1', ...docker.env };
    const { code, stdout } = await runArgus(['clean'], { cwd: dir, state, env });
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^could not look: The Docker daemon does not answer at .*; this may be left: service web, run \S+ on docker\nunknown: 1 process removed, 2 not looked at; argus clean again takes down the rest\n$/,
    );
    await docker.become('well');
  });
});
