import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  healthcheck,
  makeWorld,
  modelService,
  type World,
} from '../environment/fixtures/environment-kernel.js';
import { currentRun } from '../environment/runs/claim-run.js';
import type { ResilienceEvent } from '../events/events.js';
import type { Kernel } from '../kernel/kernel.js';
import { runOperation } from './run-operation.js';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'argus-run-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const node = (script: string) => [process.execPath, '-e', script];
/** A suite that notes that it ran, and ends when there is a file that says with what code. */
const waiting = (id: string) => ({
  id,
  command: node(`
    const fs = require('node:fs');
    fs.writeFileSync('ran-${id}', '');
    setInterval(() => {
      try { process.exit(Number(fs.readFileSync('end-${id}', 'utf8'))); } catch {}
    }, 10);`),
});
const exiting = (id: string, code = 0) => ({ id, command: node(`process.exit(${code})`) });

/** A project in the model, in a folder that is really there. */
function makeProject(suites: object[], rest: Record<string, unknown> = {}) {
  const world = makeWorld();
  const dir = folder();
  const config = {
    services: { api: modelService({ ports: ['8080:80'], healthcheck }) },
    tests: { suites },
    ...rest,
  };
  const open = () => world.open(config, { dir });
  const kernel = open();
  return {
    world,
    dir,
    open,
    kernel,
    call: (name: string, input: object = {}, signal = world.signal, by: Kernel = kernel) =>
      world.passing(call(world, by, name, input, signal)),
    ran: (id: string) => existsSync(join(dir, `ran-${id}`)),
    end: (id: string, code = 0) => writeFileSync(join(dir, `end-${id}`), String(code)),
    /** Waits for something that happens, and does something about it. */
    on(fits: (event: ResilienceEvent) => boolean, react: () => void) {
      kernel.events.subscribe((event) => {
        if (fits(event)) react();
      });
    },
  };
}

async function call(_world: World, kernel: Kernel, name: string, input: object, signal: AbortSignal) {
  const operation = kernel.operations.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const envelope = await runOperation(kernel, operation, input, signal);
  if (envelope.ok) expect(operation.output.safeParse(envelope.data).error).toBeUndefined();
  return envelope;
}

it('tells of a service of which nobody could look whether somebody else answers there', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const services = { api: modelService({ ports: [`${port}:80`], healthcheck }) };
  const { call, world } = makeProject([exiting('a'), exiting('b')], { services });
  const isOwn = () => Promise.reject(new Error('the engine is away'));
  Object.assign(world.runtime, { isOwn });
  expect(await call('run')).toMatchObject({
    ok: true,
    data: {
      exitCode: 0,
      notices: [
        {
          code: 'HEALTH_UNKNOWN',
          message: 'It could not be told who listens on the ports of api: the engine is away',
        },
      ],
    },
  });
});

const starts =
  (suite: string) =>
  ({ type, data }: ResilienceEvent) =>
    type === 'suite_start' && data.suite === suite;

