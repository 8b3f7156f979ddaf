import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { greedyScript } from '../fixtures/greedy-script.js';
import type { ContainerJson } from './container-json.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { containerName } from './names.js';
import { withTrueOom } from './true-oom.js';

describeWithEngine('the docker runtime inspects services', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const inspect = (...services: string[]) =>
    trial.runtime.inspect(trial.run, services, AbortSignal.timeout(10_000));
  const status = async (service: string) => (await inspect(service))[0]?.status;

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('gives the state of every service in one call, also of one that is missing', async () => {
    trial = trialRun(host);
    const any = { host: null, container: 80, ip: null, protocol: 'tcp' as const };
    await trial.start(
      serviceOf('web', {
        image,
        command: 'sleep 100',
        ports: [any, { ...any, ip: '0.0.0.0', protocol: 'udp' }],
      }),
      serviceOf('ended', { image, command: 'sh -c "exit 3"' }),
    );
    await until(async () => (await status('ended')) === 'exited');
    trial.calls.splice(0);
    const [web, ended, missing] = await inspect('web', 'ended', 'missing');
    expect(trial.calls).toHaveLength(1);
    expect(web).toMatchObject({
      service: 'web',
      status: 'running',
      spec: 'spec-1',
      oomKilled: false,
      restarts: 0,
    });
    expect(web).not.toHaveProperty('exitCode');
    expect(web?.startedAt).toBeGreaterThan(Date.now() - 60_000);
    expect(web?.ports).toEqual([
      { host: expect.any(Number), container: 80, ip: '127.0.0.1', protocol: 'tcp' },
      { host: expect.any(Number), container: 80, ip: '0.0.0.0', protocol: 'udp' },
    ]);
    expect(ended).toMatchObject({ status: 'exited', exitCode: 3, details: { status: 'exited' } });
    expect(missing).toEqual({ service: 'missing', status: 'missing' });
    trial.calls.splice(0);
    expect(await inspect()).toEqual([]);
    expect(trial.calls).toEqual([]);
  });

  it('tells a container that ran out of memory from one that was killed', async () => {
    trial = trialRun(host);
    await trial.start(
      serviceOf('greedy', {
        image,
        command: ['sh', '-c', greedyScript],
        memory: 8 * 1024 * 1024,
      }),
      serviceOf('killed', { image, command: 'sleep 100' }),
    );
    await trial.docker('kill', containerName(trial.run, 'killed'));
    // The engine may hear of the memory after it has heard of the end.
    await until(async () => (await inspect('greedy'))[0]?.oomKilled === true);
    const [greedy, killed] = await inspect('greedy', 'killed');
    expect(greedy).toMatchObject({
      exitCode: 137,
      oomKilled: true,
      memory: { limit: 8 * 1024 * 1024 },
    });
    expect(killed).toMatchObject({ exitCode: 137, oomKilled: false });
  });

  it('believes the events of the engine where it has forgotten that memory was the reason', async () => {
    trial = trialRun(host);
    const memory = 8 * 1024 * 1024;
    await trial.start(
      serviceOf('greedy', { image, command: ['sh', '-c', greedyScript], memory }),
      serviceOf('killed', { image, command: 'sleep 100', memory }),
    );
    await trial.docker('kill', containerName(trial.run, 'killed'));
    await until(async () => (await inspect('greedy'))[0]?.oomKilled === true);
    const names = ['greedy', 'killed'].map((service) => containerName(trial.run, service));
    const { signal } = new AbortController();
    const found = await trial.client.inspect<ContainerJson>('container', names, { signal });
    const forgotten = found.map((one) => ({ ...one, State: { ...one.State, OOMKilled: false } }));
    const corrected = await withTrueOom(trial.client, forgotten, signal);
    expect(corrected.map(({ State }) => State.OOMKilled)).toEqual([true, false]);
  });

  it('believes no lack of memory that the container has survived', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('survivor', { image, command: 'sleep 100', memory: 8 * 1024 * 1024 }));
    const name = containerName(trial.run, 'survivor');
    const time = (ms: number) => (ms / 1_000).toFixed(3);
    const since = time(Date.now() - 1_000);
    const child = trial.docker('exec', name, 'sh', '-c', 'x=aaaaaaaa; while true; do x=$x$x; done');
    await expect(child).rejects.toThrow();
    const ooms = () =>
      trial.docker('events', '--since', since, '--until', time(Date.now()), '--filter', 'event=oom');
    await until(async () => (await ooms()).includes(trial.run.id));
    await trial.docker('kill', name);
    await until(async () => (await status('survivor')) === 'exited');
    expect(await inspect('survivor')).toMatchObject([{ exitCode: 137, oomKilled: false }]);
  });

  it('tells whether a command inside ends well without starting a client, and nothing where it does not', async () => {
    trial = trialRun(host);
    const service = serviceOf('asked', { image, command: 'sleep 100' });
    const context = await trial.start(service);
    const { runtime, calls } = trial;
    const before = calls.length;
    const wells = [];
    for (const command of ['true', 'sleep 0.3', 'test -f /bin/sh && true', 'false', 'no-such-command'])
      wells.push(await runtime.endsWell?.(service, command, context));
    expect(wells).toEqual([true, true, true, false, false]);
    expect(await runtime.endsWell?.(serviceOf('nobody', {}), 'true', context)).toBe(false);
    expect(calls.length).toBe(before);
  });

  it("reports the health of the image's own check", async () => {
    trial = trialRun(host);
    const tag = `trial-health:${trial.run.id}`;
    const health = (command: string) => `HEALTHCHECK --interval=0.2s --retries=1 CMD ${command}`;
    await trial.docker('create', '--name', `base-${trial.run.id}`, image, 'sleep', '100');
    try {
      const change = health('test -f /ok || { test -f /mute || echo not yet; false; }');
      await trial.docker('commit', '--change', change, `base-${trial.run.id}`, tag);
      const service = serviceOf('checked', { image: tag });
      const context = await trial.start(service);
      const is = (wanted: string) => until(async () => (await inspect('checked'))[0]?.health === wanted);
      await is('unhealthy');
      expect((await inspect('checked'))[0]?.healthOutputs).toContain('not yet');
      await trial.runtime.exec(service, 'touch /mute', context);
      await until(async () => (await inspect('checked'))[0]?.healthOutputs?.at(-1) === 'exit code 1');
      await trial.runtime.exec(service, 'touch /ok', context);
      await is('healthy');
    } finally {
      await trial.docker('rm', '-f', `base-${trial.run.id}`);
      await trial.cleanUp();
      await trial.docker('rmi', '-f', tag);
    }
  });
});
