import { describe, expect, it } from 'vitest';
import { ArgusError } from '../../model/argus-error.js';
import { definePlugin, type Plugin } from '../../model/plugin.js';
import { portConflict } from '../../model/start-error-codes.js';
import { pause } from '../../time/pause.js';
import { healthcheck, makeWorld, modelService, type World } from '../fixtures/environment-kernel.js';
import type { ModelRuntime } from '../fixtures/model-runtime.js';
import { ModelRuntime as Model } from '../fixtures/model-runtime.js';
import { currentRun } from '../runs/claim-run.js';
import { letGo, newHolder } from '../runs/holders.js';
import type { RunRecord, RunService } from '../runs/run-record.js';
import { changeRun, forgetRun, runsOf } from '../runs/runs.js';
import { setUp } from './set-up.js';

const build = { build: true };

function setting(world: World, config: Record<string, unknown>, rest: Parameters<World['open']>[1] = {}) {
  return world.passing(setUp(world.open(config, rest), build, world.signal));
}

/** The error that a setup ends with. */
async function failing(work: Promise<unknown>) {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ArgusError)) throw new Error(`it did not fail with a code: ${String(thrown)}`);
  return thrown.error;
}

const taken = (service: string, port: number) =>
  new ArgusError(portConflict, { message: 'taken', details: { service, port, protocol: 'tcp' } });

/** Gives every service that asks for a refused port the next one. */
const movingPorts: Plugin = definePlugin({
  name: 'moving',
  apply: ({ hooks }) =>
    hooks.resolveEnvironment.tapPromise('moving', async (resolution) => {
      const move = (port: number): number => (resolution.refused.includes(port) ? move(port + 1) : port);
      const ports = resolution.services.flatMap(({ name, ports }) =>
        ports.map(({ host }) => ({ name, asked: host ?? 0, given: move(host ?? 0) })),
      );
      return {
        ...resolution,
        services: resolution.services.map((service) => ({
          ...service,
          ports: service.ports.map((port) => ({ ...port, host: move(port.host ?? 0) })),
        })),
        portMappings: ports.map(({ name, asked, given }) => ({
          service: name,
          originalPort: asked,
          actualPort: given,
          reassigned: asked !== given,
        })),
      };
    }),
});

/** The note of a service that somebody was about to stop. */
function markedAsStopped({ services }: RunRecord, name: string): Record<string, RunService> {
  const note = services[name];
  return note ? { [name]: { ...note, stops: true } } : {};
}

const healthy = (ports: string[], rest: object = {}) => modelService({ ports, healthcheck, ...rest });

async function nothingIsLeft({ runtime, store }: World): Promise<void> {
  expect(runtime.size).toBe(0);
  expect(await runsOf(store, 'test')).toEqual([]);
  expect(await store.list('worktrees')).toEqual([]);
}

describe('a setup of a project without services', () => {
  it('says that there is nothing to start, whatever is wrong with what nobody needs', async () => {
    const world = makeWorld();
    const engine = definePlugin({
      name: 'engine',
      apply: ({ hooks }) =>
        hooks.checkers.tap('engine', (checkers) =>
          checkers.add({ name: 'engine.there', check: () => Promise.reject(new Error('no engine')) }),
        ),
    });
    expect(await failing(setting(world, {}, { plugins: [engine] }))).toMatchObject({
      code: 'USAGE_INVALID',
      message:
        'There is nothing to start: the project test in /project has no services and no mocks in its configuration',
      details: { project: 'test', dir: '/project' },
      suggestedActions: ['init'],
    });
    expect(world.events).toEqual([]);
    await nothingIsLeft(world);
  });

  it('leaves alone what is up from before, and says how to take it down', async () => {
    const world = makeWorld();
    await setting(world, { services: { api: healthy(['8080:80']) } });
    expect(await failing(setting(world, {}))).toMatchObject({
      code: 'USAGE_INVALID',
      message: expect.stringContaining('what an earlier setup brought up is still there'),
      suggestedActions: ['clean'],
    });
    expect(await currentRun(world.open({}))).toMatchObject({ state: 'up', services: { api: {} } });
  });
});