describe('run', () => {
  it('brings the environment up, runs every suite with it, and takes it down', async () => {
    const print = node(`require('node:fs').writeFileSync('env', JSON.stringify(process.env))`);
    const smoke = { id: 'smoke', name: 'Smoke', command: print, environment: { AT: '{{ports.api}}' } };
    const { call, world, dir } = makeProject([smoke, exiting('other')]);
    expect(await call('run')).toMatchObject({
      ok: true,
      data: {
        outcome: 'passed',
        exitCode: 0,
        incidents: [],
        notices: [],
        suites: [
          {
            id: 'smoke',
            name: 'Smoke',
            command: print,
            outcome: 'passed',
            exitCode: 0,
            signal: null,
            restarts: [],
          },
          { id: 'other', outcome: 'passed' },
        ],
        setup: {
          unchanged: false,
          services: [{ name: 'api', endpoints: ['http://localhost:8080'] }],
          removed: [],
        },
        takenDown: { removed: [{ type: 'container', name: 'api' }, { type: 'network' }], failed: [] },
      },
    });
    expect(JSON.parse(readFileSync(join(dir, 'env'), 'utf8'))).toMatchObject({
      AT: '8080',
      ARGUS_PORT_API: '8080',
      ARGUS_URL_API: 'http://localhost:8080',
    });
    expect(world.runtime.size).toBe(0);
    expect(await world.store.list('runs')).toEqual([]);
    expect(world.events.flatMap((event) => (event.type === 'suite_end' ? [event.data] : []))).toMatchObject([
      { suite: 'smoke', outcome: 'passed', exitCode: 0 },
      { suite: 'other', outcome: 'passed' },
    ]);
  });

  it('begins the first suite when somebody guards, so that nothing that fails in it goes unseen', async () => {
    const { call, world } = makeProject([exiting('short')]);
    await call('run');
    const told = world.events.flatMap(({ type, data }) =>
      type === 'guard_state' ? [data.state] : type === 'suite_start' ? [type] : [],
    );
    expect(told).toEqual(['guarding', 'suite_start', 'ended']);
  });

  it('says that somebody guards only when what happens is followed', async () => {
    const { call, world, on } = makeProject([exiting('short')]);
    const streams: number[] = [];
    on(
      ({ type, data }) => type === 'guard_state' && data.state === 'guarding',
      () => streams.push(world.runtime.streams),
    );
    await call('run');
    expect(streams).toEqual([1]);
  });

  it('goes on after a suite that fails, and ends with the exit code of the first that did', async () => {
    const suites = [
      ...[exiting('a'), exiting('b', 3), { id: 'c', command: 'kill -9 $$' }],
      { id: 'd', command: ['sleep', '600'], timeout: '1s' },
    ];
    const { call } = makeProject(suites);
    expect(await call('run')).toMatchObject({
      data: {
        outcome: 'failed',
        exitCode: 3,
        suites: [
          { outcome: 'passed' },
          { outcome: 'failed', exitCode: 3 },
          { outcome: 'failed', exitCode: null, signal: 'SIGKILL' },
          { outcome: 'timed-out', timedOut: true },
        ],
      },
    });
    expect(await call('run', { suites: ['c', 'b'] })).toMatchObject({ data: { exitCode: 137 } });
    expect(await call('run', { suites: ['d'] })).toMatchObject({ data: { exitCode: 124 } });
    expect(await call('run', { command: ['no-such-command'] })).toMatchObject({
      data: { exitCode: 127, suites: [{ id: 'command', problem: 'There is no command no-such-command' }] },
    });
  });

  it('uses what is up and leaves it up', async () => {
    const { call, world } = makeProject([exiting('a')]);
    await call('setup');
    expect(await call('run')).toMatchObject({ data: { setup: { unchanged: true }, takenDown: null } });
    expect(world.runtime.calls).toEqual(['start api']);
    expect(world.runtime.size).toBe(2);
  });

  it('leaves up what it is told to keep', async () => {
    const { call, world, kernel } = makeProject([exiting('a')]);
    expect(await call('run', { keep: true })).toMatchObject({ data: { takenDown: null } });
    expect(world.runtime.size).toBe(2);
    expect(await currentRun(kernel)).not.toHaveProperty('holders');
    expect(await call('run')).toMatchObject({ data: { setup: { unchanged: true }, takenDown: null } });
  });

  it('knows ports that were chosen when the service was started', async () => {
    const suite = {
      id: 'a',
      command: node(`process.exit(process.argv[1] === '4567' ? 0 : 1)`).concat('{{ports.api.80}}'),
    };
    const { call, world } = makeProject([suite], {
      services: { api: modelService({ ports: ['80'], healthcheck }) },
    });
    world.runtime.behaviours.api = { port: 4567 };
    expect(await call('run')).toMatchObject({
      data: {
        exitCode: 0,
        suites: [
          {
            command: [{}, {}, {}, '4567'].map((one) => (typeof one === 'string' ? one : expect.any(String))),
          },
        ],
      },
    });
  });

  it('runs nothing when the environment does not come up', async () => {
    const { call, world, ran } = makeProject([waiting('a')]);
    world.runtime.breaks('start api', new Error('no such image'));
    expect(await call('run')).toMatchObject({ ok: false, error: { message: 'no such image' } });
    expect([ran('a'), world.runtime.size]).toEqual([false, 0]);
  });

  it('starts nothing for what cannot be run', async () => {
    const { call, world } = makeProject([exiting('a')]);
    expect(await call('run', { suites: ['b'] })).toMatchObject({ error: { code: 'USAGE_INVALID' } });
    expect(await call('run', { command: [] })).toMatchObject({
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('no command is given') },
    });
    expect(world.runtime.calls).toEqual([]);
  });

  it('says what could not be taken down', async () => {
    const { call, world } = makeProject([exiting('a')]);
    world.runtime.breaks('remove api', new Error('it is busy'));
    expect(await call('run')).toMatchObject({
      data: { exitCode: 0, takenDown: { failed: [{ name: 'api', error: { message: 'it is busy' } }] } },
    });
  });

  it('takes everything down when something breaks between two suites', async () => {
    const services = { api: modelService({ ports: ['80'], healthcheck }) };
    const { call, world, on, ran } = makeProject([exiting('a'), waiting('b')], { services });
    on(
      ({ type }) => type === 'suite_end',
      () => world.runtime.breaks('inspect', new Error('the engine is gone')),
    );
    expect(await call('run', { guard: false })).toMatchObject({ error: { message: 'the engine is gone' } });
    expect([ran('b'), world.runtime.size]).toEqual([false, 0]);
  });

  it('ends the suite that runs when it is cancelled, runs no other, and takes everything down', async () => {
    const { call, world, on, ran } = makeProject([waiting('a'), waiting('b')]);
    const stop = new AbortController();
    on(starts('a'), () => stop.abort());
    expect(await call('run', {}, stop.signal)).toMatchObject({
      error: {
        code: 'CANCELLED',
        message: 'The tests were stopped during a; everything was taken down',
        details: {
          suites: [{ id: 'a', outcome: 'interrupted' }],
          takenDown: { removed: ['container api', expect.stringContaining('network')], failed: [] },
        },
      },
    });
    expect([ran('b'), world.runtime.size]).toEqual([false, 0]);
  });

  it('leaves up when it is cancelled what was up before', async () => {
    const { call, world, on } = makeProject([waiting('a')]);
    await call('setup');
    const stop = new AbortController();
    on(starts('a'), () => stop.abort());
    expect(await call('run', {}, stop.signal)).toMatchObject({
      error: {
        code: 'CANCELLED',
        message: expect.stringContaining('still up'),
        details: { takenDown: null },
      },
    });
    expect(world.runtime.size).toBe(2);
  });
});

