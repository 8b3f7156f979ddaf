import {
  createMemoryStore,
  definePlugin,
  isErrorOf,
  portConflict,
  type Resource,
  type Runtime,
  runChecks,
  type StateStore,
} from '@argusai/core';
import { buildKernel } from '@argusai/core/testing';
import { describe, expect, it } from 'vitest';
import { freePorts } from '../fixtures/free-ports.js';
import { holdTcp, holdUdp } from '../fixtures/hold-port.js';
import { holderProcess } from '../fixtures/holder-process.js';
import { recordRun } from '../fixtures/run-record.js';
import { asked, container, makeRun, makeStage } from '../fixtures/stage.js';
import ports from '../index.js';
import { resolvePorts } from '../resolve/resolve-ports.js';

const dir = '/shop';

interface Configuration {
  services?: Record<string, string[]>;
  mocks?: Record<string, number>;
  /** What every service is told. */
  command?: readonly string[];
  mockEnvironment?: Record<string, string>;
  strategy?: 'auto' | 'fail';
  store?: StateStore;
  /** What the runtime says of every service; nothing when no plugin brings one. */
  state?: 'running' | 'exited' | 'missing';
}

async function check(configuration: Configuration) {
  const { services = {}, mocks = {}, strategy = 'auto', store, state } = configuration;
  const { command = ['serve'], mockEnvironment = {} } = configuration;
  const config = {
    services: mapped(services, (published) => ({
      image: 'shop/api',
      ports: published,
      command: [...command],
    })),
    mocks: mapped(mocks, (port) => ({ port, routes: [], environment: mockEnvironment })),
    resilience: { network: { portConflictStrategy: strategy } },
  };
  const kernel = buildKernel({
    dir,
    config,
    plugins: [ports, ...bringing(state)],
    ...(store ? { store } : {}),
  });
  return (await runChecks(kernel, { only: ['ports.conflicts'] })).checks;
}

const never = () => Promise.reject(new Error('Nobody should ask for this'));

/** A runtime of which only looking is asked. */
function bringing(status: Configuration['state']) {
  if (status === undefined) return [];
  const inspect = async (_run: unknown, names: readonly string[]) =>
    names.map((service) => ({ service, status }));
  const others = { start: never, exec: never, stop: never, resources: never, remove: never };
  const runtime = {
    name: 'docker',
    runs: () => true,
    inspect,
    ...others,
    logs: never,
    watch: never,
  } as unknown as Runtime;
  return [
    definePlugin({
      name: 'docker',
      apply: ({ hooks }) => hooks.runtimes.tap('docker', (all) => all.add(runtime)),
    }),
  ];
}

