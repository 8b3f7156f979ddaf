import type { LogLine, LogQuery } from '@argusai/core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { makeTestImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { containerName } from './names.js';

describeWithEngine('the docker runtime reads logs', ({ host }) => {
  let image: string;
  let trial: TrialRun;
  const read = (query: Partial<LogQuery>, signal = AbortSignal.timeout(20_000)) =>
    trial.runtime.logs(trial.run, { services: ['one', 'two'], follow: false, ...query }, signal);
  const all = async (query: Partial<LogQuery> = {}) => {
    const lines: LogLine[] = [];
    for await (const line of read(query)) lines.push(line);
    return lines;
  };
  const texts = async (query: Partial<LogQuery> = {}) => (await all(query)).map(({ text }) => text);
  const script = (name: string, lines: string) => serviceOf(name, { image, command: ['sh', '-c', lines] });

  beforeAll(async () => {
    image = await makeTestImage(host);
  });
  afterEach(() => trial.cleanUp());

  it('merges the output of services in the order in which it was written', async () => {
    trial = trialRun(host);
    const pause = 'sleep 0.2';
    await trial.start(
      script('one', `echo one-1; ${pause}; echo one-2 >&2; ${pause}; echo one-3`),
      script('two', `${pause}; ${pause}; ${pause}; echo two-1; ${pause}; echo two-2`),
    );
    await until(async () => (await all()).length === 5);
    const lines = await all();
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at ?? 0).sort((a, b) => a - b));
    expect(lines.map(({ text }) => text).sort()).toEqual(['one-1', 'one-2', 'one-3', 'two-1', 'two-2']);
    expect(lines.find(({ text }) => text === 'one-2')).toMatchObject({ service: 'one', stream: 'stderr' });
    expect(await texts({ tail: 1 })).toEqual(expect.arrayContaining(['one-3', 'two-2']));
    expect(await all({ tail: 1 })).toHaveLength(2);
    const third = lines.at(2);
    const later = await all({ since: (third?.at ?? 0) + 1 });
    expect(later.length).toBeLessThan(5);
    expect(later.every(({ at }) => (at ?? 0) > (third?.at ?? 0))).toBe(true);
    expect(await texts({ services: ['two', 'never-started'] })).toEqual(['two-1', 'two-2']);
  });

  it('counts the newest of before a moment, however many came since', async () => {
    trial = trialRun(host);
    const lines = (word: string) => `i=0; while [ $i -lt 300 ]; do echo ${word}-$i; i=$((i+1)); done`;
    await trial.start(
      script('one', `${lines('old')}; sleep 0.2; echo last >&2; sleep 0.5; ${lines('new')}; echo end`),
    );
    await until(async () => (await texts({ tail: 1 })).includes('end'));
    const last = (await all()).find(({ text }) => text === 'last');
    const before = { until: (last?.at ?? 0) + 100 };
    expect((await texts({ ...before, tail: 3 })).toSorted()).toEqual(['last', 'old-298', 'old-299']);
    expect(await all(before)).toHaveLength(301);
    expect(await all({ ...before, since: (last?.at ?? 0) + 50 })).toEqual([]);
  });

  it('puts long lines together again', async () => {
    trial = trialRun(host);
    await trial.start(script('one', 'head -c 40000 /dev/zero | tr "\\0" a; echo; echo; echo end'));
    await until(async () => (await all()).length === 3);
    const lines = ['a'.repeat(40_000), '', 'end'];
    expect(await texts()).toEqual(lines);
    // The engine counts pieces, and would begin within the long one.
    expect(await texts({ tail: 3 })).toEqual(lines);
    expect(await texts({ tail: 1 })).toEqual(['end']);
  });

  it('follows from where the past ends until it is told to stop, also services that start again', async () => {
    trial = trialRun(host);
    const said = 'n=$(cat /n 2>/dev/null || echo 0); echo $((n+1)) > /n; echo one-$n; sleep 100';
    const one = script('one', said);
    const two = script('two', 'echo two-0; sleep 100');
    const context = await trial.start(one, two);
    await until(async () => (await all()).length === 2);
    const stop = new AbortController();
    const lines: string[] = [];
    const steps: Record<string, () => Promise<unknown>> = {
      // The one that was there ends and comes again; the last one is new altogether.
      'two-0': () => trial.docker('kill', containerName(trial.run, 'one')),
      'one-1': async () => stop.abort(),
    };
    setTimeout(async () => {
      await until(
        async () =>
          (await trial.runtime.inspect(trial.run, ['one'], AbortSignal.timeout(5_000)))[0]?.status ===
          'exited',
      );
      await trial.runtime.start(one, 'spec-1', context);
    });
    for await (const { text } of read({ follow: true }, stop.signal)) {
      lines.push(text);
      await steps[text]?.();
    }
    // Which of two that start at the same moment speaks first is up to them.
    expect(lines.slice(0, 2).toSorted()).toEqual(['one-0', 'two-0']);
    expect(lines.slice(2)).toEqual(['one-1']);
  });

  it('follows only what is new when no past line is asked for', async () => {
    trial = trialRun(host);
    await trial.start(script('one', 'i=0; while true; do echo $i; i=$((i+1)); sleep 0.05; done'));
    await until(async () => (await all()).length > 3);
    for await (const { text } of read({ services: ['one'], tail: 0, follow: true })) {
      expect(Number(text)).toBeGreaterThan(3);
      break;
    }
  });

  it('ends with the error of a daemon that is not there', async () => {
    trial = trialRun(host);
    const nowhere = trialRun('unix:///nowhere/docker.sock');
    const logs = nowhere.runtime.logs(
      nowhere.run,
      { services: ['x'], follow: true },
      AbortSignal.timeout(9_000),
    );
    const reading = async () => {
      for await (const line of logs) expect(line).toBeUndefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'DOCKER_UNAVAILABLE' });
  });
});