describe('an environment that several want', () => {
  it('goes with the last run that uses it', async () => {
    const { call, world, on, end, open } = makeProject([waiting('a'), waiting('b')]);
    const other = open();
    let second: ReturnType<typeof call> | undefined;
    on(starts('a'), () => {
      second = call('run', { suites: ['b'] }, world.signal, other);
      other.events.subscribe((event) => {
        if (starts('b')(event)) end('a');
      });
    });
    expect(await call('run', { suites: ['a'] })).toMatchObject({ data: { exitCode: 0, takenDown: null } });
    expect(world.runtime.size).toBe(2);
    end('b');
    expect(await second).toMatchObject({
      data: { exitCode: 0, setup: { unchanged: true }, takenDown: { removed: [{}, {}] } },
    });
    expect(world.runtime.calls).toEqual(['start api', 'remove api', expect.stringContaining('remove')]);
  });

  it('stays when a setup asks for it while the tests run', async () => {
    const { call, world, on, end, open } = makeProject([waiting('a')]);
    on(starts('a'), () => void call('setup', {}, world.signal, open()).then(() => end('a')));
    expect(await call('run')).toMatchObject({ data: { exitCode: 0, takenDown: null } });
    expect(world.runtime.size).toBe(2);
  });

  it('is nobody’s when it was cleaned meanwhile, which the tests have failed with, and no crash', async () => {
    const { call, world, on, end, open } = makeProject([waiting('a'), exiting('b')]);
    let cleaned: Awaited<ReturnType<typeof call>> | undefined;
    on(starts('a'), async () => {
      // The command is noted when it has begun.
      while (!((await currentRun(open()))?.commands ?? []).length) await new Promise(setImmediate);
      cleaned = await call('clean', {}, world.signal, open());
      end('a');
    });
    expect(await call('run')).toMatchObject({
      data: {
        outcome: 'failed',
        exitCode: 1,
        takenDown: null,
        removedMeanwhile: true,
        incidents: [],
        suites: [{ id: 'a', outcome: 'passed' }],
        notices: [
          {
            code: 'ENVIRONMENT_REMOVED',
            message: expect.stringMatching(/ was taken down while a ran; b did not run$/),
            details: { suite: 'a', notRun: ['b'] },
          },
        ],
      },
    });
    expect(cleaned).toMatchObject({
      data: { removed: [{ name: 'api' }, {}], usedBy: [{ pid: process.pid, suites: ['a'] }] },
    });
    expect(world.runtime.size).toBe(0);
    expect(world.events.map(({ type }) => type)).not.toContain('restart_attempt');
  });

  it('is said to be gone also when the tests were stopped afterwards', async () => {
    const { call, world, on, open } = makeProject([waiting('a')]);
    const stop = new AbortController();
    on(starts('a'), () => void call('clean', {}, world.signal, open()).then(() => stop.abort()));
    expect(await call('run', {}, stop.signal)).toMatchObject({
      error: { code: 'CANCELLED', message: expect.stringContaining('had been taken down by somebody else') },
    });
  });
});

