import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  healthcheck,
  makeWorld,
  modelService,
  type World,
} from '../environment/fixtures/environment-kernel.js';
import { runsOf } from '../environment/runs/runs.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Checker } from '../model/checker.js';
import { defineErrorCode } from '../model/error-code.js';
import { failureCounts } from '../recover/policy/failures/failure-counts.js';
import { checking, registering } from '../testing/build-kernel.js';
import { runOperation } from './run-operation.js';

const services = {
  api: { build: '.', ports: ['8080:80'], healthcheck },
  web: modelService({ dependsOn: ['api'] }),
};

/** Runs an operation as every surface does; what it answers fits its schema. */
async function run(world: World, kernel: Kernel, name: string, input: object = {}, signal = world.signal) {
  const operation = kernel.operations.get(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const envelope = await world.passing(runOperation(kernel, operation, input, signal));
  if (envelope.ok) expect(operation.output.safeParse(envelope.data).error).toBeUndefined();
  return envelope;
}

describe('build', () => {
  it('builds what has to be built, one after the other', async () => {
    const world = makeWorld();
    const envelope = await run(world, world.open({ services }), 'build');
    expect(envelope).toMatchObject({
      ok: true,
      data: { images: [{ service: 'api', image: expect.stringMatching(/^argus-/), id: 'an image' }] },
    });
    expect(world.runtime.calls).toEqual(['build api']);
    expect(world.events.map(({ type, data }) => [type, data])).toMatchObject([
      ['setup_start', { services: [{ name: 'api', dependsOn: [], builds: true }] }],
      ['setup_stage', { stage: 'gate', state: 'started' }],
      ['setup_stage', { stage: 'gate', state: 'done' }],
      ['setup_stage', { stage: 'build', state: 'started' }],
      ['service_state', { service: 'api', state: 'building' }],
      ['service_state', { service: 'api', state: 'built' }],
      ['setup_stage', { stage: 'build', state: 'done' }],
    ]);
  });

  it('says so when there is nothing at all', async () => {
    const world = makeWorld();
    expect(await run(world, world.open({}), 'build')).toMatchObject({
      ok: false,
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('has no services and no mocks') },
    });
    expect(await run(world, world.open({}), 'build')).toMatchObject({
      error: { message: expect.stringMatching(/^There is nothing to build: /) },
    });
  });

  it('fails with what the build says, or when it is cancelled', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    const cancelled = await run(world, kernel, 'build', {}, AbortSignal.abort());
    expect(cancelled).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    world.runtime.breaks('build api', new Error('syntax error'));
    expect(await run(world, kernel, 'build')).toMatchObject({
      ok: false,
      error: { message: 'syntax error' },
    });
  });
});

const idOf = (envelope: Awaited<ReturnType<typeof run>>) =>
  envelope.ok ? (envelope.data as { runId: string }).runId : '';

describe('a setup that has replaced what was crashed', () => {
  it('has the failures of it counted from the start, when a look proves that they are gone', async () => {
    const world = makeWorld();
    const down = defineErrorCode({
      code: 'DOWN',
      category: 'container',
      severity: 'recoverable',
      summary: 'It is down',
    });
    const check: Checker['check'] = async ({ pass, fail, signal }) => {
      const [run] = await runsOf(world.store, 'test');
      const states = run ? await world.runtime.inspect(run, ['web'], signal) : [];
      return states[0]?.status === 'running'
        ? pass('it runs', { target: 'web' })
        : fail(down, { message: 'it is down', target: 'web' });
    };
    const watching = registering('watching', {
      codes: [down],
      checkers: [checking('watching.web', check, { ofRun: true })],
    });
    const kernel = world.open({ services: { web: modelService() } }, { plugins: [watching] });
    const counted = async () =>
      (await failureCounts(world.store, 'test'))({ check: 'watching.web', target: 'web' });
    await run(world, kernel, 'setup');
    world.runtime.crash('web');
    await run(world, kernel, 'preflight-check');
    await run(world, kernel, 'preflight-check');
    expect(await counted()).toBe(2);
    await run(world, kernel, 'setup');
    expect(await counted()).toBe(0);
  });
});

