import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { greedyScript } from '../fixtures/greedy-script.js';
import { freePort, serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { containerName } from './names.js';

const serve = 'mkdir -p /www; date +%N >> /www/index.html; exec httpd -f -p 80 -h /www';
/** More memory than it may have: the kernel ends the biggest process of the container, which is its first. */
const greedyOnce = `if [ -e /ran ]; then exec sleep 1000; fi; touch /ran; ${greedyScript}`;

describeWithEngine('the docker runtime stops services and starts them again in their place', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  const { signal } = new AbortController();
  const inspect = async (name: string, format: string) =>
    trial.docker('inspect', '--format', format, containerName(trial.run, name));
  const kept = (name: string) =>
    inspect(
      name,
      '{{.Id}} {{json .Config.Labels}} {{json .HostConfig.PortBindings}} {{json .HostConfig.NetworkMode}} {{json .HostConfig.Binds}}',
    );
  const stateOf = async (name: string) => (await trial.runtime.inspect(trial.run, [name], signal))[0];

  it('with its ports, its labels, its name among the others, its log and its files', async () => {
    trial = trialRun(host);
    const port = await freePort();
    const ports = [
      { host: port, container: 80, ip: null, protocol: 'tcp' as const },
      { host: null, container: 81, ip: null, protocol: 'tcp' as const },
    ];
    const web = serviceOf('web', { image, command: ['sh', '-c', serve], ports });
    const client = serviceOf('client', { image, command: ['sleep', '1000'] });
    const context = await trial.start(web, client);
    const before = await kept('web');
    const { ports: known } = (await stateOf('web')) ?? {};
    await trial.runtime.stop(trial.run, ['web'], { graceMs: 0, signal });
    expect(await stateOf('web')).toMatchObject({
      status: 'exited',
      oomKilled: false,
      endedAt: expect.any(Number),
    });
    await trial.runtime.start(web, 'spec-1', context);
    expect(await kept('web')).toBe(before);
    expect((await stateOf('web'))?.ports).toEqual(known);
    await until(
      async () => (await trial.runtime.exec(client, 'wget -qO- http://web/', context)).exitCode === 0,
    );
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(page.trim().split('\n')).toHaveLength(2);
  });

  it('also after a crash or when it ran out of memory', async () => {
    trial = trialRun(host);
    const once = 'if [ -e /ran ]; then exec sleep 1000; fi; touch /ran; exit 3';
    const crashing = serviceOf('crashing', { image, command: ['sh', '-c', once] });
    const hungry = serviceOf('hungry', { image, command: ['sh', '-c', greedyOnce], memory: 8 * 1024 * 1024 });
    const context = await trial.start(crashing, hungry);
    await until(async () => (await stateOf('crashing'))?.status === 'exited');
    await until(async () => (await stateOf('hungry'))?.status === 'exited');
    expect(await stateOf('crashing')).toMatchObject({ exitCode: 3, oomKilled: false });
    expect(await stateOf('hungry')).toMatchObject({
      exitCode: 137,
      oomKilled: true,
      memory: { limit: 8_388_608 },
    });
    for (const service of [crashing, hungry]) {
      const before = await kept(service.name);
      await trial.runtime.start(service, 'spec-1', context);
      expect(await kept(service.name)).toBe(before);
      expect(await stateOf(service.name)).toMatchObject({ status: 'running' });
    }
  });

  it('over an open line while its run is watched, and with a client when the line is lost', async () => {
    trial = trialRun(host);
    const twice = 'if [ -e /two ]; then exec sleep 1000; fi; [ -e /one ] && touch /two; touch /one; exit 3';
    const api = serviceOf('api', { image, command: ['sh', '-c', twice] });
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of trial.runtime.watch(trial.run, stop.signal)) seen.push(type);
    })();
    const context = await trial.start(api);
    const how = () => trial.calls.flatMap(([verb = '']) => (['post', 'start'].includes(verb) ? [verb] : []));

    await until(async () => seen.filter((type) => type === 'exited').length === 1);
    const before = await kept('api');
    await trial.runtime.start(api, 'spec-1', context);
    expect(how()).toEqual(['post']);

    await until(async () => seen.filter((type) => type === 'exited').length === 2);
    stop.abort();
    await watching;
    await stateOf('api');
    await trial.runtime.start(api, 'spec-1', context);
    expect(how()).toEqual(['post', 'start']);
    expect(await stateOf('api')).toMatchObject({ status: 'running' });
    expect(await kept('api')).toBe(before);
  });

  it('politely when there is time, also when it is paused, and without complaint when there is nothing to stop', async () => {
    trial = trialRun(host);
    const polite = 'trap "echo goodbye; exit 7" TERM; while true; do sleep 0.1; done';
    const worker = serviceOf('worker', { image, command: ['sh', '-c', polite] });
    const stuck = serviceOf('stuck', { image, command: ['sleep', '1000'] });
    await trial.start(worker, stuck);
    await trial.docker('pause', containerName(trial.run, 'stuck'));
    await trial.runtime.stop(trial.run, ['worker', 'stuck', 'nobody'], { graceMs: 1_000, signal });
    expect(await stateOf('worker')).toMatchObject({ status: 'exited', exitCode: 7 });
    expect(await stateOf('stuck')).toMatchObject({ status: 'exited' });
    await trial.runtime.stop(trial.run, ['worker'], { graceMs: 1_000, signal });
  });
});
