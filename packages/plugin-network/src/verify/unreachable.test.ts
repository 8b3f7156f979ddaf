import { beforeAll, expect, it, vi } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { buildImage } from '../fixtures/build-image.js';
import { freePort } from '../fixtures/free-port.js';
import { idler, resultOf, server, trialEnvironment } from '../fixtures/trial-environment.js';

describeWithEngine('an environment in which one does not reach another', ({ host }) => {
  beforeAll(async () => {
    vi.stubEnv('DOCKER_HOST', host);
    await makeTestImage(host);
    return () => vi.unstubAllEnvs();
  });

  it.each([
    { policy: { autonomy: 'observe' }, refusal: 'autonomy: observe', actions: ['network.reconnect'] },
    { policy: { exclude: ['container:*-db'] }, refusal: 'matches container:*-db', actions: [] },
  ])(
    'fails because of the container that is off the network where it may not connect: $policy',
    async ({ policy, refusal, actions }) => {
      const environment = await trialEnvironment(host, {
        config: {
          policy,
          services: { api: idler(testImage, { dependsOn: ['db'] }), db: server(testImage) },
        },
        async sabotage(_, { docker, network }) {
          await docker('network', 'disconnect', await network(), `${await network()}-db`);
        },
      });
      const setup = await environment.setup();
      const error = setup.ok ? undefined : setup.error;
      expect(error).toMatchObject({
        code: 'NETWORK_UNREACHABLE',
        category: 'network',
        severity: 'recoverable',
        message: expect.stringMatching(/^api does not reach db: it cannot resolve the name db; db is not on/),
        suggestedActions: [...actions, 'setup', 'status'],
        details: {
          source: 'api',
          target: 'db',
          host: 'db',
          reason: 'not-connected',
          dns: { resolved: false },
          topology: [{ containers: ['api'] }],
          notReconnected: [
            { service: 'db', problem: 'not-connected', refusal: expect.stringContaining(refusal) },
          ],
          connectivity: [{ from: 'api', to: 'db', status: 'unreachable', dns: { ok: false }, tcp: null }],
          rollback: { failed: [] },
        },
      });
      expect(environment.events.map(({ type }) => type)).toContain('network_verified');
      const details = environment.kernel.errorCodes.get('NETWORK_UNREACHABLE')?.details?.();
      expect(details?.safeParse(error?.details)).toMatchObject({ success: true });
    },
  );

  it('fails with the name that leads nowhere where a container is on its network without it', async () => {
    const environment = await trialEnvironment(host, {
      config: {
        policy: { autonomy: 'observe' },
        services: { api: idler(testImage, { dependsOn: ['db'] }), db: server(testImage) },
      },
      async sabotage(_, { docker, network }) {
        const [name, container] = [await network(), `${await network()}-db`];
        await docker('network', 'disconnect', name, container);
        await docker('network', 'connect', name, container);
      },
    });
    const setup = await environment.setup();
    const error = setup.ok ? undefined : setup.error;
    expect(error).toMatchObject({
      code: 'DNS_RESOLUTION_FAILED',
      message: expect.stringMatching(
        /cannot resolve the name db; db is on its network, but not under its name, and argus may not/,
      ),
      suggestedActions: ['network.reconnect', 'setup', 'status'],
      details: {
        host: 'db',
        network: expect.stringMatching(/^argus-test-/),
        containers: [expect.stringMatching(/-api$/), expect.stringMatching(/-db$/)],
        topology: [{ containers: ['api', 'db'] }],
        notReconnected: [{ service: 'db', problem: 'nameless' }],
      },
    });
    const details = environment.kernel.errorCodes.get('DNS_RESOLUTION_FAILED')?.details?.();
    expect(details?.safeParse(error?.details)).toMatchObject({ success: true });
  });

  it('fails when a container is on its network and nothing gets there', async () => {
    const environment = await trialEnvironment(host, {
      config: { services: { api: idler(testImage, { dependsOn: ['db'] }), db: server(testImage) } },
      options: { verify: { timeout: '1s' } },
      async sabotage(_, { docker, network }) {
        const inside = ['--network', `container:${await network()}-db`, '--cap-add', 'NET_ADMIN'];
        await docker('run', '--rm', ...inside, testImage, 'ip', 'link', 'set', 'eth0', 'down');
      },
    });
    const setup = await environment.setup();
    const error = setup.ok ? undefined : setup.error;
    expect(error).toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      details: {
        source: 'api',
        target: 'db',
        host: 'db',
        port: 80,
        reason: expect.stringMatching(/timed-out|no-route/),
        dns: { resolved: true },
        topology: [{ containers: ['api', 'db'] }],
      },
    });
    const details = environment.kernel.errorCodes.get('NETWORK_UNREACHABLE')?.details?.();
    expect(details?.safeParse(error?.details)).toMatchObject({ success: true });
  });

  it('waits for a mock that takes its time to listen, and fails when it never does', async () => {
    const setUpWith = async (script: string, patience: string) => {
      // A mock cannot be given a command, so its image has it.
      const image = 'argus-test:mock';
      await buildImage(host, image, `FROM ${testImage}\nCMD ["sh", "-c", ${JSON.stringify(script)}]\n`);
      const port = await freePort();
      const pay = { image, port, environment: { PORT: `${port}` } };
      const environment = await trialEnvironment(host, {
        config: { services: { api: idler(testImage) }, mocks: { pay } },
        options: { verify: { patience } },
      });
      return { port, result: resultOf(await environment.setup()) };
    };
    const late = await setUpWith('sleep 2; exec httpd -f -p $PORT -h /', '60s');
    expect(late.result).toMatchObject({
      results: [{ from: 'api', to: 'pay', port: late.port, status: 'reachable' }],
    });
    const never = await setUpWith('exec sleep 1000', '300ms');
    expect(never.result).toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: `api does not reach pay: pay:${never.port} refuses the connection`,
      details: { reason: 'refused', port: never.port },
    });
  });

  it('does not hold it against a port of which nobody said that something listens there', async () => {
    const debug = await freePort();
    const environment = await trialEnvironment(host, {
      config: {
        services: {
          api: idler(testImage, { dependsOn: ['db', 'later', 'mute'] }),
          db: server(testImage, { ports: ['80', `${debug}:9229`] }),
          later: idler(testImage, { ports: ['81'] }),
          mute: idler(testImage),
        },
      },
    });
    expect(resultOf(await environment.setup())).toMatchObject({
      allReachable: false,
      results: [
        { to: 'db', port: 80, status: 'reachable' },
        { to: 'later', port: 81, status: 'unknown', reason: 'nobody-listens', dns: { ok: true } },
        { to: 'mute', port: null, status: 'unknown', reason: 'no-port', dns: { ok: true }, tcp: null },
      ],
    });
  });
});