describe('setup, status, logs and clean', () => {
  it('answer as their schemas say', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.output.api = ['one', 'two', 'three'];
    const setup = await run(world, kernel, 'setup');
    expect(setup).toMatchObject({ ok: true, data: { services: [{ name: 'api' }, { name: 'web' }] } });
    expect(await run(world, kernel, 'setup', { build: false })).toMatchObject({ data: { unchanged: true } });
    expect(await run(world, kernel, 'status')).toMatchObject({ data: { run: { state: 'up', alive: true } } });
    const dry = await run(world, kernel, 'clean', { dryRun: true });
    expect(dry).toMatchObject({ data: { dryRun: true, removed: [{ name: 'web' }, { name: 'api' }, {}] } });
    expect(await run(world, kernel, 'clean', { allRuns: true, dryRun: true })).toMatchObject({
      data: { removed: [] },
    });
    expect(await run(world, kernel, 'clean', { allRuns: true })).toMatchObject({
      data: { removed: [], kept: idOf(setup) },
    });
    expect(dry).not.toHaveProperty('data.kept');
    world.runtime.breaks('remove api', new Error('it is busy'));
    expect(await run(world, kernel, 'clean')).toMatchObject({
      data: {
        removed: [{ name: 'web', service: 'web' }, {}],
        failed: [{ name: 'api', error: { message: 'it is busy' } }],
      },
    });
  });

  it('do not take a wrong input', async () => {
    const world = makeWorld();
    const envelope = await run(world, world.open({}), 'setup', { build: 'perhaps' });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
  });
});

/** A service that is well, until its health check is to be cancelled in the middle of a try. */
async function slowService() {
  let onAsked: (() => void) | undefined;
  const server = createServer((_, response) => {
    if (onAsked) onAsked();
    else response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const asking = { ...healthcheck, command: undefined, http: `http://127.0.0.1:${port}/` };
  return {
    services: { web: modelService({ healthcheck: asking }) },
    whenAsked(listener: () => void) {
      onAsked = listener;
    },
  };
}

describe('a status that is cancelled during a look', () => {
  it('says nothing of a service whose health check had not ended', async () => {
    const world = makeWorld();
    const web = await slowService();
    const kernel = world.open({ services: web.services });
    await run(world, kernel, 'setup');
    const stop = new AbortController();
    web.whenAsked(() => stop.abort());
    expect(await run(world, kernel, 'status', {}, stop.signal)).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });

  it('says nothing of a service that the runtime was not asked about', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    await run(world, kernel, 'setup');
    expect(await run(world, kernel, 'status', {}, AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { code: 'CANCELLED' },
    });
  });

  it('is the look before where it is watched', async () => {
    const world = makeWorld();
    const web = await slowService();
    const kernel = world.open({ services: web.services });
    await run(world, kernel, 'setup');
    const stop = new AbortController();
    const watching = run(world, kernel, 'status', { watch: true }, stop.signal);
    while (!world.events.some(({ type }) => type === 'status_changed')) await world.clock.advance(100);
    web.whenAsked(() => stop.abort());
    expect(await watching).toMatchObject({ ok: true, data: { services: [{ health: 'healthy' }] } });
    expect(world.events.filter(({ type }) => type === 'status_changed')).toHaveLength(1);
  });
});

describe('a status that is watched', () => {
  const seen = ({ events }: World) =>
    events.flatMap((event) => {
      if (event.type !== 'status_changed') return [];
      const { services = [] } = event.data as { services?: { name: string; status: string }[] };
      return [services.map(({ name, status }) => `${name} ${status}`).join(', ')];
    });

  it('is told at first and whenever it has changed, and is the last one in the end', async () => {
    const world = makeWorld();
    const kernel = world.open({ services });
    await run(world, kernel, 'setup');
    const stop = new AbortController();
    const watching = run(world, kernel, 'status', { watch: true }, stop.signal);
    const advance = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) await world.clock.advance(100);
    };
    await advance(10_000);
    expect(seen(world)).toEqual(['api running, web running']);
    world.runtime.crash('api');
    await advance(500);
    expect(seen(world)).toEqual(['api running, web running', 'api exited, web running']);
    await run(world, world.open({ services }), 'clean');
    await advance(500);
    expect(seen(world).at(-1)).toBe('api missing, web missing');
    stop.abort();
    expect(await watching).toMatchObject({ ok: true, data: { run: null } });
  });
});

