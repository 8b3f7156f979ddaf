import {
  createMemoryStore,
  EventBus,
  isArgusError,
  type PortResolution,
  type StateStore,
  systemClock,
} from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp, holdUdp } from '../fixtures/hold-port.js';
import { holderProcess } from '../fixtures/holder-process.js';
import { recordRun } from '../fixtures/run-record.js';
import { asked, container, hostPorts, makeRun, makeStage, service } from '../fixtures/stage.js';
import { storeWith } from '../fixtures/store-with.js';
import { leasesNamespace } from '../lease/lease.js';
import { releasePorts } from './release-ports.js';
import { type ResolveSettings, resolvePorts } from './resolve-ports.js';

const wide = { first: 1_024, last: 65_535 };

function settingsWith(change: Partial<ResolveSettings> = {}): ResolveSettings {
  return { store: createMemoryStore(), strategy: 'auto', range: wide, ...change };
}

async function errorOf(resolving: Promise<PortResolution>) {
  const thrown = await resolving.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isArgusError(thrown)) throw thrown ?? new Error('it was resolved');
  return thrown.error;
}

const leased = async (store: StateStore) => (await store.list(leasesNamespace)).map(({ key }) => key);

describe('resolving ports', () => {
  it('leaves alone what is free, and says so', async () => {
    const first = await freePorts(2);
    const stage = await makeStage();
    const services = [container('api', [`${first}:80`]), service('web', [`${first + 1}:${first + 1}`])];
    const resolved = await resolvePorts(asked(services), stage, settingsWith());
    expect(resolved.services).toEqual(services);
    expect(resolved.portMappings).toEqual([
      {
        service: 'api',
        originalPort: first,
        actualPort: first,
        reassigned: false,
        protocol: 'tcp',
        containerPort: 80,
      },
      {
        service: 'web',
        originalPort: first + 1,
        actualPort: first + 1,
        reassigned: false,
        protocol: 'tcp',
        containerPort: first + 1,
      },
    ]);
    expect(stage.told).toEqual([]);
  });

  it('has nothing to do without ports', async () => {
    const services = [container('api', [80]), service('job', [])];
    const resolved = await resolvePorts(asked(services), await makeStage(), settingsWith());
    expect(resolved).toEqual({ services, portMappings: [], refused: [] });
  });

  it('gives a service the next port when its own is taken, and tells who has it', async () => {
    const port = await freePorts(2);
    const { pid } = await holderProcess('holder', port);
    const stage = await makeStage();
    const resolved = await resolvePorts(asked([container('api', [`${port}:80`])]), stage, settingsWith());
    expect(hostPorts(resolved)).toEqual([[port + 1]]);
    expect(resolved.portMappings).toMatchObject([
      { service: 'api', originalPort: port, actualPort: port + 1, reassigned: true },
    ]);
    expect(stage.told.map(({ type, data }) => [type, data])).toEqual([
      ['port_conflict', { service: 'api', port, pid }],
      ['port_reassigned', { service: 'api', original: port, actual: port + 1 }],
    ]);
  });

  it('gives mocks other ports too', async () => {
    const { port } = await holdTcp('0.0.0.0', await freePorts(2));
    const mock = service('pay', [`${port}:${port}`], { kind: 'mock', routes: [] });
    expect(hostPorts(await resolvePorts(asked([mock]), await makeStage(), settingsWith()))).toEqual([
      [port + 1],
    ]);
  });

  it('gives ten services that ask for the same port ten different ones', async () => {
    const port = await freePorts(10);
    const services = Array.from({ length: 10 }, (_, index) => container(`s${index}`, [`${port}:80`]));
    const resolved = await resolvePorts(asked(services), await makeStage(), settingsWith());
    expect(hostPorts(resolved).flat()).toEqual(Array.from({ length: 10 }, (_, index) => port + index));
    expect(resolved.portMappings.filter(({ reassigned }) => reassigned)).toHaveLength(9);
  });

  it('gives two ports of one service that are the same different ones', async () => {
    const port = await freePorts(2);
    const services = [container('api', [`${port}:80`, `${port}:81`])];
    const resolved = await resolvePorts(asked(services), await makeStage(), settingsWith());
    expect(hostPorts(resolved)).toEqual([[port, port + 1]]);
  });

  it('passes over ports that are taken when it looks for another', async () => {
    const port = await freePorts(4);
    for (const next of [port + 1, port + 2]) await holdTcp('127.0.0.1', next);
    const services = [container('one', [`${port}:80`]), container('two', [`${port}:80`])];
    const resolved = await resolvePorts(asked(services), await makeStage(), settingsWith());
    expect(hostPorts(resolved)).toEqual([[port], [port + 3]]);
  });

  it('does not look for names when nobody is told', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(2));
    const { events: _, ...rest } = await makeStage();
    const stage = { ...rest, events: new EventBus(systemClock) };
    expect(
      hostPorts(await resolvePorts(asked([container('api', [`${port}:80`])]), stage, settingsWith())),
    ).toEqual([[port + 1]]);
  });

  it('takes from nobody the port that another service asks for', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(3));
    const services = [container('api', [`${port}:80`]), container('web', [`${port + 1}:80`])];
    expect(hostPorts(await resolvePorts(asked(services), await makeStage(), settingsWith()))).toEqual([
      [port + 2],
      [port + 1],
    ]);
  });

  it('keeps TCP and UDP apart', async () => {
    const port = await freePorts(2);
    await holdUdp('127.0.0.1', port);
    const services = [container('dns', [`${port}:53/tcp`, `${port}:53/udp`])];
    expect(hostPorts(await resolvePorts(asked(services), await makeStage(), settingsWith()))).toEqual([
      [port, port + 1],
    ]);
  });

  it.runIf(process.platform === 'linux')('lets a specific address be beside another', async () => {
    const { port } = await holdTcp('127.0.0.2', await freePorts(2));
    const services = [
      service('one', [`127.0.0.1:${port}:80`]),
      service('two', [`127.0.0.3:${port}:80`]),
      service('all', [`0.0.0.0:${port}:80`]),
    ];
    expect(hostPorts(await resolvePorts(asked(services), await makeStage(), settingsWith()))).toEqual([
      [port],
      [port],
      [port + 1],
    ]);
  });

  it('keeps the port when it has become free since the conflict was seen', async () => {
    const held = await holdTcp('127.0.0.1', await freePorts(1));
    const stage = await makeStage();
    stage.events.subscribe(({ type }) => {
      if (type === 'port_conflict') void held.letGo();
    });
    const services = [container('api', [`${held.port}:80`])];
    expect(hostPorts(await resolvePorts(asked(services), stage, settingsWith()))).toEqual([[held.port]]);
    expect(stage.told.map(({ type }) => type)).toEqual(['port_conflict']);
  });

  it('gives a process that takes any port the one it listens on by default, or another', async () => {
    const free = await freePorts(3);
    await holdTcp('127.0.0.1', free + 1);
    const stage = await makeStage();
    const services = [service('api', [free]), service('web', [free + 1]), container('db', [5432])];
    const resolved = await resolvePorts(asked(services), stage, settingsWith({ strategy: 'fail' }));
    expect(hostPorts(resolved)).toEqual([[free], [free + 2], [null]]);
    expect(resolved.portMappings).toMatchObject([
      { service: 'api', originalPort: free, actualPort: free, reassigned: false },
      { service: 'web', originalPort: free + 1, actualPort: free + 2, reassigned: true },
    ]);
    expect(stage.told.map(({ type }) => type)).toEqual(['port_reassigned']);
  });

  it('gives a container a port where a text names it, and says nothing of a reassignment', async () => {
    const free = await freePorts(2);
    await holdTcp('127.0.0.1', free);
    const named = [
      { service: 'web', container: free, protocol: 'tcp' },
      { service: 'web', container: 80, protocol: 'tcp' },
    ] as const;
    const services = [container('web', [free, 80, 81, '80/udp'])];
    const [stage, settings] = [await makeStage(), settingsWith({ strategy: 'fail' })];
    const resolved = await resolvePorts({ ...asked(services), named }, stage, settings);
    expect(hostPorts(resolved)).toEqual([[free + 1, expect.any(Number), null, null]]);
    const mapping = { service: 'web', reassigned: false, protocol: 'tcp' };
    const chosen = hostPorts(resolved)[0]?.[1];
    expect(resolved.portMappings).toEqual([
      { ...mapping, originalPort: free + 1, actualPort: free + 1, containerPort: free },
      { ...mapping, originalPort: chosen, actualPort: chosen, containerPort: 80 },
    ]);
    expect(stage.told).toEqual([]);
    expect(await resolvePorts({ ...asked(services), named }, stage, settings)).toEqual(resolved);
  });

  it.each(['auto', 'fail'] as const)('gives the first free port of a range, with %s', async (strategy) => {
    const port = await freePorts(4);
    await holdTcp('127.0.0.1', port);
    const range = `${port}-${port + 3}:80`;
    const services = [
      container('one', [range]),
      container('fixed', [`${port + 1}:80`]),
      container('two', [range]),
    ];
    const [stage, settings] = [await makeStage(), settingsWith({ strategy })];
    const resolved = await resolvePorts(asked(services), stage, settings);
    expect(hostPorts(resolved)).toEqual([[port + 2], [port + 1], [port + 3]]);
    // It is what they asked for.
    expect(resolved.portMappings.map(({ reassigned }) => reassigned)).toEqual([false, false, false]);
    expect(stage.told).toEqual([]);
    expect(await resolvePorts(asked(services), stage, settings)).toEqual(resolved);
  });

  it('goes outside a range only when all of it is taken, and fails then when conflicts are to fail', async () => {
    const port = await freePorts(3);
    for (const one of [port, port + 1]) await holdTcp('127.0.0.1', one);
    const services = [container('api', [`${port}-${port + 1}:80`])];
    const resolved = await resolvePorts(asked(services), await makeStage(), settingsWith());
    expect(hostPorts(resolved)).toEqual([[port + 2]]);
    expect(resolved.portMappings).toMatchObject([{ originalPort: port, reassigned: true }]);
    const settings = settingsWith({ strategy: 'fail' });
    const error = await errorOf(resolvePorts(asked(services), await makeStage(), settings));
    expect(error).toMatchObject({
      code: 'PORT_CONFLICT',
      message: `tcp port ${port} of api is taken, and so are all others up to ${port + 1}`,
    });
    expect(await leased(settings.store)).toEqual([]);
  });

  it('looks again at the ports of every service that does not run', async () => {
    const port = await freePorts(6);
    const [stage, settings] = [await makeStage(), settingsWith()];
    const services = [0, 1, 2].map((index) => container(`s${index}`, [`${port + index}:80`]));
    await resolvePorts(asked(services), stage, settings);
    for (const index of [0, 1, 2]) await holdTcp('127.0.0.1', port + index);
    const again = { ...asked(services, [port]), running: ['s1'] };
    const resolved = await resolvePorts(again, stage, settings);
    expect(hostPorts(resolved)).toEqual([[port + 3], [port + 1], [port + 4]]);
  });

  it('never chooses a port below 1024', async () => {
    const resolved = await resolvePorts(asked([service('web', [80])]), await makeStage(), settingsWith());
    expect(hostPorts(resolved)[0]?.[0]).toBeGreaterThanOrEqual(1_024);
  });

  it('looks in the range that it is given', async () => {
    const range = await freePorts(3);
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    const settings = settingsWith({ range: { first: range, last: range + 2 } });
    const resolved = await resolvePorts(
      asked([container('api', [`${port}:80`])]),
      await makeStage(),
      settings,
    );
    expect(hostPorts(resolved)).toEqual([[range]]);
  });

  it('never gives a port that was refused when a service was started', async () => {
    const port = await freePorts(3);
    const [stage, settings] = [await makeStage(), settingsWith()];
    const services = [container('api', [`${port}:80`]), container('web', [`${port + 2}:80`])];
    await resolvePorts(asked(services), stage, settings);
    const again = await resolvePorts(asked(services, [port]), stage, settings);
    expect(hostPorts(again)).toEqual([[port + 1], [port + 2]]);
    const third = await resolvePorts(asked(services, [port, port + 1]), stage, settings);
    expect(hostPorts(third)[0]).toEqual([expect.any(Number)]);
    expect([port, port + 1, port + 2]).not.toContain(hostPorts(third)[0]?.[0]);
    expect(await leased(settings.store)).not.toContain(`tcp/${port}`);
  });
});

