import { createSqliteStore } from '@argusai/store-sqlite';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { startPrivateEngine } from '../support/engine.js';
import { engineProcess } from '../support/engine-process.js';
import { makeTestImage } from '../support/test-image.js';
import { type ContainerProject, containerProject, dataOf, textFrom } from './container-project.js';
import { freePorts } from './process-project.js';

/** No delay to wait for, and soon called stable. */
const container = { restartDelay: '10ms', stabilityWindow: '300ms' };
const timeout = 180_000;
const often = { interval: '100ms', startPeriod: '60s' };

interface Guarded {
  readonly guardian: { pid: number; alive: boolean } | null;
  readonly incidents: readonly { service: string; outcome: string; code: string; restarts: number }[];
  readonly services: readonly { name: string; status: string; health: string; restarts: number }[];
}

async function statusWhen(project: ContainerProject, isSo: (status: Guarded) => boolean): Promise<Guarded> {
  for (;;) {
    const status = (await project.argus('status')).data as unknown as Guarded;
    if (isSo(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const recovered = (count: number) => (status: Guarded) =>
  status.incidents.filter(({ outcome }) => outcome === 'recovered').length >= count;

async function incidentsIn({ state, name }: ContainerProject) {
  const store = createSqliteStore({ dir: state });
  try {
    return (await store.read(`incidents/${name}`)).map(({ value }) => value as never as { service: string });
  } finally {
    await store.close();
  }
}

/** Serves a page; told by a file, it ends, eats all its memory, or no longer answers. */
const frail = [
  'mkdir -p /www; echo page > /www/index.html; echo begins; httpd -p 80 -h /www',
  'while true; do',
  '  if [ -e /crash ]; then rm /crash; echo ouch >&2; exit 3; fi',
  '  if [ -e /eat ]; then rm /eat; (x=a; while true; do x="$x$x"; done); status=$?; sleep 1; exit $status; fi',
  '  sleep 0.05',
  'done',
].join('\n');

describeWithEngine('containers with a guardian', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  const frailService = (rest: Record<string, unknown> = {}) => ({
    image,
    command: ['sh', '-c', frail],
    ...rest,
  });

  it('come back when they crash, run out of memory or hang, and those that go with them', {
    timeout,
  }, async () => {
    const port = await freePorts(1);
    const project = await containerProject(host, {
      config: {
        services: {
          api: frailService({
            ports: [`${port}:80`],
            memory: '16MB',
            healthcheck: { http: '/', timeout: '500ms', retries: 2, ...often },
          }),
          side: { image, command: ['sleep', '1000'], dependsOn: ['api'], restartWith: ['api'] },
          any: frailService({ ports: ['80'], dependsOn: ['api'] }),
        },
        resilience: { container },
      },
    });
    dataOf(await project.argus('setup', '--guard'));
    const before = await project.containers();
    const pageOf = async () => textFrom(`http://127.0.0.1:${port}/`);
    // Nobody waits for its end: the container may end because of it before.
    const inApi = (...command: string[]) => project.docker('exec', '--detach', before.api ?? '', ...command);
    const addressOfAny = async () => project.docker('port', before.any ?? '', '80/tcp');
    const address = await addressOfAny();

    await inApi('touch', '/crash');
    await statusWhen(project, recovered(2));
    expect(await pageOf()).toBe('page');

    await inApi('touch', '/eat');
    await statusWhen(project, recovered(4));
    expect(await pageOf()).toBe('page');

    // The engine does not take back that it once ran out of memory, and this time it did not.
    await inApi('touch', '/crash');
    await statusWhen(project, recovered(6));

    await project.docker('pause', before.api ?? '');
    await statusWhen(project, recovered(8));
    expect(await pageOf()).toBe('page');

    await project.docker('kill', before.any ?? '');
    const { services } = await statusWhen(project, recovered(9));
    expect(await addressOfAny()).toBe(address);
    expect(services.map(({ name, restarts }) => `${name} ${restarts}`)).toEqual(['api 4', 'side 4', 'any 1']);

    // They are the same containers, with everything that they had.
    expect(await project.containers()).toEqual(before);
    const told = (await incidentsIn(project)).filter(({ service }) => service === 'api');
    expect(told).toMatchObject([
      { error: { code: 'CONTAINER_CRASH', details: { exitCode: 3 } }, restarts: [{ reason: 'exit code 3' }] },
      {
        error: { code: 'CONTAINER_OOM', details: { memoryLimit: 16_000_000 } },
        restarts: [{ reason: 'OOM', evidence: { oomKilled: true, exitCode: 137 } }],
      },
      { error: { code: 'CONTAINER_CRASH', details: { exitCode: 3 } } },
      {
        error: { code: 'HEALTH_CHECK_TIMEOUT' },
        restarts: [{ evidence: { details: { status: 'paused' } } }],
      },
    ]);
    expect(JSON.stringify(told[0])).toContain('{"stream":"stderr","text":"ouch"');

    dataOf(await project.argus('clean'));
    expect(await project.resources()).toEqual([]);
    expect(await project.processes()).toEqual([]);
  });

  it('leave their last words also where they come back at once and talk a lot', { timeout }, async () => {
    const talk = 'i=0; while [ $i -lt 6000 ]; do echo "start $n line $i"; i=$((i+1)); done; sync';
    const script = `n=$(cat /n 2>/dev/null || echo 1); echo $((n+1)) > /n; ${talk}; [ $n -gt 1 ] && exec sleep 1000; sleep 1; exit 3`;
    const project = await containerProject(host, {
      config: {
        services: { api: { image, command: ['sh', '-c', script] } },
        resilience: { container: { ...container, restartDelay: '0s', stabilityWindow: '2s' } },
      },
    });
    await project.argus('setup', '--guard');
    await statusWhen(project, recovered(1));
    const [incident] = await incidentsIn(project);
    expect(incident).toMatchObject({ restarts: [{ delayMs: 0, evidence: { exitCode: 3, gaps: [] } }] });
    const told = incident as unknown as { restarts: { evidence: { lines: { text: string }[] } }[] };
    expect(told.restarts[0]?.evidence.lines.map(({ text }) => text)).toEqual(
      Array.from({ length: 100 }, (_, index) => `start 1 line ${5_900 + index}`),
    );
  });

  it('have run out of memory each time that a worker did, however they end then', { timeout }, async () => {
    const project = await containerProject(host, {
      config: {
        services: {
          api: {
            image,
            memory: '16MB',
            command: ['sh', '-c', 'sleep 1; (x=a; while true; do x="$x$x"; done); exit 1'],
          },
        },
        resilience: { container: { ...container, maxRestarts: 2, stabilityWindow: '10s' } },
      },
    });
    await project.argus('setup', '--guard');
    await statusWhen(project, ({ incidents }) => incidents.some(({ outcome }) => outcome === 'exhausted'));
    const oom = { code: 'CONTAINER_OOM', reason: 'OOM', evidence: { oomKilled: true, exitCode: 1 } };
    expect(await incidentsIn(project)).toMatchObject([
      {
        error: { details: { pattern: 'out-of-memory-loop' } },
        restarts: [oom, oom],
        evidence: { oomKilled: true, exitCode: 1 },
      },
    ]);
  });

  it('come back when they fail at the same moment', { timeout }, async () => {
    const services = { one: frailService(), two: frailService(), three: frailService() };
    const project = await containerProject(host, { config: { services, resilience: { container } } });
    dataOf(await project.argus('setup', '--guard'));
    const before = await project.containers();
    await project.docker('kill', ...Object.values(before));
    const { services: after } = await statusWhen(project, recovered(3));
    expect(after.map(({ status, restarts }) => `${status} ${restarts}`)).toEqual(Array(3).fill('running 1'));
  });

  it('come back when their image says that they are not well', { timeout }, async () => {
    const project = await containerProject(host, {
      config: { services: { api: { build: 'api' } }, resilience: { container } },
      files: {
        'api/Dockerfile': [
          `FROM ${image}`,
          'HEALTHCHECK --interval=200ms --retries=2 --start-period=60s CMD test -e /dev/shm/well',
          'CMD ["sh", "-c", "touch /dev/shm/well; exec sleep 1000"]',
        ].join('\n'),
      },
    });
    dataOf(await project.argus('setup', '--guard'));
    const { api = '' } = await project.containers();
    await project.docker('exec', api, 'rm', '/dev/shm/well');
    const { incidents } = await statusWhen(project, recovered(1));
    expect(incidents).toMatchObject([{ code: 'HEALTH_CHECK_TIMEOUT', restarts: 1 }]);
    expect(await project.containers()).toEqual({ api });
  });

  it('are only watched at low autonomy', { timeout }, async () => {
    const project = await containerProject(host, {
      config: {
        services: { api: frailService() },
        policy: { autonomy: 'cautious' },
        resilience: { container },
      },
    });
    dataOf(await project.argus('setup', '--guard'));
    const { api = '' } = await project.containers();
    await project.docker('kill', api);
    const { incidents } = await statusWhen(project, (status) => status.incidents.length > 0);
    expect(incidents).toMatchObject([{ outcome: 'observed', code: 'CONTAINER_CRASH', restarts: 0 }]);
    expect(await project.docker('inspect', '--format', '{{.State.Running}}', api)).toBe('false');
  });

  it('come back when their engine does', { timeout }, async () => {
    const engine = await startPrivateEngine();
    if ('missing' in engine) throw new Error(engine.missing);
    onTestFinished(() => engine.end());
    const own = await makeTestImage(engine.host);
    // Whoever asks them how they are every tenth of a second has asked more often than the circuit allows before the engine is back.
    const healthcheck = { command: 'true', ...often };
    const services = {
      db: { image: own, command: ['sleep', '1000'], healthcheck },
      api: { image: own, command: ['sleep', '1000'], dependsOn: ['db'], healthcheck },
    };
    const resilience = { container, circuitBreaker: { resetTimeoutMs: 600_000 } };
    const project = await containerProject(engine.host, { config: { services, resilience } });
    dataOf(await project.argus('setup', '--guard'));
    const before = await project.containers();
    process.kill(engineProcess(engine), 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await engine.startAgain();
    const { services: now } = await statusWhen(project, recovered(2));
    expect(now).toMatchObject([{ status: 'running' }, { status: 'running' }]);
    expect(await project.containers()).toEqual(before);
    await project.argus('clean');
  });
});
