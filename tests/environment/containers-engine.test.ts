import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { countingDocker } from '../../packages/plugin-docker/src/fixtures/counting-docker.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { type PrivateEngine, startPrivateEngine } from '../support/engine.js';
import { engineProcess } from '../support/engine-process.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService } from './container-project.js';

describeWithEngine('an environment of containers whose engine fails', () => {
  let engine: PrivateEngine;
  let image: string;
  beforeAll(async () => {
    const started = await startPrivateEngine();
    if ('missing' in started) throw new Error(started.missing);
    engine = started;
    image = await makeTestImage(engine.host);
  });
  afterAll(() => engine?.end());

  /** Kills the engine and waits until nobody listens; it is back when the test is over, at the latest. */
  const killEngine = async () => {
    let isBack = false;
    const comeBack = async () => {
      if (!isBack) await engine.startAgain();
      isBack = true;
    };
    onTestFinished(comeBack);
    process.kill(engineProcess(engine), 'SIGKILL');
    while (await listens(engine)) await sleep(20);
    return comeBack;
  };

  it('says so, is not called any more after five calls in as many processes, and is called once to see whether it is back', async () => {
    const counting = await countingDocker({ DOCKER_HOST: engine.host });
    const config = (resetTimeoutMs: number) => ({
      services: { web: idleService(image) },
      resilience: { circuitBreaker: { resetTimeoutMs } },
    });
    const project = await containerProject(engine.host, {
      config: config(600_000),
      env: { PATH: counting.env.PATH },
    });
    const circuits = async () => dataOf(await project.argus('status')).circuits;
    /** The calls that were meant for the engine; the client is also asked where it looks for it. */
    const calls = async () => (await counting.calls()).filter((call) => !call.startsWith('context '));
    const comeBack = await killEngine();
    const unavailable = {
      code: 'DOCKER_UNAVAILABLE',
      details: { reason: 'not-running', endpoint: engine.host },
    };

    for (let call = 1; call <= 4; call += 1) {
      const { code, data } = await project.argus('check');
      expect(code).toBe(1);
      const problems = data.checks.filter(({ status }) => status === 'fail' || status === 'unknown');
      expect(problems).toMatchObject([{ name: 'docker.daemon', status: 'fail', error: unavailable }]);
    }
    expect(await circuits()).toMatchObject([{ name: 'docker', state: 'closed', failureCount: 4 }]);
    // A refused setup has begun nothing; the report of the gate is in its error.
    const refused = await project.argus('setup');
    expect(refused).toMatchObject({ code: 1, ok: false, error: unavailable });
    expect(refused.error.details).toMatchObject({ report: { overall: 'unhealthy' } });
    expect(await circuits()).toMatchObject([{ name: 'docker', state: 'open', failureCount: 5 }]);
    expect(await calls()).toEqual(Array(5).fill(expect.stringMatching(/^version /)));

    const held = { code: 'CIRCUIT_OPEN', details: { circuit: 'docker', failureCount: 5 } };
    expect(await project.argus('setup')).toMatchObject({ code: 1, ok: false, error: held });
    const { data } = await project.argus('check');
    expect(data.checks.find(({ name }) => name === 'docker.daemon')).toMatchObject({
      status: 'fail',
      error: held,
    });
    expect(await calls()).toHaveLength(5);

    // Its time is over, so one call goes through; it is still away.
    await project.configure(config(0));
    expect((await project.argus('check')).code).toBe(1);
    expect(await calls()).toHaveLength(6);
    await project.configure(config(600_000));
    expect(await circuits()).toMatchObject([{ name: 'docker', state: 'open' }]);

    await comeBack();
    const reset = dataOf(await project.argus('reset-circuit', 'docker'));
    expect(reset).toMatchObject({ circuit: 'docker', previous: 'open', current: 'half-open' });
    expect(await calls()).toHaveLength(6);
    expect(dataOf(await project.argus('check', '--only', 'docker.daemon')).overall).toBe('healthy');
    expect(await calls()).toHaveLength(7);
    expect(await circuits()).toMatchObject([{ name: 'docker', state: 'closed', failureCount: 0 }]);
  });

  it('is told of where nothing is recorded, because nobody could look whether something is there', async () => {
    const project = await containerProject(engine.host, {
      config: { services: { web: idleService(image) } },
    });
    const comeBack = await killEngine();
    const notices = [{ code: 'DOCKER_UNAVAILABLE', details: { reason: 'not-running' } }];
    expect(await project.argus('status')).toMatchObject({ data: { run: null }, notices });
    await comeBack();
    dataOf(await project.argus('check', '--only', 'docker.daemon'));
    expect(await project.argus('clean')).toEqual({
      code: 0,
      ok: true,
      data: expect.objectContaining({ removed: [] }),
    });
  });

  it('is told from the others by a check that ends in time when it hangs', async () => {
    const project = await containerProject(engine.host, {
      config: { services: { web: idleService(image) } },
    });
    const pid = engineProcess(engine);
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    process.kill(pid, 'SIGSTOP');
    const { code, data } = await project.argus('check');
    expect(code).toBe(1);
    const of = (wanted: string) => data.checks.filter(({ status }) => status === wanted);
    // None was cut short by the end of its time, and what could not be looked at because of it is no finding of its own.
    expect(of('unknown')).toEqual([]);
    expect(of('fail')).toMatchObject([
      {
        name: 'docker.daemon',
        error: { code: 'DOCKER_UNAVAILABLE', details: { reason: 'hung', endpoint: engine.host } },
      },
    ]);
    const caused = of('skipped').filter(({ causedBy }) => causedBy === 'docker.daemon');
    expect(caused.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['docker.containers', 'docker.disk', 'orphans.docker', 'disk.space']),
    );
    const passed = of('pass').map(({ name }) => name);
    expect(passed).toEqual(expect.arrayContaining(['disk.space', 'orphans.processes']));

    process.kill(pid, 'SIGCONT');
    expect((await project.argus('check')).code).toBe(0);
  });

  it('that dies in the middle of a setup gives one error that says what is gone and what is not, and the next setup is fine', async () => {
    const db = idleService(image, {
      volumes: ['data:/data'],
      healthcheck: { command: 'true', interval: '50ms', startPeriod: '60s' },
    });
    const local = { command: 'node -e "setInterval(() => {}, 1000)"' };
    const late = idleService(image, { dependsOn: ['db', 'local'] });
    const project = await containerProject(engine.host, {
      config: {
        services: {
          db,
          local,
          late: { ...late, healthcheck: { command: 'false', interval: '50ms', startPeriod: '600s' } },
        },
      },
    });
    const call = project.begin(['setup']);
    await call.until(
      ({ type, data }) => type === 'service_state' && data?.service === 'late' && data.state === 'waiting',
    );
    const comeBack = await killEngine();
    const { code, result } = await call.ended();
    expect(code).toBe(1);
    expect(result).toMatchObject({ ok: false, error: { code: 'DOCKER_UNAVAILABLE' } });
    const { removed, failed } = result?.error?.details.rollback ?? {};
    expect(removed).toEqual(['process local']);
    const why = '(The Docker daemon does not answer|Circuit docker is open)';
    expect(failed).toEqual([
      ...['service db', 'service late'].map((name) => expect.stringMatching(`^${name}: ${why}`)),
      expect.stringMatching(`^run \\S+ on docker: ${why}`),
    ]);

    await comeBack();
    expect(await project.resources()).toHaveLength(4);
    await project.configure({ services: { db, local, late } });
    // The failed setup may have opened the circuit, which is not held against an engine that is back.
    const { runId, orphanCleanup } = dataOf(await project.argus('setup'));
    const resources = await project.resources();
    expect(resources).toHaveLength(4);
    expect(resources.every((name) => name.includes(runId))).toBe(true);
    expect(orphanCleanup?.removed).toHaveLength(4);
  });
});

async function listens({ host }: PrivateEngine): Promise<boolean> {
  const socket = connect(host.replace('unix://', ''));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Nobody is there to take the connection.
    return false;
  } finally {
    socket.destroy();
  }
}