describe('a setup', () => {
  it('starts services in the order of what they depend on and says where they are', async () => {
    const world = makeWorld();
    const services = {
      web: healthy(['8080:80'], { dependsOn: ['api'] }),
      api: healthy(['9090:90'], { vars: { url: 'http://localhost:9090' } }),
    };
    const result = await setting(world, { services });
    expect(world.runtime.calls).toEqual(['start api', 'start web']);
    expect(result).toMatchObject({
      unchanged: false,
      services: [
        { name: 'web', status: 'ready', runtime: 'model', endpoints: ['http://localhost:8080'] },
        { name: 'api', status: 'ready', endpoints: ['http://localhost:9090'] },
      ],
      vars: { url: 'http://localhost:9090' },
      env: { ARGUS_PORT_API: '9090', ARGUS_URL_WEB: 'http://localhost:8080' },
      leaseUntil: expect.any(Number),
    });
    expect(Object.keys(result.stages)).toEqual(['gate', 'build', 'resolve', 'start', 'verify']);
    expect(await currentRun(world.open({ services }))).toMatchObject({ id: result.runId, state: 'up' });
  });

  it('leaves everything as it is the second time, and says so', async () => {
    const world = makeWorld();
    const services = {
      migrate: modelService({ oneShot: true, dependsOn: ['db'] }),
      db: healthy(['5432:5432']),
    };
    world.runtime.behaviours.migrate = { exits: { code: 0, afterMs: 100 } };
    const first = await setting(world, { services });
    expect(first.services.map(({ status }) => status)).toEqual(['done', 'ready']);
    await world.clock.advance(1_000);
    const second = await setting(world, { services });
    expect(second).toMatchObject({ runId: first.runId, unchanged: true });
    expect(second.services.map(({ status }) => status)).toEqual(['done', 'kept']);
    expect(world.runtime.calls).toEqual(['start db', 'start migrate']);
    expect(second.leaseUntil).toBeGreaterThan(first.leaseUntil);
  });

  it('has what runs already put right before it waits for its health', async () => {
    const world = makeWorld();
    const services = { db: healthy([]), api: healthy([], { dependsOn: ['db'] }) };
    await setting(world, { services });
    let well = false;
    const asked: string[][] = [];
    world.runtime.behaviours.api = { exec: () => (well ? 0 : 1) };
    const mending = definePlugin({
      name: 'mending',
      apply: ({ hooks }) =>
        hooks.repairServices.tapPromise('mending', async ({ services: running, repaired }) => {
          asked.push(running.map(({ name }) => name));
          well = true;
          repaired('api', 'connected again');
        }),
    });
    const more = { ...services, web: healthy([]) };
    const result = await setting(world, { services: more }, { plugins: [mending] });
    expect(result.services.map(({ status }) => status)).toEqual(['kept', 'kept', 'ready']);
    expect(asked).toEqual([['db', 'api']]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ data: { service: 'api', state: 'waiting', message: 'connected again' } }),
    );
    // What was put right was not as it should be.
    const again = await setting(world, { services: more }, { plugins: [mending] });
    expect(again.unchanged).toBe(false);
    expect((await setting(world, { services: more })).unchanged).toBe(true);
  });

  it('does a one-shot again when what it depends on was started anew', async () => {
    const world = makeWorld();
    const services = { migrate: modelService({ oneShot: true, dependsOn: ['db'] }), db: healthy([]) };
    world.runtime.behaviours.migrate = { exits: { code: 0, afterMs: 100 } };
    await setting(world, { services });
    await setting(world, { services: { ...services, db: healthy([], { environment: { A: '1' } }) } });
    expect(world.runtime.calls.slice(2)).toEqual([
      'remove db',
      'start db',
      'remove migrate',
      'start migrate',
    ]);
  });

  it('does a one-shot again that had failed', async () => {
    const world = makeWorld();
    const services = { seed: modelService({ oneShot: true }) };
    world.runtime.behaviours.seed = { exits: { code: 0, afterMs: 0 } };
    await setting(world, { services });
    world.runtime.behaviours.seed = { exits: { code: 1, afterMs: 0 } };
    expect(await failing(setting(world, { services }))).toMatchObject({ code: 'SERVICE_START_FAILED' });
    expect(world.runtime.calls.filter((call) => call === 'start seed')).toHaveLength(2);
  });

  it('replaces a changed service and only it', async () => {
    const world = makeWorld();
    const services = { a: healthy(['8001:1']), b: healthy(['8002:2'], { dependsOn: ['a'] }) };
    await setting(world, { services });
    const changed = { ...services, a: healthy(['8001:1'], { environment: { COLOUR: 'red' } }) };
    const result = await setting(world, { services: changed });
    expect(world.runtime.calls.slice(2)).toEqual(['remove a', 'start a']);
    expect(result.unchanged).toBe(false);
    expect(result.services.map(({ status }) => status)).toEqual(['ready', 'kept']);
  });

  it('replaces a service that an earlier one has told to stop before it was killed, whatever it looks like', async () => {
    const world = makeWorld();
    const services = { a: modelService(), b: modelService() };
    const { runId } = await setting(world, { services });
    await changeRun(world.store, runId, (record) => ({
      ...record,
      services: { ...record.services, ...markedAsStopped(record, 'b') },
    }));
    world.runtime.calls.length = 0;
    const result = await setting(world, { services });
    expect(world.runtime.calls).toEqual(['remove b', 'start b']);
    expect(result.services).toMatchObject([{ status: 'kept' }, { status: 'ready' }]);
    world.runtime.calls.length = 0;
    expect((await setting(world, { services })).unchanged).toBe(true);
  });

  it('restarts with a service those that say so, and so on, whether they wait for it or not', async () => {
    const world = makeWorld();
    const services = {
      far: healthy([], { restartWith: ['near'] }),
      near: healthy([], { restartWith: ['db'] }),
      api: healthy([], { dependsOn: ['db'], restartWith: ['db'] }),
      other: healthy([], { dependsOn: ['db'] }),
      db: healthy([]),
    };
    await setting(world, { services });
    expect((await setting(world, { services })).unchanged).toBe(true);
    world.runtime.crash('db');
    const result = await setting(world, { services });
    expect(result.services.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...['far ready', 'near ready', 'api ready', 'other kept', 'db ready'],
    ]);
    const starts = world.runtime.calls.filter((call) => call.startsWith('start')).slice(5);
    expect(starts).toEqual(['start db', 'start api', 'start near', 'start far']);
    expect((await setting(world, { services })).unchanged).toBe(true);
  });

  it('replaces a service that is paused, because it does nothing', async () => {
    const world = makeWorld();
    const kernel = world.open({ services: { api: modelService(), web: modelService() } });
    await world.passing(setUp(kernel, { build: false }, world.signal));
    world.runtime.behaviours.api = { paused: () => true };
    const again = setUp(kernel, { build: false }, world.signal);
    world.runtime.calls.length = 0;
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'service_state' && 'state' in data && data.state === 'starting')
        world.runtime.behaviours.api = {};
    });
    expect((await world.passing(again)).unchanged).toBe(false);
    expect(world.runtime.calls).toEqual(['remove api', 'start api']);
  });

  it('stops a service that is no longer configured, without touching the others, and says so', async () => {
    const world = makeWorld();
    const services = { a: healthy(['8001:1'], { dependsOn: ['c'] }), b: healthy(['8002:2']), c: healthy([]) };
    await setting(world, { services });
    const { b: _, ...rest } = services;
    const result = await setting(world, { services: rest });
    expect(world.runtime.calls.slice(3)).toEqual(['remove b']);
    expect(result).toMatchObject({
      unchanged: false,
      services: [{ status: 'kept' }, { status: 'kept' }],
      removed: ['b'],
    });
    expect(await setting(world, { services: rest })).toMatchObject({ unchanged: true, removed: [] });
    expect(Object.keys((await currentRun(world.open({})))?.services ?? {})).toEqual(['c', 'a']);
  });

  it('does not touch a service when another one is added that it does not depend on', async () => {
    const world = makeWorld();
    const services = { a: healthy(['8001:1']), b: healthy(['8002:2'], { dependsOn: ['a'] }) };
    await setting(world, { services });
    await setting(world, { services: { ...services, c: healthy(['8003:3']) } });
    expect(world.runtime.calls).toEqual(['start a', 'start b', 'start c']);
  });

  it('stops what is no longer configured before it gives out ports', async () => {
    const world = makeWorld();
    const heldBy: string[][] = [];
    const watching = definePlugin({
      name: 'watching',
      apply: ({ hooks }) =>
        hooks.resolveEnvironment.tap('watching', (resolution) => {
          heldBy.push([...world.runtime.services.keys()]);
          return resolution;
        }),
    });
    await setting(world, { services: { old: healthy(['8080:80']) } });
    await setting(world, { services: { renamed: healthy(['8080:80']) } }, { plugins: [watching] });
    expect(heldBy).toEqual([[]]);
  });

  it.each([
    ['the port inside changes', { a: ['8080:81'] }, []],
    ['the address changes', { a: ['0.0.0.0:8080:80'] }, []],
    ['another service gets its port', { a: ['8081:80'], b: ['8080:80'] }, []],
    ['the port is one of a range now', { a: ['8080-8089:81'] }, []],
    ['a second port is added', { a: ['8080:80', '8081:80'] }, ['a']],
    ['a port goes that nobody asks for', { a: ['8082:80'] }, ['a']],
    ['any port will do', { a: ['80'] }, ['a']],
  ])(
    'stops what is to give up a port that is asked for before it gives out ports: %s',
    async (_, to, held) => {
      const world = makeWorld();
      const heldBy: string[][] = [];
      const watching = definePlugin({
        name: 'watching',
        apply: ({ hooks }) =>
          hooks.resolveEnvironment.tap('watching', (resolution) => {
            heldBy.push([...world.runtime.services.keys()]);
            return resolution;
          }),
      });
      await setting(world, { services: { a: healthy(['8080:80']) } });
      const services = Object.fromEntries(
        Object.entries<string[]>(to).map(([name, ports]) => [name, healthy(ports)]),
      );
      world.runtime.behaviours.a = { port: 8080 };
      await setting(world, { services }, { plugins: [watching] });
      expect(heldBy).toEqual([held]);
    },
  );

  it('ends a service on the runtime it ran on when it moves to another', async () => {
    const isCommand = ({ image }: { image?: string }) => image === undefined;
    let commands: ModelRuntime | undefined;
    const world = makeWorld((clock) => {
      commands = new Model(clock, { name: 'commands', runs: isCommand });
      return [commands, new Model(clock, { name: 'images', runs: (service) => !isCommand(service) })];
    });
    await setting(world, { services: { api: modelService() } });
    const result = await setting(world, { services: { api: { image: 'api' } } });
    expect(result).toMatchObject({ services: [{ name: 'api', runtime: 'images' }], removed: [] });
    expect(commands?.services.size).toBe(0);
  });

  it('tells dependents where what they depend on is, and fills in ports and variables', async () => {
    const world = makeWorld();
    const services = {
      db: healthy(['5432:5432'], { vars: { db_url: 'pg://localhost:5432/x' } }),
      api: healthy(['9090:90'], { dependsOn: ['db'], environment: { ARGUS_PORT_DB: 'mine' } }),
      web: healthy([], {
        command: ['serve', '{{ports.api}}'],
        environment: { DB: '{{vars.db_url}}', PORT_90: '{{ports.api.90}}' },
        dependsOn: ['api'],
      }),
      alone: healthy([]),
    };
    await setting(world, { services });
    const environmentOf = (name: string) => world.runtime.services.get(name)?.environment;
    expect(world.runtime.services.get('web')?.command).toEqual(['serve', '9090']);
    expect(environmentOf('web')).toEqual({
      DB: 'pg://localhost:5432/x',
      PORT_90: '9090',
      ARGUS_PORT_API: '9090',
      ARGUS_URL_API: 'http://localhost:9090',
      ARGUS_PORT_DB: '5432',
      ARGUS_URL_DB: 'tcp://localhost:5432',
    });
    expect(environmentOf('api')).toEqual({ ARGUS_PORT_DB: 'mine', ARGUS_URL_DB: 'tcp://localhost:5432' });
    expect(environmentOf('alone')).toEqual({});
  });

  it('learns the ports that a runtime chooses, and stays as it is the second time', async () => {
    const world = makeWorld();
    world.runtime.behaviours.api = { port: 40_123 };
    const services = {
      api: modelService({ image: 'x', ports: ['80'] }),
      web: modelService({ environment: { API: '{{ports.api}}' }, dependsOn: ['api'] }),
    };
    const result = await setting(world, { services });
    expect(result.services[0]?.endpoints).toEqual(['http://localhost:40123']);
    expect(world.runtime.services.get('web')?.environment.API).toBe('40123');
    expect(await setting(world, { services })).toMatchObject({ unchanged: true });
  });

  it('builds images first unless told not to, and replaces what was built anew', async () => {
    const world = makeWorld();
    const services = { api: { build: '.' } };
    await setting(world, { services });
    expect(world.runtime.calls).toEqual(['build api', 'start api']);
    const result = await world.passing(setUp(world.open({ services }), { build: false }, world.signal));
    expect(result).toMatchObject({ unchanged: true, services: [{ name: 'api' }] });
    world.runtime.builds = 'another image';
    expect(await setting(world, { services })).toMatchObject({ unchanged: false });
    expect(world.runtime.calls).toEqual(['build api', 'start api', 'build api', 'remove api', 'start api']);
  });

  it('uses what runtimes make for the whole run', async () => {
    const world = makeWorld();
    await setting(world, { services: { api: modelService() } });
    expect(world.runtime.size).toBe(2);
  });

  it('has the report of the checks in its result, and of cleaning only where there was something to clean', async () => {
    const world = makeWorld();
    const fine = definePlugin({
      name: 'fine',
      apply({ hooks }) {
        hooks.checkers.tap('fine', (checkers) =>
          checkers.add({ name: 'fine.all', check: async ({ pass }) => pass('fine') }),
        );
        hooks.prepareEnvironment.tap('fine', ({ report }) => report('orphanCleanup', { found: 0 }));
      },
    });
    const services = { a: healthy(['8001:1']) };
    const result = await setting(world, { services }, { plugins: [fine, movingPorts] });
    expect(Object.keys(result).sort()).toEqual([
      ...[
        'env',
        'leaseUntil',
        'portMappings',
        'preflight',
        'removed',
        'resumed',
        'runId',
        'services',
        'stages',
        'unchanged',
        'vars',
      ],
    ]);
    expect(result).toMatchObject({
      preflight: { overall: 'healthy', checks: [{ name: 'fine.all' }] },
      portMappings: [{ service: 'a', originalPort: 8001, actualPort: 8001, reassigned: false }],
    });
  });

  it.each([
    ['is taking it down', 'stopping'],
    ['has taken it down', undefined],
  ] as const)('is not up when somebody else %s', async (_, state) => {
    const world = makeWorld();
    const stranger = { host: 'elsewhere', pid: 1, startedAt: 'x' };
    const meddling = definePlugin({
      name: 'meddling',
      apply: ({ hooks }) =>
        hooks.verifyEnvironment.tapPromise('meddling', async ({ run }) => {
          if (state === undefined) await forgetRun(world.store, run.id);
          else await changeRun(world.store, run.id, (record) => ({ ...record, state, owner: stranger }));
        }),
    });
    const services = { a: healthy(['8001:1']) };
    expect(await failing(setting(world, { services }, { plugins: [meddling] }))).toMatchObject({
      code: 'CANCELLED',
      message: expect.stringMatching(/^The run \w+ was taken from this setup/),
      details: { rollback: { failed: [] } },
    });
    await nothingIsLeft(world);
  });

  it('is not up when a service ends while it is verified', async () => {
    const world = makeWorld();
    const slow = definePlugin({
      name: 'slow',
      apply: ({ hooks, clock }) =>
        hooks.verifyEnvironment.tapPromise('slow', async () => {
          world.runtime.crash('a');
          await pause(clock, 101);
        }),
    });
    expect(
      await failing(setting(world, { services: { a: modelService() } }, { plugins: [slow] })),
    ).toMatchObject({ code: 'SERVICE_START_FAILED', details: { service: 'a', reason: 'exited' } });
    await nothingIsLeft(world);
  });

  it('adds what the stages report', async () => {
    const world = makeWorld();
    const reporting = definePlugin({
      name: 'reporting',
      apply: ({ hooks }) => {
        hooks.prepareEnvironment.tap('reporting', ({ report }) => report('orphanCleanup', { found: 0 }));
        hooks.verifyEnvironment.tap('reporting', ({ report, services }) =>
          report('networkVerification', { services: services.map(({ name }) => name) }),
        );
      },
    });
    const config = { services: { a: modelService() }, resilience: { preflight: { enabled: false } } };
    const result = await setting(world, config, { plugins: [reporting] });
    expect(result.orphanCleanup).toEqual({ found: 0 });
    expect(result.networkVerification).toEqual({ services: ['a'] });
    expect(result.preflight).toBeUndefined();
  });
});

