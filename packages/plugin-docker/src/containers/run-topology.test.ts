import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun } from '../runtime/fixtures/trial-run.js';
import { runTopology } from './run-topology.js';

const { signal } = new AbortController();
const idle = { image: testImage, command: ['sleep', '1000'] };

describeWithEngine('the topology of a run', ({ host }) => {
  let trial: TrialRun;
  beforeAll(() => makeTestImage(host));
  afterEach(() => trial.cleanUp());

  it('says which container is on which networks, under which names, in one look', async () => {
    trial = trialRun(host);
    const mock = serviceOf('pay', { kind: 'mock', routes: [] });
    const api = serviceOf('api', {
      ...idle,
      ports: [{ host: null, container: 80, ip: null, protocol: 'tcp' }],
    });
    const context = trial.context([api, mock]);
    await trial.runtime.prepare?.(context);
    await trial.runtime.start(api, 'spec', context);
    trial.calls.length = 0;
    const { network, containers } = await runTopology(trial.client, trial.run, ['api', 'gone'], signal);
    expect(trial.calls).toHaveLength(1);
    expect(containers).toMatchObject([
      {
        service: 'api',
        name: `${network}-api`,
        running: true,
        exposed: [80],
        hosts: ['pay'],
        image: expect.stringMatching(/^sha256:/),
        pid: expect.any(Number),
        networks: [{ name: network, address: expect.stringMatching(/^\d+\./) }],
      },
    ]);
    expect(containers[0]?.networks[0]?.aliases).toContain('api');
  });

  it('sees a container that has lost its network, and one that has ended', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('api', idle), serviceOf('job', { image: testImage, command: ['true'] }));
    const before = await runTopology(trial.client, trial.run, ['api'], signal);
    await trial.docker('network', 'disconnect', before.network, before.containers[0]?.id ?? '');
    await trial.docker('wait', `${before.network}-job`);
    const { containers } = await runTopology(trial.client, trial.run, ['api', 'job'], signal);
    expect(containers).toMatchObject([
      { service: 'api', running: true, networks: [] },
      { service: 'job', running: false, pid: 0 },
    ]);
  });

  it('leaves out what belongs to another run', async () => {
    trial = trialRun(host);
    await trial.start(serviceOf('api', idle));
    // Another id that gives the same names.
    const stranger = { ...trial.run, id: `${trial.run.id}-` };
    const { containers } = await runTopology(trial.client, stranger, ['api'], signal);
    expect(containers).toEqual([]);
    expect(await runTopology(trial.client, trial.run, [], signal)).toMatchObject({ containers: [] });
  });
});
