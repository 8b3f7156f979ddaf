import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type Json, runChecks, runOperation, type StateStore } from '@argusai/core';
import { buildKernel, describePlugin } from '@argusai/core/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../tests/support/test-image.js';
import { serviceOf, trialRun } from '../../plugin-docker/src/runtime/fixtures/trial-run.js';
import { freePort } from './fixtures/free-port.js';
import network from './index.js';
import { reconnect } from './placement/reconnect.js';

describeWithEngine('the contract, and containers that are not where they should be', ({ host }) => {
  const trial = trialRun(host, 'test');
  const { worktree: dir } = trial.run;
  const config = { services: { api: { image: 'x' }, db: { image: 'x' } } };
  let store: StateStore;
  let net = '';

  /** Puts both containers where they belong. */
  const restore = async () => {
    for (const service of ['api', 'db']) {
      const container = `${net}-${service}`;
      await trial.docker('network', 'disconnect', net, container).catch(() => undefined);
      await trial.docker('network', 'connect', '--alias', service, net, container);
    }
  };
  const prepared = { config, dir };
  const silent = createServer((socket) => socket.resume());
  const listen = async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    return (silent.address() as { port: number }).port;
  };

  beforeAll(async () => {
    vi.stubEnv('DOCKER_HOST', host);
    await makeTestImage(host);
    const idle = { image: testImage, command: ['sleep', '10000'] };
    await trial.start(serviceOf('api', idle), serviceOf('db', idle));
    net = (await trial.docker('network', 'ls', '--format', '{{.Name}}'))
      .split('\n')
      .filter((name) => name.includes(trial.run.id.replace(/-+$/, '')))
      .join('');
    store = createMemoryStore();
    const service = { runtime: 'docker', spec: 'spec-1', ports: [], startedAt: 0 };
    const record = {
      ...trial.run,
      state: 'up',
      createdAt: 0,
      leaseUntil: Date.now() + 3_600_000,
      portMappings: [],
      services: { api: service, db: service, web: { ...service, runtime: 'process' } },
    };
    await store.put('runs', trial.run.id, record as unknown as Json);
  });
  afterAll(async () => {
    // Not all of the project: other tests have theirs under the same name.
    await trial.docker('rm', '--force', `${net}-api`, `${net}-db`);
    await trial.docker('network', 'rm', net);
    vi.unstubAllEnvs();
  });

  const observe = async () => {
    const format = '{{.State.StartedAt}} {{json .NetworkSettings.Networks}}';
    const seen = await trial.docker('inspect', '--format', format, `${net}-api`, `${net}-db`);
    // An endpoint that was made anew is another one.
    return seen.split('\n').sort();
  };

  describePlugin(network, {
    options: {},
    patienceMs: 10_000,
    scenarios: [
      {
        name: 'servers that say nothing, refuse and do not exist',
        async prepare() {
          const [quiet, refused] = [await listen(), await freePort()];
          return {
            options: {
              http: [{ url: `http://127.0.0.1:${quiet}/`, timeout: '200ms' }, `http://127.0.0.1:${refused}/`],
              tcp: [`127.0.0.1:${quiet}`, `127.0.0.1:${refused}`],
              dns: ['localhost', 'no-such-host.invalid'],
            },
          };
        },
        cleanup: () => new Promise((resolve) => silent.close(() => resolve())),
      },
      {
        name: 'a container that has lost its network',
        repairedBy: 'network.reconnect',
        observe,
        async prepare() {
          await restore();
          await trial.docker('network', 'disconnect', net, `${net}-db`);
          return { ...prepared, store };
        },
      },
      {
        name: 'a container that has lost its name',
        repairedBy: 'network.reconnect',
        observe,
        async prepare() {
          await restore();
          await trial.docker('network', 'disconnect', net, `${net}-db`);
          await trial.docker('network', 'connect', net, `${net}-db`);
          return { ...prepared, store };
        },
      },
    ],
  });

  it('are found, connected when a person agrees, and found well again', async () => {
    await restore();
    await trial.docker('network', 'disconnect', net, `${net}-db`);
    const kernel = buildKernel({ plugins: [network], config, dir, store });
    const { checks } = await runChecks(kernel);
    expect(checks).toMatchObject([
      { name: 'network.topology', target: `container:${net}-api`, status: 'pass' },
      {
        target: `container:${net}-db`,
        status: 'fail',
        message: `${net}-db should be on the network ${net} as db, and is not there`,
        error: {
          code: 'NETWORK_UNREACHABLE',
          category: 'network',
          severity: 'recoverable',
          suggestedActions: ['network.reconnect', 'setup', 'status'],
          details: {
            source: 'db',
            target: net,
            reason: 'not-connected',
            port: null,
            topology: [{ network: net, containers: ['api'] }],
          },
        },
      },
    ]);
    const run = async (name: string, input: object) => {
      const operation = kernel.operations.get(name) ?? expect.fail(`there is no ${name}`);
      return (await runOperation(kernel, operation, input)) as { ok: boolean; data: Record<string, unknown> };
    };
    const plan = await run('plan-recovery', {});
    const repair = { hash: plan.data.hash, confirm: true };
    expect(await run('apply-recovery', repair)).toMatchObject({
      ok: true,
      data: {
        steps: [
          {
            recoverer: 'network.reconnect',
            risk: 'disruptive',
            reversible: true,
            target: `container:${net}-db`,
            outcome: 'applied',
            verdict: 'recovered',
            evidence: { wrong: 'not-connected', networks: [] },
          },
        ],
        after: { overall: 'healthy' },
      },
    });
    expect(await trial.docker('exec', `${net}-api`, 'nslookup', 'db')).toContain('Name:');
  });

  it('are left to a setup where the network itself is gone', async () => {
    await restore();
    for (const service of ['api', 'db'])
      await trial.docker('network', 'disconnect', net, `${net}-${service}`);
    await trial.docker('network', 'rm', net);
    onTestFinished(async () => {
      await trial.docker('network', 'create', net);
      await restore();
    });
    const kernel = buildKernel({ plugins: [network], config, dir, store });
    const plan = kernel.operations.get('plan-recovery') ?? expect.fail('there is no plan-recovery');
    expect((await runChecks(kernel)).checks).toMatchObject(
      ['api', 'db'].map((service) => ({
        status: 'fail',
        target: `container:${net}-${service}`,
        message: expect.stringMatching(/ and is not there: that network is gone$/),
        error: { code: 'NETWORK_UNREACHABLE', suggestedActions: ['setup'] },
      })),
    );
    expect(await runOperation(kernel, plan, {})).toMatchObject({
      ok: true,
      data: { steps: [], unhandled: [{ check: 'network.topology' }, { check: 'network.topology' }] },
    });
  });

  it('may have been connected by somebody else meanwhile', async () => {
    await restore();
    const { signal } = new AbortController();
    const id = await trial.docker('inspect', '--format', '{{.Id}}', `${net}-db`);
    const connecting = (network: string) =>
      reconnect(trial.client, network, { id, service: 'db' }, { wrong: 'not-connected', signal });
    await connecting(net);
    await expect(connecting('no-such-network')).rejects.toMatchObject({ code: 'DOCKER_OBJECT_MISSING' });
  });

  it('are not looked for where nothing is up', async () => {
    const kernel = buildKernel({ plugins: [network], config, dir });
    expect((await runChecks(kernel)).checks).toMatchObject([
      { status: 'skipped', message: 'No container of this project is up' },
    ]);
  });

  it('are not known of when the engine cannot be asked', async () => {
    vi.stubEnv('DOCKER_HOST', 'unix:///no/such/socket');
    onTestFinished(() => void vi.stubEnv('DOCKER_HOST', host));
    const kernel = buildKernel({ plugins: [network], config, dir, store });
    expect((await runChecks(kernel)).checks).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('could not be looked at') },
    ]);
  });
});

