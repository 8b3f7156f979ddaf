import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processStart } from '@argusai/core';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithEngine } from '../../../../tests/support/describe-with-engine.js';
import { startPrivateEngine } from '../../../../tests/support/engine.js';
import { makeTestImage, testImage } from '../../../../tests/support/test-image.js';
import { serviceOf, type TrialRun, trialRun, until } from './fixtures/trial-run.js';
import { imageOf } from './names.js';

const execute = promisify(execFile);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

describeWithEngine('the docker runtime builds images', ({ host }) => {
  let trial: TrialRun;
  let folder: string;
  const service = (dockerfile: string, extra = {}) =>
    serviceOf('app', { build: { context: folder, dockerfile, args: {}, ...extra } });
  const build = (one: ReturnType<typeof service>, changes = {}) =>
    trial.runtime.build?.(one, trial.context([one], changes));
  const output = () =>
    trial.events.flatMap((event) => (event.type === 'build_output' ? [event.data.line] : []));

  beforeAll(async () => {
    await makeTestImage(host);
  });
  beforeEach(async () => {
    trial = trialRun(host);
    folder = await mkdtemp(join(tmpdir(), 'argus-build-'));
    const lines = [`FROM ${testImage} AS first`, 'ARG WHO=nobody', 'RUN echo "hello $WHO" | tee /who'];
    await writeFile(join(folder, 'Good'), [...lines, 'FROM first', 'RUN echo last > /who'].join('\n'));
    // The engine itself has no order between two streams that are written at once.
    const bad = 'RUN seq 1 100; sleep 1; echo broken >&2; exit 7';
    await writeFile(join(folder, 'Bad'), [...lines, bad].join('\n'));
    await writeFile(join(folder, 'Slow'), [...lines, 'RUN echo begun; sleep 60'].join('\n'));
  });
  afterEach(async () => {
    await trial.cleanUp();
    await rm(folder, { recursive: true });
  });

  it('builds a stage with arguments, labels the image, and tells every line', async () => {
    const app = service('Good', { args: { WHO: 'world' }, target: 'first' });
    const id = await build(app);
    const name = imageOf(app, trial.context([]).project);
    expect(await trial.docker('inspect', '--format', '{{.Id}}', name)).toBe(id);
    expect(await trial.docker('run', '--rm', name, 'cat', '/who')).toBe('hello world');
    const labels = JSON.parse(await trial.docker('inspect', '--format', '{{json .Config.Labels}}', name));
    expect(labels).toMatchObject({ 'argusai.managed': 'true', 'argusai.project': trial.run.project });
    expect(output()).toContain('hello world');
    // What was built is what runs.
    await trial.start({ ...app, command: 'sleep 100' });
    expect((await trial.runtime.exec(app, 'cat /who', trial.context([app]))).output).toBe('hello world');
    expect(await build(app)).toBe(id);
  });

  it('fails with the last fifty lines and leaves nothing of the step that failed', async () => {
    const failure = await Promise.resolve(build(service('Bad'))).catch((error) => error.error);
    expect(failure).toMatchObject({ code: 'BUILD_FAILED', details: { service: 'app' } });
    expect(failure.details.exitCode).not.toBe(0);
    expect(failure.details.lines).toHaveLength(50);
    expect(failure.details.lines).toEqual(expect.arrayContaining(['99', '100', 'broken']));
    expect(await trial.docker('ps', '--all', '--no-trunc', '--format', '{{.Command}}')).not.toContain(
      'seq 1 100',
    );
  });

  it('keeps lines in the order in which they came, whoever printed them', async () => {
    const step = 'RUN echo early >&2; sleep 1; seq 1 100; sleep 1; echo broken >&2; exit 7';
    await writeFile(join(folder, 'Mixed'), `FROM ${testImage}\n${step}`);
    const failure = await Promise.resolve(build(service('Mixed'))).catch((error) => error.error);
    const { lines } = failure.details;
    // Lines of BuildKit carry the number of the step and the time in front.
    const place = (text: string) => lines.findIndex((line: string) => line.split(' ').at(-1) === text);
    expect(place('early')).toBe(-1);
    expect(place('100')).toBeGreaterThan(0);
    expect(place('broken')).toBeGreaterThan(place('100'));
    expect(lines.join('\n')).not.toContain('DEPRECATED');
    expect(failure.message).toMatch(/non-zero code|exit code: 7|failed to solve/);
  });

  it('has no notice of the client among the last lines, however soon it fails', async () => {
    await writeFile(join(folder, 'Soon'), `FROM ${testImage}\nRUN echo the reason; exit 7`);
    const failure = await Promise.resolve(build(service('Soon'))).catch((error) => error.error);
    const { lines } = failure.details;
    expect(lines.join('\n')).toContain('the reason');
    expect(lines.join('\n')).not.toMatch(/DEPRECATED|buildx/);
    // It was told as it came, where this client has one.
    const told = output().filter((line) => !/DEPRECATED|buildx/.test(line) && line !== '');
    expect(lines.filter((line: string) => line !== '').toSorted()).toEqual(told.toSorted());
  });

  it('fails in the same way when there is nothing to build from', async () => {
    for (const app of [service('Missing'), service('Good', { context: join(folder, 'nowhere') })]) {
      await expect(build(app)).rejects.toMatchObject({ code: 'BUILD_FAILED' });
    }
  });

  it.each([
    ['names a file after it', 'echo "CC test/enospc.c"; echo "enospc.c:3: error" >&2'],
    ['tests for it', 'echo "expected: no space left on device" >&2'],
  ])('is not out of space because it %s', async (_, said) => {
    await writeFile(join(folder, 'Talks'), `FROM ${testImage}\nRUN ${said}; exit 1`);
    await expect(build(service('Talks'))).rejects.toMatchObject({
      code: 'BUILD_FAILED',
      error: { details: { lines: expect.arrayContaining([expect.stringMatching(/error|expected/)]) } },
    });
  });

  it('tells what was said by one that comes to no end of its own', async () => {
    const nowhere = trialRun('unix:///nowhere/docker.sock');
    const app = service('Good');
    await expect(nowhere.runtime.build?.(app, nowhere.context([app]))).rejects.toMatchObject({
      code: 'DOCKER_UNAVAILABLE',
    });
    expect(nowhere.events.filter(({ type }) => type === 'build_output')).not.toEqual([]);
  });

  it('has nothing to do for a service without a build', async () => {
    expect(await build(serviceOf('app', { image: testImage }))).toBe('');
    expect(trial.calls).toEqual([]);
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    let client = 0;
    const noteProcess = async (pid: number) => {
      client = pid;
      return async () => undefined;
    };
    const building = build(service('Slow'), { signal: stop.signal, noteProcess });
    const ended = expect(building).rejects.toThrow('enough');
    await until(async () => output().some((line) => /^(#\d+ [\d.]+ )?begun$/.test(line)));
    expect(await processStart(client)).toBeDefined();
    stop.abort(new Error('enough'));
    await ended;
    await until(async () => (await processStart(client)) === undefined);
    // The builder of old engines runs a step in a container that everybody sees.
    const running = () => trial.docker('ps', '--no-trunc', '--format', '{{.Command}}');
    await until(async () => !(await running()).includes('echo begun'));
  });

  const emptying = 'dd if=/dev/zero of=/big bs=1M count=100';
  const crowding = 'i=0; while [ $i -lt 4000 ]; do : > /f$i || break; i=$((i+1)); done';
  it.runIf(isRoot).for([
    ['space', 'size=48m', emptying, { total: 48 * 1024 * 1024, required: 2_000_000_000 }],
    ['room for files', 'size=200m,nr_inodes=3000', crowding, { unit: 'inodes', total: 3000, required: 30 }],
  ] as const)('says how much %s there is when it runs out', async ([, options, filling, figures], test) => {
    const small = await mkdtemp(join(tmpdir(), 'argus-small-'));
    await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', small]);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = small;
    const engine = await startPrivateEngine();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    try {
      if ('missing' in engine) return test.skip(engine.missing);
      await makeTestImage(engine.host);
      await writeFile(join(folder, 'Full'), `FROM ${testImage}\nRUN ${filling}; sleep 1; false`);
      trial = trialRun(engine.host);
      await expect(build(service('Full'))).rejects.toMatchObject({
        code: 'DISK_SPACE_LOW',
        error: {
          severity: 'fatal',
          details: {
            ...figures,
            available: expect.any(Number),
            path: engine.dockerRoot,
            lines: expect.arrayContaining([expect.stringContaining('No space left on device')]),
          },
        },
      });
    } finally {
      if (!('missing' in engine)) await engine.end();
      trial = trialRun(host);
      await execute('umount', [small]);
      await rm(small, { recursive: true });
    }
  });
});