describe('a port that turns out to be taken', () => {
  const services = {
    api: healthy(['9090:90'], { vars: { url: 'http://localhost:9090' } }),
    web: healthy([]),
  };

  it('is replaced and the start is tried again', async () => {
    const world = makeWorld();
    world.runtime.breaks('start api', taken('api', 9090), 1);
    const result = await setting(world, { services }, { plugins: [movingPorts] });
    expect(result.services[0]?.endpoints).toEqual(['http://localhost:9091']);
    expect(result.vars).toEqual({ url: 'http://localhost:9091' });
    expect(result.portMappings).toEqual([
      { service: 'api', originalPort: 9090, actualPort: 9091, reassigned: true },
    ]);
    expect(world.runtime.calls.filter((call) => call === 'start web')).toHaveLength(1);
  });

  it('is no failure of the stage, whose duration counts all tries', async () => {
    const world = makeWorld();
    world.runtime.breaks('start api', taken('api', 9090), 1);
    const waiting = { web: healthy([]), api: { ...services.api, dependsOn: ['web'] } };
    world.runtime.behaviours.web = { startMs: 3_000 };
    const { stages } = await setting(world, { services: waiting }, { plugins: [movingPorts] });
    const told = world.events.flatMap(({ type, data }) =>
      type === 'setup_stage' && data.stage === 'start' && data.state !== 'started' ? [data] : [],
    );
    expect(told).toMatchObject([{ state: 'again' }, { state: 'done', duration: stages.start }]);
    expect(stages.start).toBeGreaterThanOrEqual(3_000);
  });

  it('does not make what this setup has started look as if it had been left alone', async () => {
    const world = makeWorld();
    const waiting = { web: healthy([]), api: { ...services.api, dependsOn: ['web'] } };
    const plugins = { plugins: [movingPorts] };
    world.runtime.breaks('start api', taken('api', 9090), 1);
    const first = await setting(world, { services: waiting }, plugins);
    expect(first.services.map(({ status }) => status)).toEqual(['ready', 'ready']);
    expect(world.runtime.calls.filter((call) => call === 'start web')).toHaveLength(1);
    const states = world.events.flatMap(({ type, data }) => (type === 'service_state' ? [data.state] : []));
    expect(states).not.toContain('kept');
    world.runtime.breaks('start api', taken('api', 9091), 1);
    const changed = { ...waiting, api: { ...waiting.api, environment: { A: '1' } } };
    const second = await setting(world, { services: changed }, plugins);
    expect(second.services.map(({ status }) => status)).toEqual(['kept', 'ready']);
  });

  it('does not spare what goes with a service that the try before has started', async () => {
    const world = makeWorld();
    const before = {
      db: healthy([]),
      migrate: modelService({ oneShot: true, dependsOn: ['db'] }),
      near: healthy([], { restartWith: ['db'] }),
      api: services.api,
    };
    world.runtime.behaviours.migrate = { exits: { code: 0, afterMs: 100 } };
    const plugins = { plugins: [movingPorts] };
    await setting(world, { services: before }, plugins);
    world.runtime.crash('api');
    world.runtime.calls.length = 0;
    world.runtime.breaks('start api', taken('api', 9090), 1);
    // Not healthy before the port of the other is lost, so that nothing else is started in that try.
    const isAgain = () => world.events.some(({ data }) => 'state' in data && data.state === 'again');
    world.runtime.behaviours.db = { exec: () => (isAgain() ? 0 : 1) };
    const changed = { ...before, db: healthy([], { environment: { A: '1' } }) };
    const result = await setting(world, { services: changed }, plugins);
    expect(result.services.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...['db ready', 'migrate done', 'near ready', 'api ready'],
    ]);
    const starts = world.runtime.calls.filter((call) => call.startsWith('start'));
    expect(starts.toSorted()).toEqual(['start api', 'start api', 'start db', 'start migrate', 'start near']);
  });

  it('makes the others be looked at again that do not run yet', async () => {
    const world = makeWorld();
    const asked: (readonly string[] | undefined)[] = [];
    const watching = definePlugin({
      name: 'watching',
      apply: ({ hooks }) =>
        hooks.resolveEnvironment.tapPromise('watching', async (resolution) => {
          asked.push(resolution.running);
          return resolution;
        }),
    });
    world.runtime.breaks('start api', taken('api', 9090), 1);
    const waiting = { web: healthy([]), api: { ...services.api, dependsOn: ['web'] } };
    await setting(world, { services: waiting }, { plugins: [watching, movingPorts] });
    expect(asked).toEqual([undefined, ['web']]);
  });

  it('is given up after some tries', async () => {
    const world = makeWorld();
    world.runtime.breaks('start api', taken('api', 9090));
    const error = await failing(setting(world, { services }, { plugins: [movingPorts] }));
    expect(error).toMatchObject({ code: 'PORT_CONFLICT', details: { rollback: { failed: [] } } });
    expect(world.runtime.calls.filter((call) => call === 'start api')).toHaveLength(5);
    await nothingIsLeft(world);
  });

  it('is an error at once when a container spells it out, because no other one will do', async () => {
    const world = makeWorld();
    const details = { service: 'api', port: 9090, protocol: 'tcp', reason: 'spelt-out' } as const;
    world.runtime.breaks('start api', new ArgusError(portConflict, { message: 'taken', details }));
    const error = await failing(setting(world, { services }, { plugins: [movingPorts] }));
    expect(error).toMatchObject({ code: 'PORT_CONFLICT', details: { reason: 'spelt-out' } });
    expect(world.runtime.calls.filter((call) => call === 'start api')).toHaveLength(1);
    const told = world.events.flatMap(({ type, data }) =>
      type === 'setup_stage' && data.stage === 'start' ? [data.state] : [],
    );
    expect(told).toEqual(['started', 'failed']);
    await nothingIsLeft(world);
  });

  it('is an error at once when ports may not be moved', async () => {
    const world = makeWorld();
    world.runtime.breaks('start api', taken('api', 9090));
    const resilience = { network: { portConflictStrategy: 'fail' } };
    const error = await failing(setting(world, { services, resilience }, { plugins: [movingPorts] }));
    expect(error.code).toBe('PORT_CONFLICT');
    expect(world.runtime.calls.filter((call) => call === 'start api')).toHaveLength(1);
    await nothingIsLeft(world);
  });
});