describe('the network plugin', () => {
  it('registers a checker only for what there is to look at', () => {
    const names = (options: object, config: Record<string, unknown> = {}) =>
      buildKernel({ plugins: [[network, options]], config }).checkers.names();
    expect(names({})).toEqual([]);
    expect(names({ http: ['http://a/'], tcp: ['a:1'], dns: ['a'] })).toEqual([
      'network.http',
      'network.tcp',
      'network.dns',
    ]);
    expect(names({}, { services: { api: { command: 'x' } } })).toEqual([]);
    expect(names({}, { services: { api: { build: '.' } } })).toEqual(['network.topology']);
    expect(names({}, { mocks: { pay: { image: 'x' } } })).toEqual(['network.topology']);
  });

  it('has no circuit for an engine that nobody needs', async () => {
    const config = { services: { api: { command: 'x' } } };
    const kernel = buildKernel({ plugins: [[network, { dns: ['localhost'] }]], config });
    await runChecks(kernel);
    expect(await kernel.circuits.states()).toEqual([]);
  });

  it('has a README whose program runs and that names all there is', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const { errorCodes } = buildKernel({ plugins: [network] });
    const codes = errorCodes.names().filter((code) => errorCodes.ownerOf(code) === 'network');
    const checkers = ['network.http', 'network.tcp', 'network.dns', 'network.topology', 'network.reconnect'];
    const options = ['certificateDays', 'insecure', 'redirects', 'patience', 'verify', 'latency', 'timeout'];
    for (const name of [...codes, ...checkers, ...options]) expect(readme).toContain(`\`${name}\``);
    const folder = await mkdtemp(join(tmpdir(), 'argus-readme-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = join(folder, 'program.ts');
    await writeFile(program, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'throw new Error("no program")');
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await import(program);
    expect(log).toHaveBeenCalledWith('fail', 'db', expect.stringContaining('refused'), 'refused');
    log.mockRestore();
  });
});
