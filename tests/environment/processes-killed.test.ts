import { describe, expect, it } from 'vitest';
import {
  ask,
  freePorts,
  type ProcessProject,
  processProject,
  serverOn,
  type ToldEvent,
} from './process-project.js';

const atStage = (stage: string) => ({
  what: `the stage ${stage} begins`,
  fits: ({ type, data }: ToldEvent) =>
    type === 'setup_stage' && data?.stage === stage && data.state === 'started',
});
const atState = (service: string, state: string) => ({
  what: `${service} is ${state}`,
  fits: ({ type, data }: ToldEvent) =>
    type === 'service_state' && data?.service === service && data.state === state,
});
const moments = [
  ...['gate', 'build', 'resolve', 'start', 'verify'].map(atStage),
  ...['starting', 'waiting', 'ready'].flatMap((state) => [atState('api', state), atState('web', state)]),
];

async function twoServices() {
  const port = await freePorts(2);
  const services = { api: serverOn(port), web: serverOn(port + 1, { dependsOn: ['api'] }) };
  return { project: await processProject({ services }), services, port };
}

/** The environment is up, and nothing but it is there: two services with one keeper, and their records. */
async function isUpAndAlone(project: ProcessProject, port: number): Promise<void> {
  const { code, data } = await project.argus('setup');
  expect({ code, mappings: data.portMappings }).toMatchObject({
    code: 0,
    mappings: [
      { actualPort: port, reassigned: false },
      { actualPort: port + 1, reassigned: false },
    ],
  });
  expect((await ask(port + 1)).env.ARGUS_PORT_API).toBe(String(port));
  const { processes, records } = await project.leftovers();
  expect(processes).toHaveLength(3);
  expect(records.filter((one) => !one.startsWith('port-leases/')).toSorted()).toEqual([
    ...[`processes/${data.runId}/api`, `processes/${data.runId}/web`, `runs/${data.runId}`],
    expect.stringMatching(/^worktrees\//),
  ]);
}

describe('a setup that is killed', () => {
  it.each(moments)('when $what leaves nothing that the next one cannot mend', async ({ fits }) => {
    const { project, port } = await twoServices();
    const setup = project.start('setup');
    await setup.until(fits);
    setup.child.kill('SIGKILL');
    await setup.ended;
    await isUpAndAlone(project, port);
  });

  it.each(['resolve', 'start', 'verify'].map(atStage))(
    'when $what leaves an environment up that was up before, for everybody',
    async ({ fits }) => {
      const { project, port } = await twoServices();
      const { data: first } = await project.argus('setup');
      const { pid } = await ask(port);
      const setup = project.start('setup');
      await setup.until(fits);
      setup.child.kill('SIGKILL');
      await setup.ended;
      expect((await project.argus('status')).data).toMatchObject({
        run: { id: first.runId, state: 'up', alive: true },
        services: [{ status: 'running' }, { status: 'running' }],
      });
      // It is none of those that are over, whoever asks.
      expect((await project.argus('clean', '--all-runs')).data).toMatchObject({ removed: [] });
      expect((await project.argus('setup')).data).toMatchObject({ runId: first.runId, unchanged: true });
      expect((await ask(port)).pid).toBe(pid);
      expect(await project.argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
      expect(await project.leftovers()).toEqual({ processes: [], records: [] });
    },
  );

  it('while it changes an environment that was up leaves nothing that the next one cannot mend', async () => {
    const { project, port, services } = await twoServices();
    await project.argus('setup');
    await project.configure({
      services: { ...services, web: serverOn(port + 1, { args: ['delay=60000'] }) },
    });
    const setup = project.start('setup');
    await setup.until(atState('web', 'waiting').fits);
    setup.child.kill('SIGKILL');
    await setup.ended;
    await project.configure({ services });
    await isUpAndAlone(project, port);
  });

  it('can be cleaned up after without another setup', async () => {
    const { project } = await twoServices();
    const setup = project.start('setup');
    await setup.until(atState('api', 'ready').fits);
    setup.child.kill('SIGKILL');
    await setup.ended;
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });
});

describe('a clean that is killed', () => {
  const removed = (name: string) => ({
    what: `${name} was removed`,
    fits: ({ type, data }: ToldEvent & { data?: { name?: string } }) =>
      type === 'cleanup_resource' && data?.name === name,
  });

  it.each([removed('web'), removed('api')])('when $what is finished by the next', async ({ fits }) => {
    const { project } = await twoServices();
    await project.argus('setup');
    const clean = project.start('clean');
    await clean.until(fits);
    clean.child.kill('SIGKILL');
    await clean.ended;
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('is made good by a setup', async () => {
    const { project, port } = await twoServices();
    await project.argus('setup');
    const clean = project.start('clean');
    await clean.until(removed('web').fits);
    clean.child.kill('SIGKILL');
    await clean.ended;
    await isUpAndAlone(project, port);
  });
});

describe('a setup that is interrupted', () => {
  const slow = async () => {
    const port = await freePorts(2);
    const services = {
      api: serverOn(port),
      web: serverOn(port + 1, { args: ['delay=60000'], dependsOn: ['api'] }),
    };
    const project = await processProject({ services });
    const setup = project.start('setup');
    await setup.until(atState('web', 'waiting').fits);
    return { project, setup };
  };

  it('takes everything down and says what', async () => {
    const { project, setup } = await slow();
    setup.child.kill('SIGINT');
    const { code, result } = await setup.ended;
    expect({ code, error: result?.error }).toMatchObject({
      code: 130,
      error: {
        code: 'CANCELLED',
        details: { rollback: { removed: ['process web', 'process api'], failed: [] } },
      },
    });
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('ends at once when it is interrupted twice, and the next one mends it', async () => {
    const port = await freePorts(1);
    // It does not stop when it is asked to, so that taking it down takes long. A shell is deaf sooner than Node.
    const stubborn = ['/bin/sh', '-c', `trap '' TERM; while :; do sleep 1; done`];
    const services = { stubborn: { command: stubborn }, slow: serverOn(port, { args: ['delay=60000'] }) };
    const environment = { stopTimeout: '60s' };
    const project = await processProject({ services, environment });
    const setup = project.start('setup');
    let said = '';
    setup.child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await setup.until(atState('stubborn', 'ready').fits);
    await setup.until(atState('slow', 'waiting').fits);
    setup.child.kill('SIGINT');
    // It says that it stops, and that a second one would be heard.
    await new Promise<void>((resolve) => setup.child.stderr?.once('data', () => resolve()));
    // One that comes at once is taken for the first.
    const again = setInterval(() => setup.child.kill('SIGINT'), 50);
    expect(await setup.ended).toMatchObject({ code: 130, result: undefined });
    clearInterval(again);
    expect(said).toContain('Services that it had started may still run; argus clean takes them down');
    const other = { command: ['sleep', '600'] };
    await project.configure({ services: { other }, environment: { stopTimeout: '0ms' } });
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    expect((await project.leftovers()).processes).toHaveLength(2);
  });
});

describe('a clean that is interrupted', () => {
  it('leaves the rest to the next one', async () => {
    const stubborn = [process.execPath, '-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`];
    const services = { a: { command: ['sleep', '600'], dependsOn: ['b'] }, b: { command: stubborn } };
    const project = await processProject({ services, environment: { stopTimeout: '60s' } });
    await project.argus('setup');
    const clean = project.start('clean');
    await clean.until(({ type }) => type === 'cleanup_resource');
    clean.child.kill('SIGINT');
    expect(await clean.ended).toMatchObject({ code: 130 });
    await project.configure({ services, environment: { stopTimeout: '0ms' } });
    const again = await project.argus('clean');
    expect(again.data.removed.map(({ name }) => name)).toEqual(['b']);
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });
});

describe('a repair that is interrupted', () => {
  it('leaves a record of what it has not removed, by which everybody finds it', async () => {
    const port = await freePorts(1);
    const stubborn = { command: ['/bin/sh', '-c', `trap '' TERM; while :; do sleep 1; done`] };
    const services = { stubborn, slow: serverOn(port, { args: ['delay=60000'], dependsOn: ['stubborn'] }) };
    const project = await processProject({ services, environment: { stopTimeout: '60s' } });
    const setup = project.start('setup');
    await setup.until(atState('slow', 'waiting').fits);
    setup.child.kill('SIGKILL');
    await setup.ended;
    const fix = project.start('fix', '--yes');
    await fix.until(({ type }) => type === 'cleanup_start');
    fix.child.kill('SIGINT');
    expect(await fix.ended).toMatchObject({ code: 130 });
    const { code, data } = await project.argus('status');
    expect({ code, data }).toMatchObject({ code: 1, data: { run: { state: 'stopping', alive: false } } });
    expect(data.services).toContainEqual(expect.objectContaining({ name: 'stubborn', status: 'running' }));
    await project.configure({ services, environment: { stopTimeout: '0ms' } });
    const { removed } = (await project.argus('clean')).data;
    expect(removed.map(({ name }) => name)).toContain('stubborn');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });
});