describe('a setup that fails', () => {
  it('takes down what it had started, dependents first, and says what was', async () => {
    const world = makeWorld();
    const services = {
      db: healthy([]),
      api: healthy([], { dependsOn: ['db'] }),
      web: healthy([], { dependsOn: ['api'] }),
    };
    world.runtime.behaviours.web = { exec: () => 1 };
    const error = await failing(setting(world, { services }));
    expect(error).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      details: {
        service: 'web',
        rollback: {
          removed: ['container web', 'container api', 'container db', 'network network'],
          failed: [],
        },
      },
    });
    expect(world.runtime.calls.slice(3)).toEqual(['remove web', 'remove api', 'remove db', 'remove network']);
    await nothingIsLeft(world);
  });

  it('asks plugins what else there is to know of a service that does not become healthy, before it is gone', async () => {
    const world = makeWorld();
    const seen: string[][] = [];
    const knowing = definePlugin({
      name: 'knowing',
      apply: ({ hooks }) =>
        hooks.diagnoseService.tapPromise(
          'knowing',
          async ({ service, services, report, suggest, explain }) => {
            seen.push(services.map(({ name }) => name));
            report('network', { of: service.name, there: world.runtime.services.has('web') });
            suggest('clean');
            explain('it was told not to be');
            return new Promise(() => undefined);
          },
        ),
    });
    const services = {
      db: healthy([]),
      web: healthy([], { dependsOn: ['db'] }),
      later: healthy([], { dependsOn: ['web'] }),
    };
    world.runtime.behaviours.web = { exec: () => 1 };
    expect(await failing(setting(world, { services }, { plugins: [knowing] }))).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: expect.stringMatching(/^web did not become healthy: .*; it was told not to be$/s),
      details: {
        diagnosis: { network: { of: 'web', there: true }, gap: 'it did not end within 15000 ms' },
        rollback: { failed: [] },
      },
      suggestedActions: ['clean', 'setup'],
    });
    expect(seen).toEqual([['db', 'web']]);
    await nothingIsLeft(world);
  });

  it('does not wait for the health of the others', async () => {
    const world = makeWorld();
    const patient = { ...healthcheck, retries: 100, startPeriod: '1h' };
    const services = { slow: modelService({ healthcheck: patient }), bad: modelService() };
    world.runtime.behaviours.slow = { exec: () => 1 };
    world.runtime.behaviours.bad = { exits: { code: 3, afterMs: 0 } };
    const begun = world.clock.now();
    expect(await failing(setting(world, { services }))).toMatchObject({
      code: 'SERVICE_START_FAILED',
      details: { service: 'bad', reason: 'exited', exitCode: 3 },
    });
    expect(world.clock.now() - begun).toBeLessThan(60_000);
    await nothingIsLeft(world);
  });

  it('tells the first failure, not one that followed from it', async () => {
    const world = makeWorld();
    const services = {
      first: healthy([], { dependsOn: ['second'] }),
      second: healthy([]),
      third: healthy([]),
    };
    world.runtime.behaviours.third = { startMs: 60_000 };
    world.runtime.breaks('start second', new Error('it broke'));
    expect(await failing(setting(world, { services }))).toMatchObject({ message: 'it broke' });
  });

  it('says what could not be taken down, and leaves a record so that it can be tried again', async () => {
    const world = makeWorld();
    world.runtime.breaks('start b', new Error('it broke'));
    world.runtime.breaks('remove a', new Error('it is busy'));
    const services = { a: modelService(), b: modelService({ dependsOn: ['a'] }) };
    const { details } = await failing(setting(world, { services }));
    expect(details.rollback).toEqual({
      removed: ['network network'],
      left: [],
      failed: ['container a: it is busy'],
    });
    world.runtime.mends('remove a');
    world.runtime.mends('start b');
    const result = await setting(world, { services });
    expect(result.runId).not.toBe(details.runId);
    expect((await runsOf(world.store, 'test')).map(({ id }) => id)).toEqual([result.runId]);
    expect(world.runtime.size).toBe(3);
  });

  it('leaves what was up before and was not touched, takes down the rest, and says so', async () => {
    const world = makeWorld();
    const [db, ill] = [healthy(['5432:5432']), healthy(['80:80'], { dependsOn: ['db'] })];
    const { runId } = await setting(world, { services: { db, api: ill } }, { plugins: [movingPorts] });
    world.runtime.behaviours.web = { exec: () => 1 };
    const changed = { ...ill, environment: { A: '1' } };
    const services = { db, api: changed, web: healthy(['81:81'], { dependsOn: ['api'] }) };
    expect(await failing(setting(world, { services }, { plugins: [movingPorts] }))).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      details: {
        service: 'web',
        runId,
        rollback: { removed: ['container web', 'container api'], left: ['db'], gone: ['api'], failed: [] },
      },
      suggestedActions: ['setup'],
    });
    expect([...world.runtime.services.keys()]).toEqual(['db']);
    const run = await currentRun(world.open({ services }));
    expect(run).toMatchObject({ id: runId, state: 'up' });
    expect(Object.keys(run?.services ?? {})).toEqual(['db']);
    world.runtime.behaviours.web = {};
    const result = await setting(world, { services }, { plugins: [movingPorts] });
    expect(result).toMatchObject({ runId, services: [{ name: 'db', status: 'kept' }, {}, {}] });
  });

  it('leaves a service that it kept and that is not well, of which there is a log then', async () => {
    const world = makeWorld();
    const services = { db: healthy([]), api: healthy([], { dependsOn: ['db'] }) };
    await setting(world, { services });
    world.runtime.behaviours.api = { exec: () => 1 };
    expect(await failing(setting(world, { services }))).toMatchObject({
      details: { service: 'api', rollback: { removed: [], left: ['db', 'api'], failed: [] } },
    });
    expect(world.runtime.size).toBe(3);
  });

  it('takes everything down when nothing of what was up before runs any more', async () => {
    const world = makeWorld();
    await setting(world, { services: { a: modelService() } });
    world.runtime.crash('a');
    world.runtime.breaks('start b', new Error('it broke'));
    const services = { b: modelService(), a: modelService({ dependsOn: ['b'] }) };
    await failing(setting(world, { services }));
    await nothingIsLeft(world);
  });

  it('keeps in the record what it has started beside what was up and could not take down', async () => {
    const world = makeWorld();
    await setting(world, { services: { a: modelService() } });
    world.runtime.behaviours.b = { exec: () => 1 };
    world.runtime.breaks('remove b', new Error('it is busy'));
    const services = { a: modelService(), b: healthy([]) };
    expect(await failing(setting(world, { services }))).toMatchObject({
      details: { rollback: { removed: [], left: ['a'], failed: ['container b: it is busy'] } },
    });
    expect(await currentRun(world.open({ services }))).toMatchObject({
      state: 'up',
      services: { a: {}, b: {} },
    });
  });

  it('leaves a run to those who held it, and ends it when all of them have let go meanwhile', async () => {
    const world = makeWorld();
    const [first, second] = [await newHolder(), await newHolder()];
    const services = { a: modelService(), b: modelService({ environment: { A: '1' } }) };
    const kernel = world.open({ services: { a: modelService() } });
    const { runId } = await world.passing(setUp(kernel, { ...build, holder: first }, world.signal));
    world.runtime.breaks('start b', new Error('it broke'));
    const again = (holder = second) => setUp(world.open({ services }), { ...build, holder }, world.signal);
    await failing(world.passing(again()));
    expect((await currentRun(kernel))?.holders).toEqual([first]);
    await failing(world.passing(setUp(world.open({ services }), build, world.signal)));
    expect((await currentRun(kernel))?.holders).toEqual([first]);
    const onClaim = async () => void (await letGo(kernel, runId, first));
    const holder = second;
    await failing(
      world.passing(setUp(world.open({ services }), { ...build, holder, onClaim }, world.signal)),
    );
    await nothingIsLeft(world);
  });

  it('does not take services for started that ended while others were', async () => {
    const world = makeWorld();
    world.runtime.behaviours.brief = { exits: { code: 9, afterMs: 2_000 } };
    world.runtime.behaviours.slow = { exec: (ranMs) => (ranMs > 4_000 ? 0 : 1) };
    world.runtime.output.brief = ['one', 'two'];
    const patient = { ...healthcheck, startPeriod: '1m' };
    const services = { brief: healthy([]), slow: modelService({ healthcheck: patient }) };
    expect(await failing(setting(world, { services }))).toMatchObject({
      code: 'SERVICE_START_FAILED',
      details: { service: 'brief', exitCode: 9, lines: ['one', 'two'] },
    });
    const told = world.events.map(({ data }) => data);
    expect(told).toContainEqual(expect.objectContaining({ service: 'brief', state: 'failed' }));
    await nothingIsLeft(world);
  });

  it('fails with what a stage throws', async () => {
    const world = makeWorld();
    const failingLast = definePlugin({
      name: 'last',
      apply: ({ hooks }) =>
        hooks.verifyEnvironment.tapPromise('last', () => Promise.reject(new Error('unreachable'))),
    });
    const error = await failing(
      setting(world, { services: { a: modelService() } }, { plugins: [failingLast] }),
    );
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'unreachable' });
    await nothingIsLeft(world);
  });

  it('refuses a port that nobody can know yet when it is needed, before anything is started', async () => {
    const world = makeWorld();
    const services = {
      early: modelService(),
      web: modelService({
        ports: ['80'],
        dependsOn: ['early'],
        environment: { OWN: '{{ports.web}}' },
        vars: { url: 'http://localhost:{{ports.web.80}}' },
      }),
      other: modelService({ command: 'run {{vars.url}}' }),
      late: modelService({ command: 'run {{vars.url}}', dependsOn: ['web'] }),
    };
    const error = await failing(setting(world, { services }));
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      details: {
        problems: [{ path: 'services.web.environment.OWN' }, { path: 'services.other.command' }],
      },
    });
    expect(world.runtime.calls).toEqual([]);
    await nothingIsLeft(world);
  });

  it('fills in a port that the runtime chose for those that start after it', async () => {
    const world = makeWorld();
    world.runtime.behaviours.web = { port: 40_001 };
    const services = {
      web: healthy(['80'], { vars: { url: 'http://localhost:{{ports.web}}' } }),
      late: modelService({ environment: { WEB: '{{vars.url}}' }, dependsOn: ['web'] }),
    };
    const { vars } = await setting(world, { services });
    expect(vars).toEqual({ url: 'http://localhost:40001' });
    expect(world.runtime.services.get('late')?.environment.WEB).toBe('http://localhost:40001');
    expect((await setting(world, { services })).unchanged).toBe(true);
  });

  it('refuses to leave behind what it cannot stop', async () => {
    const world = makeWorld();
    await setting(world, { services: { a: modelService(), b: modelService() } });
    world.runtime.breaks('remove b', new Error('it is busy'), 2);
    const refused = { code: 'CLEANUP_FAILED', message: 'it is busy' };
    expect(await failing(setting(world, { services: { a: modelService() } }))).toMatchObject({
      ...refused,
      details: { rollback: { removed: [], left: ['a'], failed: ['container b: it is busy'] } },
    });
    world.runtime.breaks('remove b', new Error('it is busy'), 1);
    expect(await failing(setting(world, { services: { a: modelService() } }))).toMatchObject({
      ...refused,
      details: { rollback: { removed: ['container b'], left: ['a'], failed: [] } },
    });
  });

  it('refuses to forget a service whose runtime is not loaded any more', async () => {
    const world = makeWorld((clock) => [new Model(clock, { name: 'lost' })]);
    await setting(world, { services: { a: modelService() } });
    const other = makeWorld();
    const kernel = {
      ...other.open({ services: { b: modelService() } }),
      store: world.store,
      clock: world.clock,
    };
    expect(await failing(world.passing(setUp(kernel, build, world.signal)))).toMatchObject({
      code: 'RUNTIME_MISSING',
      message: expect.stringContaining('a runs on lost'),
    });
  });

  it('refuses a service that no plugin can run', async () => {
    const world = makeWorld((clock) => [new Model(clock, { runs: () => false })]);
    const error = await failing(setting(world, { services: { a: { image: 'x' } } }));
    expect(error).toMatchObject({ code: 'RUNTIME_MISSING', details: { needs: '@argusai/plugin-docker' } });
    await nothingIsLeft(world);
  });
});

