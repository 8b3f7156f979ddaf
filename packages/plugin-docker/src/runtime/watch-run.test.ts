import type { RuntimeEvent } from '@argusai/core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { startPrivateEngine } from '../../../../tests/support/engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { greedyScript } from '../fixtures/greedy-script.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { containerName } from './names.js';
import { eventOf } from './watch-run.js';

describeWithEngine('the docker runtime watches a run', ({ host }) => {
  let image: string;
  let trial: TrialRun;

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('tells what happens to the services of the run, and nothing of another', async () => {
    trial = trialRun(host);
    const other = trial.sibling();
    const stop = new AbortController();
    const events = trial.runtime.watch(trial.run, stop.signal);
    // Before anyone reads: nothing that happens after the call is lost.
    await other.start(serviceOf('stranger', { image, command: 'true' }));
    await trial.start(
      serviceOf('crash', { image, command: 'sh -c "exit 4"' }),
      serviceOf('greedy', {
        image,
        command: ['sh', '-c', greedyScript],
        memory: 8 * 1024 * 1024,
      }),
    );
    const seen: RuntimeEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.service === 'greedy' && event.type === 'exited')
        await trial.docker('rm', '-f', containerName(trial.run, 'crash'));
      if (event.type === 'removed') stop.abort();
    }
    const of = (service: string) =>
      seen.flatMap((event) =>
        event.service === service ? [`${event.type} ${event.exitCode ?? ''}`.trim()] : [],
      );
    expect(of('crash')).toEqual(['started', 'exited 4', 'removed']);
    expect(of('greedy')).toEqual(['started', 'oom', 'exited 137']);
    expect(of('stranger')).toEqual([]);
    expect(Math.abs((seen[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('ends at once when it was aborted before', async () => {
    trial = trialRun(host);
    for await (const event of trial.runtime.watch(trial.run, AbortSignal.abort()))
      expect(event).toBeUndefined();
    expect(trial.calls).toEqual([]);
  });

  it('ends with an error when the daemon goes', async (test) => {
    trial = trialRun(host);
    const engine = await startPrivateEngine();
    if ('missing' in engine) return test.skip(engine.missing);
    const doomed = trialRun(engine.host);
    const service = serviceOf('api', { image: await makeTestImage(engine.host), command: 'true' });
    const signal = AbortSignal.timeout(20_000);
    const seen: RuntimeEvent[] = [];
    const watching = (async () => {
      for await (const event of doomed.runtime.watch(doomed.run, signal)) seen.push(event);
    })();
    const ended = expect(watching).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
    await doomed.start(service);
    await until(async () => seen.some(({ type }) => type === 'exited'));
    await engine.end();
    await ended;
  });
});

describe('an event of Docker', () => {
  const line = (Action: string, Attributes: object) =>
    JSON.stringify({ Type: 'container', Action, Actor: { Attributes }, timeNano: 1_700_000_000_123.4 * 1e6 });

  it.each([
    ['health_status: healthy', 'healthy'],
    ['health_status: unhealthy', 'unhealthy'],
    ['pause', 'paused'],
    ['unpause', 'resumed'],
    ['start', 'started'],
  ])('%s becomes %s', (action, type) => {
    const event = eventOf(line(action, { 'argusai.service': 'api' }));
    expect(event).toEqual({ service: 'api', type, at: 1_700_000_000_123 });
  });

  it('kill becomes killed, where it ends the container', () => {
    const event = eventOf(line('kill', { 'argusai.service': 'api', signal: '9' }));
    expect(event).toMatchObject({ service: 'api', type: 'killed' });
  });

  it.each([
    ['a signal that may not end it', line('kill', { 'argusai.service': 'api', signal: '1' })],
    ['of another kind', line('health_status: starting', { 'argusai.service': 'api' })],
    ['not about a service', line('start', {})],
    ['not an event', 'Error: something'],
  ])('is left out when it is %s', (_, text) => {
    expect(eventOf(text)).toBeUndefined();
  });
});