function mapped<In, Out>(values: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

describe('ports.conflicts', () => {
  it('is skipped when nothing asks for a port', async () => {
    expect(await check({ services: { api: ['80'] } })).toMatchObject([{ status: 'skipped' }]);
  });

  it('passes for every port that is free', async () => {
    const port = await freePorts(2);
    expect(await check({ services: { api: [`${port}:80`] }, mocks: { pay: port + 1 } })).toMatchObject([
      { status: 'pass', target: `port:${port}/tcp`, message: `tcp port ${port}: free for api` },
      { status: 'pass', target: `port:${port + 1}/tcp`, message: `tcp port ${port + 1}: free for pay` },
    ]);
  });

  it('warns of a port that another process holds, and says which', async () => {
    const { pid, port } = await holderProcess('the-holder');
    const [result, ...others] = await check({ services: { api: [`${port}:80`] } });
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      status: 'warn',
      target: `port:${port}/tcp`,
      error: { code: 'PORT_CONFLICT', category: 'network', severity: 'recoverable' },
    });
    expect(result?.message).toMatch(
      new RegExp(
        `^tcp port ${port} of api is held by process ${pid} «.*the-holder»; a setup takes another port instead$`,
        's',
      ),
    );
    expect(isErrorOf(result?.error, portConflict) && result.error.details).toEqual({
      service: 'api',
      port,
      protocol: 'tcp',
      pid,
      command: expect.stringContaining('the-holder'),
      where: expect.objectContaining({ key: 'services.api.ports[0]' }),
    });
  });

  it('passes when another port of a range is free for each that asks', async () => {
    const port = await freePorts(3);
    await holdTcp('127.0.0.1', port);
    const range = `${port}-${port + 2}:80`;
    const two = { one: [range], two: [range] };
    expect(await check({ services: two, strategy: 'fail' })).toMatchObject([
      {
        status: 'pass',
        message: `tcp port ${port}: taken, but ${port + 1} of the range is free for one, taken, but ${port + 2} of the range is free for two`,
      },
    ]);
    const three = { ...two, three: [range] };
    expect(await check({ services: three, strategy: 'fail' })).toMatchObject([
      { status: 'fail', error: { details: { service: 'three', port } } },
    ]);
  });

  it('fails when conflicts are to fail', async () => {
    const { port } = await holdTcp();
    const [result] = await check({ mocks: { pay: port }, strategy: 'fail' });
    expect(result).toMatchObject({
      status: 'fail',
      error: { code: 'PORT_CONFLICT', details: { service: 'pay' } },
    });
    expect(result?.message).not.toContain('setup');
  });

  // Elsewhere the engine is in a virtual machine, so that no address makes a difference.
  describe.skipIf(process.platform !== 'linux')('for a mock whose port a container spells out', () => {
    const spelling = (port: number) => ({
      services: { api: [] },
      mocks: { pay: port },
      command: [`http://pay:${port}/`],
    });

    it('fails when somebody is on every address, because a setup would', async () => {
      for (const address of ['0.0.0.0', '::']) {
        const { port } = await holdTcp(address, await freePorts(1));
        const [result] = await check(spelling(port));
        expect(result).toMatchObject({
          status: 'fail',
          error: { details: { service: 'pay', port, reason: 'spelt-out' }, suggestedActions: ['status'] },
          message: expect.stringMatching(
            /; a setup fails: write \{\{ports\.pay\}\} in the command that spells it out$/,
          ),
        });
        const follows = { ...spelling(port), command: ['http://pay:{{ports.pay}}/'] };
        expect(await check(follows)).toMatchObject([
          { status: 'warn', message: expect.stringMatching(/a setup takes another port instead$/) },
        ]);
      }
    });

    it('warns when somebody is on one address, or all but those of containers', async () => {
      const first = await freePorts(2);
      await holdTcp('127.0.0.1', first);
      await holdTcp('::', first + 1, true);
      for (const port of [first, first + 1]) {
        expect(await check(spelling(port))).toMatchObject([
          {
            status: 'warn',
            message: expect.stringContaining('or fails where containers would not find pay'),
          },
        ]);
      }
    });

    it('fails also when the mock runs on another port, where a container did not spell it out before', async () => {
      const { port } = await holdTcp('0.0.0.0', await freePorts(2));
      const store = createMemoryStore();
      const mapping = { host: port + 1, container: port, ip: null, protocol: 'tcp' } as const;
      await recordRun(store, await makeRun({ project: 'test', worktree: dir }), {
        services: { pay: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } },
        portMappings: [{ service: 'pay', originalPort: port, actualPort: port + 1, reassigned: true }],
      });
      const look = (command = ['serve']) => check({ ...spelling(port), command, store, state: 'running' });
      expect(await look()).toMatchObject([{ status: 'pass' }]);
      expect(await look([`http://pay:${port}/`])).toMatchObject([
        { status: 'fail', error: { details: { service: 'pay', port, reason: 'spelt-out' } } },
      ]);
    });

    it('warns when the mock listens on addresses of its own', async () => {
      const { port } = await holdTcp('0.0.0.0', await freePorts(1));
      const mockEnvironment = { ARGUS_MOCK_ADDRESSES: '127.0.0.2' };
      const [result] = await check({ ...spelling(port), mockEnvironment });
      expect(result).toMatchObject({ status: 'warn', error: { details: { service: 'pay' } } });
      expect(result?.error?.details).not.toHaveProperty('reason');
    });

    it('fails when another mock has it, which is where that is', async () => {
      const port = await freePorts(1);
      const both = { ...spelling(port), mocks: { bank: port, pay: port } };
      expect(await check(both)).toMatchObject([
        { status: 'fail', error: { details: { service: 'pay', reason: 'spelt-out' } } },
      ]);
      const behind = { ...spelling(port), services: { api: [`127.0.0.1:${port}:80`] } };
      expect(await check(behind)).toMatchObject([{ status: 'warn', error: { details: { service: 'pay' } } }]);
    });
  });

  it('finds ten services that ask for the same port, in one result', async () => {
    const port = await freePorts(1);
    const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
    const results = await check({
      services: Object.fromEntries(names.map((name) => [name, [`${port}:80`]])),
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ status: 'warn', error: { details: { service: 's1', port } } });
    expect(results[0]?.message).toContain(
      `tcp port ${port} of s1, s2, s3, s4, s5, s6, s7, s8, s9 is asked for by s0 too`,
    );
  });

  it('tells UDP from TCP', async () => {
    const { port } = await holdUdp('127.0.0.1', await freePorts(1));
    expect(await check({ services: { dns: [`${port}:53/tcp`, `${port}:53/udp`] } })).toMatchObject([
      { status: 'pass', target: `port:${port}/tcp` },
      {
        status: 'warn',
        target: `port:${port}/udp`,
        error: { details: { protocol: 'udp', pid: process.pid } },
      },
    ]);
  });

  it('looks at the address that a service binds', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    const statusFor = async (address: string) =>
      (await check({ services: { api: [`${address}:${port}:80`] } }))[0]?.status;
    expect(await statusFor('127.0.0.1')).toBe('warn');
    expect(await statusFor('0.0.0.0')).toBe('warn');
    expect(await statusFor('[::1]')).toBe('pass');
    if (process.platform === 'linux') expect(await statusFor('127.0.0.2')).toBe('pass');
  });

  it('does not mind what the own run of this folder holds', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    const store = createMemoryStore();
    const mapping = { host: port, container: 80, ip: null, protocol: 'tcp' } as const;
    const services = { api: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } };
    const look = (state?: Configuration['state']) =>
      check({ services: { api: [`${port}:80`] }, store, ...(state ? { state } : {}) });
    const run = await makeRun({ project: 'test', worktree: dir });

    await recordRun(store, run, { services });
    expect(await look('running')).toMatchObject([
      { status: 'pass', message: `tcp port ${port}: in use by api, which runs` },
    ]);
    // It is dead, and somebody else has taken its port.
    expect(await look('exited')).toMatchObject([
      { status: 'warn', error: { details: { pid: process.pid } } },
    ]);
    expect(await look()).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('given to api, which could not be looked at') },
    ]);
    await recordRun(store, run, { services, state: 'starting' });
    expect(await look('missing')).toMatchObject([
      { status: 'pass', message: `tcp port ${port}: kept for api, which is being started or stopped` },
    ]);
    await recordRun(store, run, { services, leaseUntil: 0 });
    expect(await look()).toMatchObject([{ status: 'warn' }]);
    await recordRun(store, { ...run, worktree: '/elsewhere' }, { services });
    expect(await look()).toMatchObject([{ status: 'warn' }]);
  });

  it.runIf(process.platform === 'linux')(
    'does not take a process for a stranger that the own run has started, also where its runtime has lost it',
    async () => {
      const port = await freePorts(1);
      const store = createMemoryStore();
      const run = await makeRun({ project: 'test', worktree: dir, store: await store.id() });
      await recordRun(store, run);
      const env = { ARGUS_PROCESS: `${run.id}/api`, ARGUS_STORE: run.store };
      const { pid } = await holderProcess('the-own', port, { env });
      const look = (service: string) => check({ services: { [service]: [`${port}:80`] }, store });
      expect(await look('api')).toMatchObject([
        { status: 'pass', message: `tcp port ${port}: in use by api as process ${pid}` },
      ]);
      // Another service cannot have it, whoever has started the process.
      expect(await look('web')).toMatchObject([{ status: 'warn', error: { details: { pid } } }]);
      await recordRun(store, run, { leaseUntil: 1 });
      expect(await look('api')).toMatchObject([{ status: 'warn', error: { details: { pid } } }]);
      await recordRun(store, { ...run, store: 'another' });
      expect(await look('api')).toMatchObject([{ status: 'warn', error: { details: { pid } } }]);
    },
  );

  it('does not mind a port inside that the own run has published more than once', async () => {
    const first = await freePorts(3);
    const hosts = [first, first + 1, first + 2];
    for (const port of hosts) await holdTcp('127.0.0.1', port);
    const store = createMemoryStore();
    const ports = hosts.map((host) => ({ host, container: 80, ip: null, protocol: 'tcp' }) as const);
    await recordRun(store, await makeRun({ project: 'test', worktree: dir }), {
      services: { api: { runtime: 'docker', spec: '', ports, startedAt: 0 } },
    });
    const services = { api: [`${first}:80`, `${first + 1}:80`, `${first + 2}-${first + 9}:80`] };
    expect(await check({ services, store, state: 'running', strategy: 'fail' })).toMatchObject(
      hosts.map((port) => ({
        status: 'pass',
        message: `tcp port ${port}: in use by api, which runs`,
      })),
    );
  });

  it('does not mind a port that a service of the own run gives up', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(1));
    const store = createMemoryStore();
    const mapping = { host: port, container: 80, ip: null, protocol: 'tcp' } as const;
    const run = await makeRun({ project: 'test', worktree: dir });
    const services = { api: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } };
    await recordRun(store, run, { services });
    const look = (asked: Record<string, string[]>, state?: Configuration['state']) =>
      check({ services: asked, store, strategy: 'fail', ...(state ? { state } : {}) });
    const passes = (to: string) => ({
      status: 'pass',
      message: `tcp port ${port}: in use by api as it runs now; a setup stops that first and gives it to ${to}`,
    });

    expect(await look({ api: [`${port}:81`] }, 'running')).toMatchObject([passes('api')]);
    expect(await look({ web: [`${port}:80`] }, 'running')).toMatchObject([passes('web')]);
    expect(await look({ web: [`${port}:80`] })).toMatchObject([{ status: 'unknown' }]);
    // It is dead, and somebody else has taken its port.
    expect(await look({ web: [`${port}:80`] }, 'exited')).toMatchObject([{ status: 'fail' }]);
    // It keeps its port, so that nobody else can have it.
    expect(await look({ web: [`${port}:80`], api: [`${port}:80`] }, 'running')).toMatchObject([
      { status: 'fail', error: { details: { service: 'web' } } },
    ]);
    expect(await look({ web: [`${port}:80`], two: [`${port}:80`] }, 'running')).toMatchObject([
      { status: 'fail', error: { details: { service: 'two' } } },
    ]);
  });

  it('is content when the own run has another port instead', async () => {
    const { port } = await holdTcp('127.0.0.1', await freePorts(2));
    const store = createMemoryStore();
    const mapping = { host: port + 1, container: 80, ip: null, protocol: 'tcp' } as const;
    await recordRun(store, await makeRun({ project: 'test', worktree: dir }), {
      services: { api: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } },
      portMappings: [{ service: 'api', originalPort: port, actualPort: port + 1, reassigned: true }],
    });
    expect(await check({ services: { api: [`${port}:80`] }, store, state: 'running' })).toMatchObject([
      { status: 'pass', message: `tcp port ${port}: api runs on ${port + 1} instead` },
    ]);
    // Nothing may be moved any more, as a setup will say too; and what it was moved to is nobody's for long.
    const strict = { store, state: 'running', strategy: 'fail' } as const;
    expect(await check({ ...strict, services: { api: [`${port}:80`] } })).toMatchObject([
      { status: 'fail', error: { details: { port } } },
    ]);
    expect(await check({ ...strict, services: { web: [`${port + 1}:80`] } })).toMatchObject([
      { status: 'pass', message: expect.stringContaining('a setup stops that first and gives it to web') },
    ]);
  });

  describe('the container of a dead run that has published the port', () => {
    const mappingOf = (host: number) =>
      ({ host, container: 5432, ip: '127.0.0.1', protocol: 'tcp' }) as const;
    const containerOf = (runId: string, service: string, store: string): Resource => {
      const left = { project: 'test', runId, store, worktree: '/gone', createdAt: 0, service };
      const name = `argus-test-${runId}-${service}`;
      return { runtime: 'docker', type: 'container', id: name, name, ...left };
    };

    /** What is told as left behind, where an engine has these containers. */
    const told = async (
      port: number,
      store: StateStore,
      { resources, inspect }: { resources: Resource[]; inspect: Runtime['inspect'] },
    ) => {
      const runtime = {
        name: 'docker',
        runs: () => true,
        resources: async () => resources,
        inspect,
        ...{ start: never, exec: never, stop: never, remove: never, logs: never, watch: never },
      } as unknown as Runtime;
      const plugin = definePlugin({
        name: 'docker',
        apply: ({ hooks }) => hooks.runtimes.tap('docker', (all) => all.add(runtime)),
      });
      const config = { services: { db: { image: 'db', ports: [`${port}:5432`] } } };
      const kernel = buildKernel({ dir, config, store, plugins: [ports, plugin] });
      const [result] = (await runChecks(kernel, { only: ['ports.conflicts'] })).checks;
      return isErrorOf(result?.error, portConflict) ? result.error.details.orphan : 'no conflict';
    };

    it('is named, and only one that runs', async () => {
      const { port } = await holdTcp('127.0.0.1', await freePorts(1));
      const store = createMemoryStore();
      const look = async (status: 'running' | 'exited', madeWith?: string) =>
        told(port, store, {
          resources: [containerOf('r1', 'db', madeWith ?? (await store.id()))],
          inspect: async () => [{ service: 'db', status, ports: [mappingOf(port)] }],
        });
      expect(await look('running')).toBe('container:argus-test-r1-db');
      expect(await look('exited')).toBeUndefined();
      expect(await look('running', 'another')).toBeUndefined();
    });

    it('is found with one look for each run', async () => {
      const { port } = await holdTcp('127.0.0.1', await freePorts(1));
      const store = createMemoryStore();
      const own = await store.id();
      const looks: string[] = [];
      const found = await told(port, store, {
        resources: ['r1', 'r2'].flatMap((run) => ['api', 'db'].map((name) => containerOf(run, name, own))),
        inspect: async ({ id }, names) => {
          looks.push(`${id}: ${names.join(', ')}`);
          const isIt = (name: string) => id === 'r2' && name === 'db';
          return names.toReversed().map((service) => ({
            service,
            status: 'running',
            ports: isIt(service) ? [mappingOf(port)] : [],
          }));
        },
      });
      expect(found).toBe('container:argus-test-r2-db');
      expect(looks).toEqual(['r1: api, db', 'r2: api, db']);
    });
  });

  it('says that the port of a service of the own run is free when the service is dead', async () => {
    const port = await freePorts(1);
    const store = createMemoryStore();
    const mapping = { host: port, container: 80, ip: null, protocol: 'tcp' } as const;
    const services = { db: { runtime: 'docker', spec: '', ports: [mapping], startedAt: 0 } };
    await recordRun(store, await makeRun({ project: 'test', worktree: dir }), { services });
    expect(await check({ services: { db: [`${port}:80`] }, store, state: 'exited' })).toMatchObject([
      { status: 'pass', message: `tcp port ${port}: free for db` },
    ]);
  });

  it('finds a port that another run has leased and not bound yet', async () => {
    const port = await freePorts(1);
    const store = createMemoryStore();
    const stage = await makeStage({ run: await makeRun({ project: 'other', worktree: '/other' }) });
    const range = { first: 1_024, last: 65_535 };
    await resolvePorts(asked([container('web', [`${port}:80`])]), stage, { store, strategy: 'auto', range });
    const [result] = await check({ services: { api: [`${port}:80`] }, store });
    expect(result?.status).toBe('warn');
    expect(result?.message).toContain(
      `is leased to web of the project other in /other (run ${stage.run.id})`,
    );
  });
});