describe('a service that fails while tests run', () => {
  it('is restarted, and the report of the suite says why', async () => {
    const { call, world, on, end } = makeProject([waiting('a'), exiting('b')]);
    on(starts('a'), () => world.runtime.crash('api', { code: 3 }));
    on(
      ({ type }) => type === 'restart_success',
      () => end('a'),
    );
    expect(await call('run')).toMatchObject({
      data: {
        exitCode: 0,
        suites: [
          {
            id: 'a',
            restarts: [
              {
                service: 'api',
                attempt: 1,
                reason: 'exit code 3',
                code: 'CONTAINER_CRASH',
                verdict: 'healthy',
              },
            ],
          },
          { id: 'b', restarts: [] },
        ],
        incidents: [{ service: 'api', suite: 'a', error: { code: 'CONTAINER_CRASH' } }],
      },
    });
    expect(world.runtime.calls.filter((one) => one === 'start api')).toHaveLength(2);
  });

  it('is left alone when nobody is to guard', async () => {
    const { call, world, on, end } = makeProject([waiting('a')]);
    on(starts('a'), () => {
      world.runtime.crash('api');
      end('a');
    });
    expect(await call('run', { guard: false })).toMatchObject({ data: { incidents: [], exitCode: 0 } });
    expect(world.runtime.calls.filter((one) => one === 'start api')).toHaveLength(1);
  });

  it('but still answers is restarted between two suites, and the second waits for it', async () => {
    const { call, world, on, end } = makeProject([waiting('a'), exiting('b')]);
    let isSick = false;
    world.runtime.behaviours.api = (start) => ({ exec: () => (start === 1 && isSick ? 1 : 0) });
    on(starts('a'), () => {
      isSick = true;
    });
    on(
      ({ type }) => type === 'restart_attempt',
      () => world.clock.after(60_000, () => end('a')),
    );
    expect(await call('run')).toMatchObject({
      data: {
        suites: [
          { id: 'a', restarts: [{ service: 'api', code: 'HEALTH_CHECK_TIMEOUT', verdict: 'healthy' }] },
          { id: 'b', restarts: [] },
        ],
      },
    });
    const order = world.events.flatMap(({ type }) =>
      ['restart_attempt', 'suite_start', 'suite_end', 'restart_success'].includes(type) ? [type] : [],
    );
    expect(order).toEqual([
      ...['suite_start', 'restart_attempt', 'suite_end', 'restart_success', 'suite_start', 'suite_end'],
    ]);
  });

  it('has those that go with it restarted between two suites, and the second waits for them', async () => {
    const services = {
      db: modelService(),
      api: modelService({ restartWith: ['db'] }),
      web: modelService({ restartWith: ['api'] }),
    };
    const { call, world, on, end } = makeProject([waiting('a'), exiting('b')], { services });
    on(starts('a'), () => world.runtime.crash('db', { code: 3 }));
    on(
      ({ type }) => type === 'restart_success',
      // At this very moment nobody but the guardian knows that others are to follow.
      () => end('a'),
    );
    const { data } = (await call('run')) as { data: { suites: unknown; incidents: unknown } };
    expect(data).toMatchObject({
      suites: [
        {
          id: 'a',
          restarts: expect.arrayContaining([
            expect.objectContaining({ service: 'db', reason: 'exit code 3', verdict: 'healthy' }),
            expect.objectContaining({ service: 'api', reason: 'restarted with db', verdict: 'healthy' }),
            expect.objectContaining({ service: 'web', reason: 'restarted with api', verdict: 'healthy' }),
          ]),
        },
        { id: 'b', restarts: [] },
      ],
    });
    const order = world.events.flatMap(({ type, data: told }) =>
      type === 'restart_success' ? [told.container] : type.startsWith('suite_') ? [type] : [],
    );
    expect(order).toEqual([...['suite_start', 'db', 'suite_end', 'api', 'web', 'suite_start', 'suite_end']]);
  });

  it('in the last moment of a suite is back before the next begins', async () => {
    const { call, world, on } = makeProject([exiting('a'), exiting('b')]);
    on(
      (event) => event.type === 'suite_end' && event.data.suite === 'a',
      () => world.runtime.crash('api', { code: 137 }),
    );
    expect(await call('run')).toMatchObject({
      data: { suites: [{ id: 'a', restarts: [{ service: 'api', verdict: 'healthy' }] }, { restarts: [] }] },
    });
  });

  it.each([
    ['at once', '0s'],
    ['after a delay', '2s'],
  ])(
    'in the last moment of the last suite is told of, were it to be restarted %s',
    async (_, restartDelay) => {
      const resilience = { container: { restartDelay } };
      const { call, world, on } = makeProject([exiting('a')], { resilience });
      on(
        (event) => event.type === 'suite_end',
        () => world.runtime.crash('api', { code: 3 }),
      );
      expect(await call('run')).toMatchObject({
        data: {
          outcome: 'passed',
          incidents: [{ service: 'api', suite: 'a', error: { code: 'CONTAINER_CRASH' } }],
        },
      });
    },
  );

  it('in the last moment of the last suite is told of although the stream of events tells nothing', async () => {
    const { call, world, on } = makeProject([exiting('a')]);
    on(
      (event) => event.type === 'suite_end',
      () => {
        world.runtime.cutStreams();
        world.runtime.breaks('watch', new Error('nobody tells'));
        world.runtime.crash('api', { code: 137 });
      },
    );
    expect(await call('run')).toMatchObject({
      data: { incidents: [{ service: 'api', suite: 'a', error: { code: 'CONTAINER_CRASH' } }] },
    });
  });

  it('in the last moment of the last suite does not hold up the end when it cannot be looked at', async () => {
    const { call, world, on } = makeProject([exiting('a')]);
    on(
      (event) => event.type === 'suite_end',
      () => {
        world.runtime.crash('api', { code: 137 });
        world.runtime.breaks('inspect', new Error('the engine is gone'));
      },
    );
    expect(await call('run')).toMatchObject({ data: { outcome: 'passed', incidents: [] } });
  });

  it('that was given up keeps no suite from beginning', async () => {
    const services = { db: modelService(), api: modelService({ restartWith: ['db'] }) };
    const resilience = { container: { maxRestarts: 0 } };
    const { call, world, on, end } = makeProject([waiting('a'), exiting('b')], { services, resilience });
    on(starts('a'), () => world.runtime.crash('api'));
    on(
      ({ type }) => type === 'incident_end',
      () => end('a'),
    );
    expect(await call('run')).toMatchObject({
      data: { exitCode: 0, incidents: [{ service: 'api', outcome: 'exhausted' }] },
    });
  });

  it('is told of although the tests end before those that go with it could be restarted', async () => {
    const services = { db: modelService(), api: modelService({ restartWith: ['db'] }) };
    const { call, world, on, end } = makeProject([waiting('a')], { services });
    on(starts('a'), () => world.runtime.crash('db'));
    on(
      ({ type }) => type === 'restart_success',
      () => world.clock.after(2_000, () => end('a')),
    );
    expect(await call('run')).toMatchObject({
      data: {
        suites: [{ restarts: [{ service: 'db' }] }],
        incidents: expect.arrayContaining([
          expect.objectContaining({ service: 'api', suite: 'a', outcome: 'interrupted', restarts: [] }),
        ]),
      },
    });
  });

  it('is brought back before the end where the environment stays', async () => {
    const { call, world, on, end } = makeProject([waiting('a')]);
    await call('setup');
    on(starts('a'), () => world.runtime.crash('api'));
    on(
      ({ type }) => type === 'restart_attempt',
      () => end('a'),
    );
    expect(await call('run')).toMatchObject({
      data: { takenDown: null, suites: [{ restarts: [{ service: 'api', verdict: 'healthy' }] }] },
    });
  });
});