describe('a status without a run, of a runtime that has failed to answer', () => {
  /** An engine behind a circuit, which can be asked beside it as well. */
  async function engine() {
    const world = makeWorld();
    const kernel = world.open({ services: { web: modelService() } });
    const at = { isUp: false };
    const isBack = async () => at.isUp;
    const circuit = kernel.circuits.define({ name: 'model', isFault: () => true, isBack });
    const own = world.runtime.resources.bind(world.runtime);
    world.runtime.resources = (...asked) =>
      circuit.execute(async () => {
        if (!at.isUp) throw new Error('no answer');
        return own(...asked);
      });
    return { world, kernel, at };
  }

  const away = { data: { services: [{ status: 'unknown' }], unlooked: [{ runtime: 'model' }] } };

  it('asks it again as soon as it is back, and does not count against it until then', async () => {
    const { world, kernel, at } = await engine();
    for (let look = 0; look < 9; look += 1) expect(await run(world, kernel, 'status')).toMatchObject(away);
    expect(await kernel.circuits.states()).toMatchObject([{ state: 'closed', failureCount: 1 }]);
    at.isUp = true;
    const seen = await run(world, kernel, 'status');
    expect(seen).toMatchObject({ data: { services: [{ status: 'missing' }] } });
    expect(seen).not.toHaveProperty('data.unlooked');
    expect(await kernel.circuits.states()).toMatchObject([{ failureCount: 0 }]);
  });

  it('sees it come back while it is watched', async () => {
    const { world, kernel, at } = await engine();
    const stop = new AbortController();
    const watching = run(world, kernel, 'status', { watch: true }, stop.signal);
    for (let passed = 0; passed < 5_000; passed += 100) await world.clock.advance(100);
    at.isUp = true;
    for (let passed = 0; passed < 5_000; passed += 100) await world.clock.advance(100);
    stop.abort();
    const { notices = [], ...seen } = await watching;
    expect(seen).toMatchObject({ data: { services: [{ status: 'missing' }] } });
    expect(seen).not.toHaveProperty('data.unlooked');
    expect(notices).toHaveLength(1);
  });
});

describe('logs', () => {
  async function up() {
    const world = makeWorld();
    const kernel = world.open({ services });
    world.runtime.output.api = ['a1', 'a2', 'a3'];
    world.runtime.output.web = ['w1', 'w2'];
    await run(world, kernel, 'setup');
    world.events.length = 0;
    const texts = () => world.events.flatMap((event) => (event.type === 'log_line' ? [event.data.text] : []));
    return { world, kernel, texts };
  }

  it('are in the order of time, all services together', async () => {
    const { world, kernel, texts } = await up();
    const envelope = await run(world, kernel, 'logs');
    expect(envelope).toMatchObject({
      ok: true,
      data: { lines: [{ service: 'api', text: 'a1', at: 0 }, {}, {}, {}, {}] },
    });
    expect(texts()).toEqual(['a1', 'w1', 'a2', 'w2', 'a3']);
  });

  it('are those of the services that are named, as many as are asked for', async () => {
    const { world, kernel, texts } = await up();
    await run(world, kernel, 'logs', { service: ['api'], tail: 2 });
    expect(texts()).toEqual(['a2', 'a3']);
  });

  it('are told as they come when they are followed', async () => {
    const { world, kernel, texts } = await up();
    const envelope = await run(world, kernel, 'logs', { service: ['web'], follow: true, since: '10m' });
    expect(envelope).toMatchObject({ ok: true, data: { lines: [] } });
    expect(texts()).toEqual(['w1', 'w2']);
  });

  it.each([
    ['whole', 100],
    ['cut at its beginning', 4],
  ])('have no private key in them that was printed line by line: %s', async (_, tail) => {
    const { world, kernel, texts } = await up();
    const body = Array.from({ length: 5 }, (_, at) => `${at}aBc9+/Xy`.repeat(8).slice(0, at === 4 ? 20 : 64));
    const key = [`-----BEGIN RSA ${'PRIVATE'} KEY-----`, ...body, `-----END RSA ${'PRIVATE'} KEY-----`];
    world.runtime.output.api = ['a1', ...key, 'ready'];
    const query = { service: ['api'], tail };
    const listed = JSON.stringify(await run(world, kernel, 'logs', query));
    await run(world, kernel, 'logs', { ...query, follow: true });
    for (const line of body) expect(listed + texts().join()).not.toContain(line);
    expect(texts().filter((text) => text === 'ready')).toHaveLength(2);
    for (const line of ['ready', ...key, 'ready'])
      kernel.events.emit('build_output', { service: 'api', line });
    const built = world.events.flatMap(({ type, data }) => (type === 'build_output' ? [data.line] : []));
    expect(built).toEqual(['ready', ...key.map(() => '[redacted]'), 'ready']);
  });

  it('of a service that does not run are refused', async () => {
    const { world, kernel } = await up();
    expect(await run(world, kernel, 'logs', { service: ['wep'] })).toMatchObject({
      error: { code: 'USAGE_INVALID', message: 'No service called wep runs here; did you mean web?' },
    });
    expect(await run(world, kernel, 'logs', { service: ['something'] })).toMatchObject({
      error: { message: 'No service called something runs here; there are api, web' },
    });
  });

  it('are refused where nothing runs', async () => {
    const world = makeWorld();
    expect(await run(world, world.open({ services }), 'logs')).toMatchObject({
      error: {
        code: 'USAGE_INVALID',
        message: expect.stringContaining('argus setup brings it up'),
        suggestedActions: ['setup'],
      },
    });
  });
});