describe('when no port is left', () => {
  it('says how many were tried, and keeps none', async () => {
    const first = await freePorts(3);
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    await holdTcp('127.0.0.1', first + 1);
    const settings = settingsWith({ range: { first, last: first + 2 } });
    const services = ['a', 'b', 'c'].map((name) => container(name, [`${port}:80`]));
    const error = await errorOf(resolvePorts(asked(services), await makeStage(), settings));
    expect(error).toMatchObject({
      code: 'PORT_EXHAUSTION',
      severity: 'fatal',
      suggestedActions: ['clean', 'orphans.clean', 'status'],
      message: expect.stringContaining(`all 3 from ${first} to ${first + 2} are taken`),
      details: { service: 'c', port, protocol: 'tcp', tried: 3, range: `${first}-${first + 2}` },
    });
    expect(await leased(settings.store)).toEqual([]);
    const narrow = settingsWith({ range: { first: first + 1, last: first + 1 } });
    expect(await errorOf(resolvePorts(asked(services), await makeStage(), narrow))).toMatchObject({
      message: expect.stringContaining(`${first + 1}, the only one of the range, is taken`),
    });
  });
});

describe('when conflicts are to fail', () => {
  it('raises the first and names the others', async () => {
    const port = await freePorts(3);
    const holder = await holderProcess('the-holder', port);
    const stage = await makeStage();
    const settings = settingsWith({ strategy: 'fail' });
    const services = [
      container('api', [`${port}:80`]),
      container('one', [`${port + 1}:80`]),
      container('two', [`${port + 1}:80`]),
    ];
    const error = await errorOf(resolvePorts(asked(services), stage, settings));
    expect(error).toMatchObject({
      code: 'PORT_CONFLICT',
      severity: 'recoverable',
      details: { service: 'api', port, protocol: 'tcp', pid: holder.pid },
    });
    expect(error.details.command).toContain('the-holder');
    expect(error.message).toContain(`held by process ${holder.pid}`);
    expect(error.message).toContain(`tcp port ${port + 1} of two is asked for by one too`);
    expect(stage.told.map(({ type }) => type)).toEqual(['port_conflict', 'port_conflict']);
    expect(await leased(settings.store)).toEqual([]);
  });

  it('raises a conflict that shows only when the port is leased', async () => {
    const port = await freePorts(1);
    const store = createMemoryStore();
    // Another run leases the port in the moment between the look and the lease.
    const late = storeWith(store, {
      async put(namespace, key, value, condition) {
        if (namespace === leasesNamespace) await leaseTo(await makeRun({ project: 'other' }), port, store);
        return store.put(namespace, key, value, condition);
      },
    });
    const error = await errorOf(
      resolvePorts(
        asked([container('api', [`${port}:80`])]),
        await makeStage(),
        settingsWith({ store: late, strategy: 'fail' }),
      ),
    );
    expect(error).toMatchObject({ code: 'PORT_CONFLICT', details: { service: 'api', port } });
    expect(error.message).toContain('leased to api of the project other');
  });

  it('goes on when there are none', async () => {
    const port = await freePorts(1);
    const services = [container('api', [`${port}:80`])];
    const resolved = await resolvePorts(
      asked(services),
      await makeStage(),
      settingsWith({ strategy: 'fail' }),
    );
    expect(hostPorts(resolved)).toEqual([[port]]);
  });

  it('raises a port that was refused when the service was started', async () => {
    const port = await freePorts(1);
    const services = [container('api', [`${port}:80`])];
    const resolving = resolvePorts(
      asked(services, [port]),
      await makeStage(),
      settingsWith({ strategy: 'fail' }),
    );
    expect((await errorOf(resolving)).message).toContain('was taken when the service was started');
  });
});

