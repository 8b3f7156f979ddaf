import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { startPrivateEngine } from '../../../../tests/support/engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { countingDocker } from '../../../plugin-docker/src/fixtures/counting-docker.js';
import { makeScratchImage, scratchImage } from '../fixtures/build-image.js';
import { freePort } from '../fixtures/free-port.js';
import { errorOf, idler, resultOf, server, trialEnvironment } from '../fixtures/trial-environment.js';

/** Two services that ran already and were not started anew. */
const kept = [{ status: 'kept' }, { status: 'kept' }];

describeWithEngine('verifying an environment', ({ host }) => {
  beforeAll(async () => {
    vi.stubEnv('DOCKER_HOST', host);
    await makeTestImage(host);
    await makeScratchImage(host);
    return () => vi.unstubAllEnvs();
  });

  it('proves who reaches whom, by the name and port that they use, and says who is on which network', async () => {
    const port = await freePort();
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          api: server(testImage, { dependsOn: ['db'] }),
          db: server(testImage),
          lone: idler(testImage, { dependsOn: [] }),
        },
        mocks: { pay: { port, routes: [{ path: '/x' }] } },
      },
    });
    const setup = await environment.setup();
    expect(resultOf(setup)).toMatchObject({
      allReachable: true,
      reconnected: [],
      networkTopology: [{ network: await environment.network(), containers: ['api', 'db', 'lone'] }],
    });
    const found = setup.ok ? setup.data.networkVerification?.results : [];
    const common = {
      status: 'reachable',
      dns: { ok: true, latencyMs: expect.any(Number), addresses: expect.any(Array) },
      tcp: { ok: true, latencyMs: expect.any(Number) },
    };
    expect(found).toEqual([
      { from: 'api', to: 'db', host: 'db', port: 80, via: 'inside', ...common },
      { from: 'api', to: 'pay', host: 'pay', port, via: 'inside', ...common },
      { from: 'db', to: 'pay', host: 'pay', port, via: 'inside', ...common },
      { from: 'lone', to: 'pay', host: 'pay', port, via: 'inside', ...common },
    ]);
    const told = environment.events.filter(({ type }) => type.startsWith('network'));
    expect(told.at(-1)).toMatchObject({ type: 'network_verified', data: { allReachable: true } });
    expect(told).toContainEqual(
      expect.objectContaining({
        type: 'network_check',
        data: { service: 'db', from: 'api', reachable: true, status: 'reachable' },
      }),
    );
  });

  it('needs nothing inside an image: one with a single program is looked at from a container beside it', async () => {
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          web: { image: scratchImage, dependsOn: ['db', 'twin'] },
          twin: { image: scratchImage, ports: ['80'] },
          db: server(testImage),
        },
      },
    });
    const setup = await environment.setup();
    expect(resultOf(setup)).toMatchObject({
      allReachable: true,
      results: [
        { from: 'web', to: 'twin', status: 'reachable', via: expect.stringMatching(/beside|companion/) },
        { from: 'web', to: 'db', status: 'reachable', via: expect.stringMatching(/beside|companion/) },
      ],
    });
    // What was started to look is gone.
    const label = `label=argusai.worktree=${environment.dir}`;
    const left = await environment.docker('ps', '--all', '--filter', label, '--format', '{{.Names}}');
    expect(left.split('\n')).toHaveLength(3);
  });

  it('says that it could not tell, and fails nothing, when there is nothing to look with', async () => {
    const engine = await startPrivateEngine();
    if ('missing' in engine) return expect.fail(engine.missing);
    onTestFinished(() => engine.end());
    await makeScratchImage(engine.host);
    vi.stubEnv('DOCKER_HOST', engine.host);
    onTestFinished(() => void vi.stubEnv('DOCKER_HOST', host));
    const environment = await trialEnvironment(engine.host, {
      config: {
        services: {
          web: { image: scratchImage, dependsOn: ['api'] },
          api: { image: scratchImage, ports: ['80'] },
        },
      },
    });
    expect(resultOf(await environment.setup())).toMatchObject({
      allReachable: false,
      results: [
        { from: 'web', to: 'api', status: 'unknown', reason: 'no-tool', dns: { ok: null }, tcp: null },
      ],
      networkTopology: [{ containers: ['web', 'api'] }],
    });
  });

  it('connects a container that was kept and has lost its network, and then verifies', async () => {
    // A port that the engine chose would be another one afterwards.
    const db = server(testImage, { ports: [`${await freePort()}:80`] });
    const config = { services: { api: idler(testImage, { dependsOn: ['db'] }), db } };
    const environment = await trialEnvironment(host, { config });
    expect(errorOf(await environment.setup())).toBeUndefined();
    const network = await environment.network();
    await environment.docker('network', 'disconnect', network, `${network}-db`);
    // Without its name it is as good as gone.
    await environment.docker('network', 'disconnect', network, `${network}-api`);
    await environment.docker('network', 'connect', network, `${network}-api`);
    const again = await environment.setup();
    expect(again).toMatchObject({ ok: true, data: { unchanged: false, services: kept } });
    expect(resultOf(again)).toMatchObject({
      allReachable: true,
      reconnected: ['api', 'db'],
      networkTopology: [{ network, containers: ['api', 'db'] }],
    });
  });

  it('connects a container before it waits for health that needs the network, its own or that of another', async () => {
    const ports = [`${await freePort()}:80`];
    const healthcheck = {
      command: 'timeout 2 wget -q -O - http://db/etc/hostname',
      interval: '200ms',
      timeout: '3s',
      retries: 3,
      startPeriod: '0s',
    };
    const config = {
      services: {
        api: idler(testImage, { dependsOn: ['db'], healthcheck }),
        db: server(testImage, { ports }),
      },
    };
    const environment = await trialEnvironment(host, { config });
    expect(errorOf(await environment.setup())).toBeUndefined();
    const network = await environment.network();
    for (const lost of ['api', 'db']) {
      await environment.docker('network', 'disconnect', network, `${network}-${lost}`);
      const again = await environment.setup();
      expect(again).toMatchObject({ ok: true, data: { unchanged: false, services: kept } });
      expect(resultOf(again)).toMatchObject({ allReachable: true, reconnected: [lost] });
    }
    expect(resultOf(await environment.setup())).toMatchObject({ reconnected: [] });

    // Where argus may only look, it says what would help, and leaves what was up.
    await environment.docker('network', 'disconnect', network, `${network}-api`);
    const observing = { ...config, policy: { autonomy: 'observe' } };
    const watching = await trialEnvironment(host, { config: observing, like: environment });
    expect(errorOf(await watching.setup())).toMatchObject({
      code: 'HEALTH_CHECK_TIMEOUT',
      message: expect.stringMatching(
        /api is not on its network.*observe.*: argus fix --only network.topology$/,
      ),
      suggestedActions: ['network.reconnect', 'logs', 'setup'],
      details: {
        service: 'api',
        diagnosis: {
          network: { connectivity: [{ from: 'api', to: 'db', status: 'unreachable' }] },
          dns: [{ from: 'api', to: 'db', ok: false }],
        },
        rollback: { removed: [], left: ['db', 'api'], failed: [] },
      },
    });
    expect(errorOf(await environment.setup())).toBeUndefined();
  });

  it('leaves a container that has lost its network where the policy says so, and tells what connects it', async () => {
    const db = server(testImage, { ports: [`${await freePort()}:80`] });
    const config = { services: { api: idler(testImage, { dependsOn: ['db'] }), db } };
    const environment = await trialEnvironment(host, { config });
    expect(errorOf(await environment.setup())).toBeUndefined();
    const network = await environment.network();
    const container = `${network}-db`;
    await environment.docker('network', 'disconnect', network, container);
    const byHand = `docker network connect --alias db ${network} ${container}`;
    const policies = [
      [{ autonomy: 'cautious' }, 'autonomy: cautious', 'argus fix --only network.topology'],
      [{ exclude: ['service:db'] }, 'excluded: service:db matches service:db', byHand],
      [{ exclude: ['container:*-db'] }, `excluded: container:${container} matches container:*-db`, byHand],
    ] as const;
    for (const [policy, refusal, command] of policies) {
      const bound = await trialEnvironment(host, { config: { ...config, policy }, like: environment });
      expect(errorOf(await bound.setup())).toMatchObject({
        code: 'NETWORK_UNREACHABLE',
        message: expect.stringContaining(command),
        suggestedActions: [...(command === byHand ? [] : ['network.reconnect']), 'setup', 'status'],
        details: {
          notReconnected: [{ service: 'db', container, refusal: expect.stringContaining(refusal), command }],
          rollback: { removed: [], left: ['db', 'api'] },
        },
      });
    }
    // What was told to be typed helps.
    await environment.docker(...byHand.split(' ').slice(1));
    expect(resultOf(await environment.setup())).toMatchObject({ allReachable: true, reconnected: [] });
  });

  it('looks from this machine for what runs as a process on it', async () => {
    const [web, api, pay] = [await freePort(), await freePort(), await freePort()];
    const listen = (port: number) => ({
      command: ['node', '-e', `require("net").createServer().listen(${port}, "127.0.0.1")`],
      ports: [`${port}:${port}`],
    });
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          web: { ...listen(web), dependsOn: ['api', 'db', 'later', 'inner'] },
          api: listen(api),
          db: server(testImage),
          later: idler(testImage, { ports: ['81'] }),
          inner: idler(testImage),
        },
        mocks: { pay: { port: pay, routes: [] } },
      },
    });
    const setup = await environment.setup();
    const results = setup.ok ? setup.data.networkVerification?.results : [];
    const own = results?.filter(({ from }) => from === 'web');
    const common = { host: 'localhost', via: 'this machine' };
    expect(own).toMatchObject([
      { to: 'api', port: api, status: 'reachable', ...common },
      { to: 'db', port: expect.any(Number), status: 'reachable', ...common, host: '127.0.0.1' },
      // The engine's proxy accepts for it, and hangs up.
      { to: 'later', status: 'unknown', reason: 'nobody-listens', ...common, host: '127.0.0.1' },
      { to: 'inner', port: null, status: 'unknown', reason: 'no-port', ...common },
      { to: 'pay', port: pay, status: 'reachable', ...common },
    ]);
  });

  it('proves that containers know a mock that came later', async () => {
    const services = { api: idler(testImage), web: server(testImage) };
    const first = await trialEnvironment(host, { config: { services } });
    expect(errorOf(await first.setup())).toBeUndefined();
    const mocks = { pay: { port: await freePort(), routes: [] } };
    const second = await trialEnvironment(host, { config: { services, mocks }, like: first });
    const result = resultOf(await second.setup());
    expect(result).toMatchObject({
      allReachable: true,
      results: [
        { from: 'api', to: 'pay', status: 'reachable' },
        { from: 'web', to: 'pay', status: 'reachable' },
      ],
    });
  });

  it('starts few clients: one command in each container, and none to look at them', async () => {
    const counting = await countingDocker({ DOCKER_HOST: host });
    const path = process.env.PATH;
    vi.stubEnv('PATH', counting.env.PATH);
    onTestFinished(() => void vi.stubEnv('PATH', path));
    let before = 0;
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          api: idler(testImage, { dependsOn: ['db', 'web'] }),
          web: server(testImage, { dependsOn: ['db'] }),
          db: server(testImage),
        },
      },
      async sabotage() {
        before = (await counting.calls()).length;
      },
    });
    expect(errorOf(await environment.setup())).toBeUndefined();
    // The script that is run in a container has lines of its own.
    const lines = (await counting.calls()).slice(before);
    const calls = lines.flatMap((line) => /^(exec|run|network \w+|container \w+) /.exec(line)?.[1] ?? []);
    expect(calls).toEqual(['exec', 'exec']);
  });

  it('is left out where the configuration says so', async () => {
    const environment = await trialEnvironment(host, {
      config: {
        services: { api: idler(testImage, { dependsOn: ['db'] }), db: server(testImage) },
        resilience: { network: { verifyConnectivity: false } },
      },
    });
    const setup = await environment.setup();
    expect(errorOf(setup)).toBeUndefined();
    expect(resultOf(setup)).toBeUndefined();
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const environment = await trialEnvironment(host, {
      config: { services: { api: idler(testImage, { dependsOn: ['db'] }), db: server(testImage) } },
      sabotage: async () => stop.abort(new Error('enough')),
    });
    const setup = await environment.run('setup', {}, stop.signal);
    expect(setup).toMatchObject({ ok: false, error: { message: 'enough' } });
  });

  it('adds to the evidence of a service whom it reaches and who reaches it', async () => {
    const reported: Record<string, unknown> = {};
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          api: idler(testImage, { dependsOn: ['db'] }),
          db: server(testImage, { dependsOn: ['cache'] }),
          cache: server(testImage),
        },
      },
      async sabotage(stage, { kernel, docker, network }) {
        await docker('network', 'disconnect', await network(), `${await network()}-cache`);
        const service = stage.services.find(({ name }) => name === 'db') ?? expect.fail('no db');
        const report = (part: string, value: unknown) => void Object.assign(reported, { [part]: value });
        const suggest = (action: string) => void Object.assign(reported, { action });
        const explain = () => expect.fail('argus may connect it');
        await kernel.hooks.diagnoseService.promise({ ...stage, service, report, suggest, explain });
      },
    });
    await environment.setup();
    expect(reported).toMatchObject({
      network: {
        connectivity: [
          { from: 'api', to: 'db', status: 'reachable' },
          {
            from: 'db',
            to: 'cache',
            status: 'unreachable',
            reason: expect.stringMatching(/not-found|no-answer/),
          },
        ],
        topology: [{ containers: ['api', 'db'] }],
      },
      dns: [
        { from: 'api', to: 'db', host: 'db', ok: true },
        { from: 'db', to: 'cache', host: 'cache', ok: false },
      ],
      action: 'network.reconnect',
    });
  });
});