describe('a setup, to whoever watches', () => {
  const states = ({ events }: World) =>
    events.flatMap(({ type, data }) =>
      type === 'service_state' ? [`${data.service} ${data.state}: ${data.message}`] : [],
    );

  it('tells of all services before anything happens, and what each waits for', async () => {
    const world = makeWorld();
    const services = {
      web: modelService({ dependsOn: ['api', 'seed'] }),
      api: modelService({ build: '.', healthcheck }),
      seed: modelService({ oneShot: true }),
    };
    world.runtime.behaviours.seed = { exits: { code: 0, afterMs: 20 } };
    await setting(world, { services });
    const [first] = world.events;
    expect(first).toMatchObject({
      type: 'setup_start',
      data: {
        services: [
          { name: 'web', dependsOn: ['api', 'seed'], builds: false },
          { name: 'api', dependsOn: [], builds: true },
          { name: 'seed', dependsOn: [], builds: false },
        ],
      },
    });
    expect(states(world)).toEqual(
      expect.arrayContaining(['api built: built', 'seed waiting: waiting for it to end']),
    );
  });

  it('tells which service failed, once, and what is stopped because of it', async () => {
    const world = makeWorld();
    world.runtime.breaks('start b', new Error('no such program'));
    await failing(setting(world, { services: { a: modelService(), b: modelService({ dependsOn: ['a'] }) } }));
    expect(states(world).filter((state) => !/starting|ready|waiting/.test(state))).toEqual([
      ...['b failed: no such program', 'a stopping: stopping', 'a stopped: stopped'],
    ]);
  });

  it('tells of no failure when it is cancelled', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const kernel = world.open({ services: { a: modelService() } });
    world.runtime.breaks('start a', new Error('killed by SIGTERM'));
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'service_state' && data.state === 'starting') stop.abort();
    });
    await failing(world.passing(setUp(kernel, build, stop.signal)));
    expect(states(world).filter((state) => state.includes('failed'))).toEqual([]);
  });
});