describe('leases', () => {
  it('keep two runs from choosing the same, before anything is started', async () => {
    const port = await freePorts(4);
    const settings = settingsWith();
    const services = [container('api', [`${port}:80`]), container('web', [`${port + 1}:80`])];
    const [one, other] = [await makeStage(), await makeStage()];
    expect(hostPorts(await resolvePorts(asked(services), one, settings))).toEqual([[port], [port + 1]]);
    expect(hostPorts(await resolvePorts(asked(services), other, settings))).toEqual([[port + 2], [port + 3]]);
    expect(other.told[0]).toMatchObject({ type: 'port_conflict', data: { service: 'api', port } });
  });

  it('let a run keep its ports when it is set up again, also when they are in use by it', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(3));
    const [stage, settings] = [await makeStage(), settingsWith()];
    const services = [container('api', [`${port}:80`]), container('web', [`${port + 2}:80`])];
    const first = await resolvePorts(asked(services), stage, settings);
    for (const [host] of hostPorts(first)) await holdTcp('127.0.0.1', host ?? 0);
    stage.told.length = 0;
    const second = await resolvePorts(asked(services), stage, settings);
    expect(second).toEqual(first);
    expect(stage.told.map(({ type }) => type)).toEqual(['port_reassigned']);
  });

  it('let a run keep two ports for what it asks for twice', async () => {
    const port = await freePorts(2);
    const [stage, settings] = [await makeStage(), settingsWith()];
    const services = [container('api', [`${port}:80`, `${port}:80`])];
    const first = await resolvePorts(asked(services), stage, settings);
    expect(hostPorts(first)).toEqual([[port, port + 1]]);
    expect(await resolvePorts(asked(services), stage, settings)).toEqual(first);
  });

  it('can be missing: then the record of the run says what it has', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(2));
    const settings = settingsWith();
    const run = await makeRun();
    const mapping = { host: port + 1, container: 80, ip: null, protocol: 'tcp' } as const;
    await recordRun(settings.store, run, {
      services: { api: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } },
      portMappings: [{ service: 'api', originalPort: port, actualPort: port + 1, reassigned: true }],
    });
    await holdTcp('127.0.0.1', port + 1);
    const services = [container('api', [`${port}:80`])];
    const resolved = await resolvePorts(asked(services), await makeStage({ run }), settings);
    expect(hostPorts(resolved)).toEqual([[port + 1]]);
    expect(await leased(settings.store)).toEqual([`tcp/${port + 1}`]);
  });

  it('are not kept for a port that is no longer asked for, nor for a service that is gone', async () => {
    const port = await freePorts(3);
    const [stage, settings] = [await makeStage(), settingsWith()];
    await resolvePorts(
      asked([container('api', [`${port}:80`]), container('old', [`${port + 1}:80`])]),
      stage,
      settings,
    );
    await resolvePorts(asked([container('api', [`${port + 2}:80`])]), stage, settings);
    expect(await leased(settings.store)).toEqual([`tcp/${port + 2}`]);
  });

  it('do not keep another port than the one asked for when conflicts are to fail', async () => {
    const held = await holdTcp('127.0.0.1', await freePorts(2));
    const [stage, store] = [await makeStage(), createMemoryStore()];
    const services = [container('api', [`${held.port}:80`])];
    await resolvePorts(asked(services), stage, settingsWith({ store }));
    const strict = settingsWith({ store, strategy: 'fail' });
    expect(await errorOf(resolvePorts(asked(services), stage, strict))).toMatchObject({
      code: 'PORT_CONFLICT',
    });
    await held.letGo();
    expect(hostPorts(await resolvePorts(asked(services), stage, strict))).toEqual([[held.port]]);
  });

  it('end with the run', async () => {
    const port = await freePorts(1);
    const [stage, settings] = [await makeStage(), settingsWith()];
    await resolvePorts(asked([container('api', [`${port}:80`])]), stage, settings);
    expect(await leased(settings.store)).toEqual([`tcp/${port}`]);
    await releasePorts(stage.run, { ...settings, clock: stage.clock });
    expect(await leased(settings.store)).toEqual([]);
  });

  it('are given back when the work is cancelled', async () => {
    const port = await freePorts(2);
    const cancel = new AbortController();
    const store = createMemoryStore();
    const watching = storeWith(store, {
      put(...write) {
        cancel.abort(new Error('enough'));
        return store.put(...write);
      },
    });
    const services = [container('api', [`${port}:80`]), container('web', [`${port + 1}:80`])];
    const resolving = resolvePorts(
      asked(services),
      await makeStage({ signal: cancel.signal }),
      settingsWith({ store: watching }),
    );
    await expect(resolving).rejects.toThrow('enough');
    expect(await leased(store)).toEqual([]);
  });

  it('are not taken when the work was cancelled before', async () => {
    const stage = await makeStage({ signal: AbortSignal.abort(new Error('before')) });
    await expect(resolvePorts(asked([]), stage, settingsWith())).rejects.toThrow('before');
  });
});

async function leaseTo(
  run: Awaited<ReturnType<typeof makeRun>>,
  port: number,
  store: StateStore,
): Promise<void> {
  await resolvePorts(
    asked([container('api', [`${port}:80`])]),
    await makeStage({ run }),
    settingsWith({ store }),
  );
}