describe('a guardian that breaks', () => {
  it('costs nothing of what the tests have to say', async () => {
    const { call, world, kernel } = makeProject([exiting('a', 4)]);
    const read = async () => {
      throw new Error('the disk is gone');
    };
    const store = new Proxy(world.store, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        return name === 'read' ? read : typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect(await call('run', {}, world.signal, { ...kernel, store })).toMatchObject({
      data: { exitCode: 4, takenDown: { removed: [{}, {}] }, notices: [{ message: 'the disk is gone' }] },
    });
  });

  it('costs nothing of it either when it cannot write down what failed at the end', async () => {
    const { call, world, kernel, on } = makeProject([exiting('a', 4)]);
    let isBroken = false;
    on(
      ({ type }) => type === 'suite_end',
      () => {
        isBroken = true;
        world.runtime.crash('api');
      },
    );
    const read: Kernel['store']['get'] = async (namespace, key) => {
      if (isBroken && namespace === 'guardian') throw new Error('the disk is gone');
      return world.store.get(namespace, key);
    };
    const store = new Proxy(world.store, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        return name === 'get' ? read : typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect(await call('run', {}, world.signal, { ...kernel, store })).toMatchObject({
      data: { exitCode: 4, takenDown: { removed: [{}, {}] }, notices: [{ message: 'the disk is gone' }] },
    });
  });
});