describe('a setup that is cancelled', () => {
  it('takes down what it had started and says that it was cancelled', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    world.runtime.behaviours.b = { exec: () => 1 };
    const services = {
      a: healthy([]),
      b: modelService({ healthcheck: { ...healthcheck, startPeriod: '1h' }, dependsOn: ['a'] }),
    };
    const kernel = world.open({ services });
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'service_state' && data.service === 'b' && data.state === 'waiting') stop.abort();
    });
    const error = await failing(world.passing(setUp(kernel, build, stop.signal)));
    expect(error).toMatchObject({
      code: 'CANCELLED',
      details: { rollback: { removed: ['container b', 'container a', 'network network'] } },
    });
    await nothingIsLeft(world);
  });

  it('does not leave as it was what has been told to stop, and says that it is gone', async () => {
    const world = makeWorld();
    const services = { a: modelService(), b: modelService() };
    const { runId } = await setting(world, { services });
    const stop = new AbortController();
    const changed = { ...services, b: modelService({ environment: { A: '1' } }) };
    const kernel = world.open({ services: changed });
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'service_state' && data.service === 'b' && data.state === 'stopping') stop.abort();
    });
    expect(await failing(world.passing(setUp(kernel, build, stop.signal)))).toMatchObject({
      code: 'CANCELLED',
      details: { rollback: { removed: ['container b'], left: ['a'], gone: ['b'], failed: [] } },
    });
    expect([...world.runtime.services.keys()]).toEqual(['a']);
    expect(await currentRun(world.open({ services }))).toMatchObject({ id: runId, state: 'up' });
  });

  it('is cancelled whatever broke because of it', async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const kernel = world.open({ services: { a: modelService() } });
    world.runtime.breaks('start a', new Error('killed by SIGTERM'));
    kernel.events.subscribe(({ type, data }) => {
      if (type === 'service_state' && data.state === 'starting') stop.abort();
    });
    expect(await failing(world.passing(setUp(kernel, build, stop.signal)))).toMatchObject({
      code: 'CANCELLED',
    });
    await nothingIsLeft(world);
  });
});
