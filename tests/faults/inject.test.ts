import { readdir, statfs } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { container, read } from './projects/container.js';
import { ask, server } from './projects/server.js';
import { soon } from './projects/suite.js';
import { makeWorld } from './world/world.js';

describe('argus fault', () => {
  it('lists what can be broken, in two words or in one', async () => {
    const world = await makeWorld({});
    const faults = expect.arrayContaining([expect.objectContaining({ name: 'kill-service' })]);
    for (const words of [['fault', 'list'], ['fault-list']])
      expect(await world.argus(...words)).toMatchObject({ code: 0, data: { faults } });
    for (const words of [['fault'], ['fault', 'inect']])
      expect(await world.argus(...words)).toMatchObject({ code: 2, error: { code: 'USAGE_INVALID' } });
  });

  it('kills a service of its own, which the guardian brings back, and nobody else’s', async () => {
    const world = await makeWorld({});
    const other = await world.sibling();
    await other.configure({ services: { web: server({ ...other, port: world.port + 1 }) } });
    await world.configure({ services: { web: server(world) }, resilience: { container: soon } });
    expect(await world.argus('fault', 'inject', 'kill-service')).toMatchObject({ code: 2 });
    await other.argus('setup');
    await world.argus('setup', '--guard');
    const [own, others] = [(await ask(world.port)).pid, (await ask(world.port + 1)).pid];
    expect(await world.argus('fault', 'inject', 'kill-service', '--service', 'web')).toMatchObject({
      code: 0,
      data: { target: 'service:web', expect: 'CONTAINER_CRASH' },
    });
    const pidNow = async () => (await ask(world.port).catch(() => undefined))?.pid ?? own;
    await expect.poll(pidNow, { timeout: 30_000 }).not.toBe(own);
    expect((await ask(world.port + 1)).pid).toBe(others);
  });

  const isLinux = process.platform === 'linux';

  it.runIf(isLinux)(
    'has a service hang that has no health check, which is noticed and mended',
    async () => {
      const world = await makeWorld({});
      const { healthcheck: _, ports: __, ...bare } = server(world);
      const web = { ...bare, environment: { ...bare.environment, PORT: String(world.port) } };
      await world.configure({ services: { web }, resilience: { container: soon } });
      await world.argus('setup');
      // Nobody has waited until it listens.
      const whoIs = async () => (await ask(world.port).catch(() => undefined))?.pid;
      await expect.poll(whoIs, { timeout: 30_000 }).toBeDefined();
      const pid = await whoIs();
      const pause = ['fault', 'inject', 'pause-service', '--for', '10m'];
      const alone = world.begin(pause);
      await alone.until(({ type }) => type === 'fault_injected');
      expect(await world.argus('status')).toMatchObject({
        code: 1,
        data: { services: [{ name: 'web', status: 'paused', health: 'unhealthy' }] },
      });
      expect((await world.argus('check')).errors).toMatchObject([{ code: 'HEALTH_CHECK_TIMEOUT' }]);
      // Killed, it cannot take it back; the next setup does, and leaves the service as it is.
      alone.kill('SIGKILL', 'group');
      await alone.ended();
      const message = expect.stringMatching(/^it is paused: the argus .* is gone; argus setup does it$/);
      expect(await world.argus('status')).toMatchObject({ data: { services: [{ name: 'web', message }] } });
      await world.argus('setup', '--guard');
      expect((await ask(world.port)).pid).toBe(pid);
      const guarded = world.begin(pause);
      await guarded.until(({ type }) => type === 'fault_injected');
      const pidNow = async () => (await whoIs()) ?? pid;
      await expect.poll(pidNow, { timeout: 30_000 }).not.toBe(pid);
      const told = async () => JSON.stringify((await world.argus('incidents')).data);
      await expect.poll(told, { timeout: 30_000 }).toMatch(/"outcome":"recovered"/);
      const history = await told();
      expect(history).toContain('HEALTH_CHECK_TIMEOUT');
      expect(history).toMatch(/"memory":\{"limit":null,"peak":\d+\}/);
      // There is nothing to wait for any more.
      expect(await world.finish(guarded, pause)).toMatchObject({ code: 0, data: { replaced: true } });
    },
    60_000,
  );

  it('gives back a port when it is interrupted', async () => {
    const world = await makeWorld({});
    await world.configure({ services: { web: server(world) } });
    const inject = ['fault', 'inject', 'take-port', '--for', '10m'];
    const call = world.begin(inject);
    await call.until(({ type }) => type === 'fault_injected');
    const { errors } = await world.argus('check');
    expect(errors).toMatchObject([{ code: 'PORT_CONFLICT', details: { service: 'web', port: world.port } }]);
    call.kill('SIGINT', 'group');
    await call.ended();
    expect((await world.argus('check')).errors).toEqual([]);
  });

  it('leaves nothing on the disk that it has filled when it is killed', async () => {
    const world = await makeWorld({});
    const { bavail, bsize } = await statfs(world.dir);
    // Others use this disk too, so what is written is little.
    const diskSpaceThreshold = 2 * (bavail * bsize - 50_000_000);
    await world.configure({ resilience: { preflight: { diskSpaceThreshold } } });
    const before = await readdir(world.dir);
    const call = world.begin(['fault', 'inject', 'fill-disk', '--for', '10m']);
    await call.until(({ type }) => type === 'fault_injected');
    call.kill('SIGKILL', 'group');
    await call.ended();
    expect((await readdir(world.dir)).filter((name) => name !== '.state')).toEqual(
      before.filter((name) => name !== '.state'),
    );
  });
});

describeWithEngine('argus fault with containers', ({ host }) => {
  beforeAll(async () => void (await makeTestImage(host)));

  it('pauses a container for a while, which a check finds', async () => {
    const world = await makeWorld({ host });
    await world.configure({ services: { web: container('web') } });
    await world.argus('setup');
    const call = world.begin(['fault', 'inject', 'pause-service', '--for', '10m']);
    await call.until(({ type }) => type === 'fault_injected');
    const { errors } = await world.argus('check');
    expect(errors).toMatchObject([
      { code: 'HEALTH_CHECK_TIMEOUT', message: expect.stringContaining('hangs: it is paused') },
    ]);
    call.kill('SIGINT', 'group');
    await call.ended();
    expect(await world.argus('check')).toMatchObject({ code: 0, errors: [] });
  });

  it('pauses a container that has no health check, which the guardian restarts', async () => {
    const world = await makeWorld({ host });
    const { healthcheck: _, ...web } = container('web');
    await world.configure({ services: { web }, resilience: { container: soon } });
    await world.argus('setup', '--guard');
    const pause = ['fault', 'inject', 'pause-service', '--for', '10m'];
    const call = world.begin(pause);
    await call.until(({ type }) => type === 'fault_injected');
    const told = async () => JSON.stringify((await world.argus('incidents')).data);
    await expect.poll(told, { timeout: 60_000 }).toMatch(/"outcome":"recovered"/);
    const history = await told();
    expect(history).toContain('"code":"HEALTH_CHECK_TIMEOUT"');
    expect(history).toContain('"reason":"it is paused"');
    expect(await read(world, 'web')).toBe('web');
    expect(await world.finish(call, pause)).toMatchObject({ code: 0, data: { replaced: true } });
    await world.argus('clean');
  }, 120_000);
});
