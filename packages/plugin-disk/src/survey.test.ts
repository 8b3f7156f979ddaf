import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@argusai/core';
import { createSimulatedClock } from '@argusai/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { smallFilesystem, whyNoMounting } from '../../../tests/support/small-filesystem.js';
import { infoWith, listen } from './fixtures/listen.js';
import { tempFolder } from './fixtures/temp-folder.js';
import { type Scope, survey } from './survey.js';
import type { MayAsk } from './system/local-engine.js';

const noMounting = await whyNoMounting();

describe('the survey of a machine', () => {
  it('looks once at a filesystem that holds several places, and says what each is for', async () => {
    const dir = await tempFolder();
    await mkdir(join(dir, 'tmp'));
    await mkdir(join(dir, 'cache'));
    const { filesystems, unseen } = await surveyOf(dir, { tmpDir: join(dir, 'tmp'), paths: ['cache'] });

    expect(unseen).toEqual([]);
    expect(filesystems).toHaveLength(1);
    expect(filesystems[0]).toMatchObject({
      path: dir,
      paths: [
        { path: dir, use: 'project' },
        { path: join(dir, 'tmp'), use: 'temporary files' },
        { path: join(dir, 'cache'), use: 'configured' },
      ],
    });
  });

  it('names a folder once that serves two purposes', async () => {
    const dir = await tempFolder();
    const { filesystems } = await surveyOf(dir, { tmpDir: dir, paths: ['.', dir] });
    expect(filesystems.map(({ paths }) => paths)).toEqual([[{ path: dir, use: 'project' }]]);
  });

  it('says which folders it could not look at and why', async () => {
    const dir = await tempFolder();
    const { filesystems, unseen } = await surveyOf(dir, {
      tmpDir: dir,
      paths: ['missing', '/dev/null/x', 'missing'],
    });

    expect(filesystems).toHaveLength(1);
    expect(unseen.map(({ target, message }) => [target, message])).toEqual([
      [
        join(dir, 'missing'),
        `cannot look at ${join(dir, 'missing')} (configured): no such file or directory`,
      ],
      ['/dev/null/x', 'cannot look at /dev/null/x (configured): not a directory'],
    ]);
  });

  it('says that the project or the temporary folder is not there', async () => {
    const { filesystems, unseen } = await surveyOf('/no/such/project', { tmpDir: '/no/such/tmp' });
    expect(filesystems).toEqual([]);
    expect(unseen.map(({ target }) => target)).toEqual(['/no/such/project', '/no/such/tmp']);
  });

  it('looks at the folder of a local engine', async () => {
    const dir = await tempFolder();
    const { socket } = await listen(infoWith(dir));
    const project = join(dir, 'project');
    await mkdir(project);

    const { filesystems } = await surveyOf(project, { tmpDir: project, engineSockets: [socket] });

    expect(filesystems[0]?.paths).toContainEqual({ path: dir, use: 'engine' });
  });

  it('does not mind an engine whose folder is not on this machine', async () => {
    const dir = await tempFolder();
    const { socket } = await listen(infoWith('/only/in/the/virtual/machine'));
    const { filesystems, unseen } = await surveyOf(dir, { tmpDir: dir, engineSockets: [socket] });

    expect(unseen).toEqual([]);
    expect(filesystems[0]?.paths).toEqual([{ path: dir, use: 'project' }]);
  });

  it('says that an engine did not answer, and still looks at the rest', async () => {
    const dir = await tempFolder();
    const { socket, server } = await listen(() => undefined);
    const clock = countingClock();
    const surveying = surveyOf(dir, { tmpDir: dir, engineSockets: [socket], clock });
    await once(server, 'request');
    await vi.waitUntil(() => clock.pending === 1);
    await clock.advance(2_000);
    const { filesystems, unseen } = await surveying;

    expect(filesystems).toHaveLength(1);
    expect(unseen).toMatchObject([
      {
        target: socket,
        message: 'the engine did not answer, so its folder was not looked at: no answer within 2000 ms',
      },
    ]);
  });

  it('does not ask an engine that may not be asked, and says so at once', async () => {
    const dir = await tempFolder();
    let requests = 0;
    const { socket } = await listen(() => {
      requests += 1;
    });
    const machine = { tmpDir: dir, engineSockets: [socket], mayAskEngine: async () => false };
    const { filesystems, unseen } = await surveyOf(dir, machine);
    expect([filesystems.length, requests]).toEqual([1, 0]);
    expect(unseen).toMatchObject([
      { target: socket, message: expect.stringContaining('because its circuit is not closed') },
    ]);
  });

  it('says that a folder did not answer', async () => {
    const dir = await tempFolder();
    const { filesystems, unseen } = await surveyOf(dir, { tmpDir: dir, clock: impatientClock() });
    expect(filesystems).toEqual([]);
    expect(unseen).toMatchObject([
      { target: dir, message: `cannot look at ${dir} (project): no answer within 2000 ms` },
    ]);
  });

  it('ends at once when it is cancelled', async () => {
    const dir = await tempFolder();
    const { socket, server } = await listen(() => undefined);
    const cancel = new AbortController();
    const surveying = surveyOf(dir, { tmpDir: dir, engineSockets: [socket], signal: cancel.signal });
    await once(server, 'request');
    cancel.abort(new Error('enough'));
    await expect(surveying).rejects.toThrow('enough');
  });

  it('does not begin when it is already cancelled', async () => {
    const dir = await tempFolder();
    const surveying = surveyOf(dir, { tmpDir: dir, signal: AbortSignal.abort(new Error('before')) });
    await expect(surveying).rejects.toThrow('before');
  });

  describe.skipIf(noMounting)(`with two filesystems${noMounting ? ` (none: ${noMounting})` : ''}`, () => {
    it('gives one result for each, in the order of the places', async () => {
      const [project, tmpDir] = [await smallFilesystem(), await tempFolder()];
      const { filesystems } = await surveyOf(project, { tmpDir, paths: [tmpDir, '.'] });

      expect(filesystems.map(({ path }) => path)).toEqual([project, tmpDir]);
      expect(filesystems[0]).toMatchObject({ mount: project, space: { total: 1_048_576 } });
    });
  });
});

interface Machine {
  tmpDir: string;
  engineSockets?: string[];
  paths?: string[];
  clock?: Clock;
  signal?: AbortSignal;
  mayAskEngine?: MayAsk;
}

function surveyOf(dir: string, { tmpDir, engineSockets = [], paths = [], clock, signal, ...may }: Machine) {
  const scope: Scope = { paths, environment: () => ({ tmpDir, engineSockets }), ...may };
  const context = {
    project: { name: 'shop', dir },
    clock: clock ?? createSimulatedClock(),
    signal: signal ?? new AbortController().signal,
  };
  return survey(context, scope);
}

/** Knows how many are still waiting, so that a test can tell that all but the last have their answer. */
function countingClock() {
  const clock = createSimulatedClock();
  const waiting = new Set<object>();
  return {
    ...clock,
    get pending() {
      return waiting.size;
    },
    after(delayMs: number, callback: () => void) {
      const one = {};
      waiting.add(one);
      const cancel = clock.after(delayMs, callback);
      return () => {
        waiting.delete(one);
        cancel();
      };
    },
  };
}

/** Time is up before anything can answer, as with a network drive that is gone. */
function impatientClock(): Clock {
  return {
    ...createSimulatedClock(),
    after(_, callback) {
      callback();
      return () => undefined;
    },
  };
}
