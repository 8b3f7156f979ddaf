import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runBenchmark } from '../../scripts/steps/run-benchmark.mjs';
import { workspaceRoot } from '../../scripts/steps/workspace.mjs';
import { folderWith } from '../support/folder-with.js';

/** Runs a benchmark whose preparation is given, with the runner as it is. */
async function outcomeOf(prepare: string, limits = {}) {
  const text = `export default { title: 'T', about: 'A.', ${prepare} };`;
  const folder = await folderWith({ 'tried.mjs': text, 'package.json': '{ "type": "module" }' });
  await cp(join(workspaceRoot, 'bench', 'runner'), join(folder, 'runner'), { recursive: true });
  // One that is killed leaves the folder that it has made for itself; here it goes away with the test.
  vi.stubEnv('TMPDIR', folder);
  return runBenchmark(folder, 'tried', limits);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const table = `{ title: 'One', rounds: 1, warmUps: 0, contestants: { a: () => 1 }, bars: [{ of: 'a', slowest: 2 }] }`;

describe('a benchmark', () => {
  it('gives its section and its verdicts', async () => {
    expect(await outcomeOf(`prepare: async () => ({ tables: [${table}] })`)).toEqual({
      text: expect.stringContaining('| a ≤ 2 ms every time | 1.00 ms | **holds** |'),
      verdicts: ['holds'],
    });
  });

  it('says why it failed', async () => {
    const failing = `prepare: async () => { throw new Error('no servers\\nat all') }`;
    expect(await outcomeOf(failing)).toEqual({ code: 1, wasStopped: false, reason: 'no servers' });
    const dying = `prepare: async () => process.kill(process.pid, 'SIGKILL')`;
    expect(await outcomeOf(dying)).toMatchObject({ reason: 'it ended with SIGKILL' });
  });

  it('says so when it did not end', async () => {
    const hanging = 'prepare: () => new Promise((resolve) => setInterval(() => undefined, 1_000))';
    const outcome = await outcomeOf(hanging, { limitMs: 300, cleanUpMs: 300 });
    expect(outcome).toMatchObject({ reason: 'did not end within 0.3 s', wasStopped: false });
  });

  it('keeps its figures when something is left behind, and says that as well', async () => {
    const untidy = `async prepare({ atEnd }) {
      atEnd(() => { throw new Error('it stays') });
      return { tables: [${table}] };
    }`;
    expect(await outcomeOf(untidy)).toEqual({
      text: expect.stringContaining('\nCould not clean up: it stays.\n'),
      verdicts: ['holds', 'misses'],
    });
  });
});
