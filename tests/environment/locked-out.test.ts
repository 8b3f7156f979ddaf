import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { canMakeReadOnly, makeReadOnly } from '../../packages/store-sqlite/src/fixtures/read-only.js';
import { runArgus } from '../support/run-command.js';
import { ask, freePorts, type ProcessProject, processProject, serverOn } from './process-project.js';

/** A project `demo` that is up with a service `api`. */
async function up() {
  const port = await freePorts(3);
  const services = { api: serverOn(port) };
  const project = await processProject({ services });
  const { runId } = (await project.argus('setup')).data;
  return { project, services, port, runId };
}

/** Damages the state while nobody uses it. */
async function damage({ state }: ProcessProject): Promise<void> {
  const file = join(state, 'argus.db');
  await Promise.all(['-wal', '-shm'].map((suffix) => rm(file + suffix, { force: true })));
  await writeFile(file, 'no database at all '.repeat(500));
}

describe('a project that was renamed while it was up', () => {
  it('is shown what runs here under the other name, and takes it down when told to', async () => {
    const { project, services, port, runId } = await up();
    await project.configure({ project: { name: 'other' }, services });
    const notices = [{ code: 'RUN_OF_OTHER_NAME', details: { run: runId, project: 'demo' } }];
    expect(await project.argus('status')).toMatchObject({
      notices,
      data: { run: null, otherRuns: [{ id: runId, project: 'demo', alive: true }] },
    });
    expect(await project.argus('clean')).toMatchObject({ code: 0, notices, data: { removed: [] } });
    const setup = await project.argus('setup');
    expect(setup).toMatchObject({ code: 0, notices });
    expect((await ask(port)).pid).toEqual(expect.any(Number));

    expect(await project.argus('status', '--run', runId)).toMatchObject({
      code: 3,
      data: { project: 'demo', run: { id: runId }, services: [{ name: 'api', status: 'running' }] },
    });
    expect((await project.argus('logs', '--run', runId)).data.lines.length).toBeGreaterThan(0);
    expect(await project.argus('clean', '--run', runId)).toMatchObject({
      code: 0,
      data: { removed: [{ name: 'api', runId }] },
    });
    await expect(ask(port)).rejects.toThrow();
    const after = await project.argus('status');
    expect(after).toMatchObject({ code: 0, data: { run: { id: setup.data.runId }, otherRuns: [] } });
    expect(after).not.toHaveProperty('notices');
  });

  it('is told of in another folder when its own is gone, with what takes it down', async () => {
    const { project, port, runId } = await up();
    const moved = `${project.dir}-moved`;
    onTestFinished(() => rm(moved, { recursive: true, force: true }));
    await rename(project.dir, moved);
    const argus = async (...args: string[]) => {
      const ended = await runArgus([...args, '--format', 'json'], { cwd: moved, state: project.state });
      return { code: ended.code, ...JSON.parse(ended.stdout) };
    };
    const notices = [
      { code: 'RUN_OF_GONE_FOLDER', details: { run: runId, worktree: project.dir, alive: true } },
    ];
    for (const command of [['status'], ['clean'], ['clean', '--all-runs']])
      expect([command, await argus(...command)]).toMatchObject([command, { code: 0, notices }]);
    const { stderr } = await runArgus(['status'], { cwd: moved, state: project.state });
    expect(stderr).toContain(`argus clean --run ${runId}`);
    expect((await ask(port)).pid).toEqual(expect.any(Number));
    const { notices: others, ...cleaned } = await argus('clean', '--run', runId);
    expect([others, cleaned]).toMatchObject([undefined, { code: 0, data: { removed: [{ runId }] } }]);
    await expect(ask(port)).rejects.toThrow();
    expect(await argus('status')).not.toHaveProperty('notices');
  });

  it.each(['auto', 'fail'])(
    'whose run holds a port is taken down first: %s',
    async (portConflictStrategy) => {
      const { project, port, runId } = await up();
      const resilience = { network: { portConflictStrategy } };
      const config = { project: { name: 'x' }, services: { web: serverOn(port) }, resilience };
      const { dir, state } = await processProject(config, { state: project.state });
      await rename(project.dir, join(dir, 'moved'));
      const calls = portConflictStrategy === 'fail' ? ['check', 'setup'] : ['check'];
      for (const call of calls) {
        const { stdout, stderr } = await runArgus([call], { cwd: dir, state });
        expect(`${stdout}${stderr}`).toContain(`(run ${runId}), whose folder is gone`);
        expect(`${stdout}${stderr}`).toMatch(new RegExp(`(try|next): argus clean --run ${runId}`));
        expect(`${stdout}${stderr}`).not.toContain('Stop the program');
      }
      const client = await newClient({ cwd: dir, env: { ARGUS_STATE_DIR: state } });
      expect(await client.call('argus_preflight_check')).toMatchObject({
        next: { tool: 'argus_clean', arguments: { run: runId } },
      });
      expect(await runArgus(['clean', '--run', runId], { cwd: dir, state })).toMatchObject({ code: 0 });
    },
  );

  it('leaves what runs in a folder that is there to those who work in it', async () => {
    const { project, port, runId } = await up();
    const other = await processProject({ project: { name: 'x' } }, { state: project.state });
    for (const command of ['status', 'clean', 'logs'])
      expect(await other.argus(command, '--run', runId)).toMatchObject({
        code: 2,
        error: { code: 'USAGE_INVALID', message: expect.stringContaining(project.dir) },
      });
    expect((await ask(port)).pid).toEqual(expect.any(Number));
    await rm(project.dir, { recursive: true });
    expect(await other.argus('clean', '--run', runId)).toMatchObject({ code: 0, data: { failed: [] } });
    await expect(ask(port)).rejects.toThrow();
  });
});

describe('a configuration that was broken while its environment was up', () => {
  it.each([
    ['by a mistake in its form', 'services: [}'],
    ['by a key that nobody knows', 'project: { name: demo }\nservces: {}'],
  ])('%s does not keep anyone from looking at it and taking it down', async (_, text) => {
    const { project, port, runId } = await up();
    await rm(join(project.dir, 'argus.config.json'));
    await project.configure(text);
    const notices = [{ code: 'CONFIG_INVALID' }];
    expect(await project.argus('setup')).toMatchObject({ code: 2, error: { code: 'CONFIG_INVALID' } });
    expect(await project.argus('status')).toMatchObject({
      code: 3,
      notices,
      data: {
        project: 'demo',
        run: { id: runId, alive: true },
        services: [{ name: 'api', status: 'running', health: 'unknown' }],
      },
    });
    const { data, ...logs } = await project.argus('logs');
    expect([logs, data.lines.length > 0]).toMatchObject([{ code: 0, notices }, true]);
    const client = await newClient({ cwd: project.dir, env: { ARGUS_STATE_DIR: project.state } });
    const told = await client.call('argus_status', { run: runId });
    expect(told).toMatchObject({ ok: true, notices, data: { run: { id: runId } } });
    expect(await project.argus('clean')).toMatchObject({ code: 0, notices, data: { removed: [{ runId }] } });
    await expect(ask(port)).rejects.toThrow();
    // Nothing is left that could be shown, so that the mistake is all there is to say.
    expect(await project.argus('status')).toMatchObject({ code: 2, error: { code: 'CONFIG_INVALID' } });
  });

  it('is told which runs there are where several were set up here, and chooses none', async () => {
    const { project, services, runId } = await up();
    await project.configure({ project: { name: 'other' }, services });
    const other = (await project.argus('setup')).data.runId;
    await rm(join(project.dir, 'argus.config.json'));
    await project.configure('services: [}');
    const refused = { code: 2, error: { code: 'USAGE_INVALID', details: { known: [runId, other] } } };
    expect(await project.argus('clean')).toMatchObject(refused);
    expect(await project.argus('logs')).toMatchObject(refused);
    expect(await project.argus('status')).toMatchObject({
      code: 3,
      data: { run: null, otherRuns: [{ id: runId }, { id: other }] },
    });
    for (const run of [runId, other])
      expect(await project.argus('clean', '--run', run)).toMatchObject({ code: 0, data: { failed: [] } });
    expect((await project.leftovers()).processes).toEqual([]);
  });
});

describe('a run whose record was lost', () => {
  it('is told of by setup, has its logs, and can be taken down by its number', async () => {
    const { project, port, runId } = await up();
    await damage(project);
    const logs = await project.argus('logs');
    expect(logs).toMatchObject({ code: 0, data: { runId, recordLost: true } });
    expect(logs.data.lines.length).toBeGreaterThan(0);
    const setup = await project.argus('setup');
    const lost = { code: 'RUN_RECORD_LOST', details: { run: runId, worktree: project.dir } };
    expect(setup).toMatchObject({ code: 0, notices: [lost, { code: 'STORE_CORRUPT' }] });
    expect(await project.argus('logs')).toMatchObject({ data: { runId: setup.data.runId } });
    expect(await project.argus('logs', '--run', runId)).toMatchObject({ data: { runId, recordLost: true } });
    expect(await project.argus('clean', '--run', runId)).toMatchObject({
      code: 0,
      data: { removed: [{ name: 'api', runId }] },
    });
    await expect(ask(port)).rejects.toThrow();
    expect(await project.argus('status')).toMatchObject({ code: 0, data: { run: { id: setup.data.runId } } });
  });

  it('is found also when the whole database was removed', async () => {
    const { project, port, runId } = await up();
    const suffixes = ['', '-wal', '-shm', '-held', '-ids'];
    await Promise.all(
      suffixes.map((suffix) => rm(join(project.state, `argus.db${suffix}`), { force: true })),
    );
    expect(await project.argus('status')).toMatchObject({
      code: 3,
      data: { run: null, lost: { resources: [{ name: 'api', runId }] } },
    });
    expect(await project.argus('logs')).toMatchObject({ code: 0, data: { runId } });
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { removed: [{ runId }] } });
    await expect(ask(port)).rejects.toThrow();
  });

  it('is no longer warned of where everything was cleaned', async () => {
    const { project } = await up();
    const other = await processProject({}, { state: project.state });
    await damage(project);
    const notices = [{ code: 'STORE_CORRUPT' }];
    expect(await project.argus('status')).toMatchObject({ notices });
    expect(await project.argus('clean')).toMatchObject({ code: 0, notices });
    for (const command of ['status', 'clean'])
      expect(await project.argus(command)).not.toHaveProperty('notices');
    expect((await project.argus('check', '--only', 'disk.space')).data).toMatchObject({ notices: [] });
    // Somebody else may still have lost something.
    expect(await other.argus('status')).toMatchObject({ notices });
  });
});

describe.skipIf(!canMakeReadOnly)('a state that cannot be written', () => {
  it('does not keep clean from ending what runs, and clean says what is left to do', async () => {
    const { project, port, runId } = await up();
    const makeWritable = makeReadOnly(project.state);
    const clean = await project.argus('clean');
    expect(clean).toMatchObject({
      code: 1,
      ok: true,
      notices: [{ code: 'STORE_UNAVAILABLE' }],
      data: {
        failed: [
          { name: 'api', error: { message: expect.stringContaining('it has ended') } },
          { type: 'run', runId, error: { code: 'CLEANUP_FAILED' } },
        ],
      },
    });
    await expect(ask(port)).rejects.toThrow();
    expect((await project.leftovers()).processes).toEqual([]);
    expect(await project.argus('status')).toMatchObject({
      code: 1,
      data: { services: [{ status: 'exited' }] },
    });
    makeWritable();
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
    expect((await project.leftovers()).records).toEqual([]);
  });
});

describe('a state that cannot be used', () => {
  it('is not taken for one that knows of nothing', async () => {
    const { project, port, runId } = await up();
    await rename(project.state, `${project.state}-away`);
    await writeFile(project.state, 'no folder');
    const unavailable = { code: 1, ok: false, error: { code: 'STORE_UNAVAILABLE' } };
    const calls = ['clean', 'clean --dry-run', 'clean --all-runs', 'logs', 'incidents', 'guard'];
    for (const call of [...calls, `clean --run ${runId}`, `logs --run ${runId}`]) {
      const answer = await project.argus(...call.split(' '));
      expect([call, answer]).toMatchObject([call, unavailable]);
      expect(answer).not.toHaveProperty('notices');
    }
    expect(await project.argus('status')).toMatchObject({
      code: 3,
      data: { services: [{ status: 'unknown' }], circuits: [] },
    });
    const checked = await project.argus('check', '--only', 'process.services');
    expect(checked).toMatchObject({
      code: 3,
      data: { checks: [{ status: 'unknown', message: expect.stringContaining('Nobody knows what runs') }] },
    });
    for (const call of ['status', 'check']) {
      const { stdout, stderr } = await runArgus([call], { cwd: project.dir, state: project.state });
      expect(`${stdout}${stderr}`.match(/code: STORE_UNAVAILABLE/g)).toHaveLength(1);
    }
    expect((await ask(port)).pid).toEqual(expect.any(Number));

    await rm(project.state);
    await rename(`${project.state}-away`, project.state);
    expect(await project.argus('clean')).toMatchObject({
      code: 0,
      data: { removed: [{ name: 'api', runId }] },
    });
  });
});

describe.runIf(process.platform === 'linux')('what another state folder has set up in this folder', () => {
  it('is told of by everybody, left alone, and not called nothing', async () => {
    const { project, port, runId } = await up();
    const notices = [{ code: 'RUN_OF_OTHER_STORE', details: { runId, names: [`process:${runId}/api`] } }];
    const state = join(project.state, '..', 'another');
    const other = (...args: string[]) => runArgus(args, { cwd: project.dir, state });
    const told = async (...args: string[]) => JSON.parse((await other(...args, '--format', 'json')).stdout);

    expect(await told('status')).toMatchObject({ notices, data: { run: null, foreign: [runId] } });
    expect((await other('status')).stdout).not.toContain('nothing runs here');
    expect(await told('clean')).toMatchObject({ notices, data: { removed: [], foreign: [runId] } });
    expect((await other('clean')).stdout).not.toContain('nothing to remove');
    const { data } = await told('check', '--only', 'orphans.processes');
    expect(data.checks).toMatchObject([
      { status: 'pass', message: 'nothing left behind' },
      { status: 'pass', target: 'foreign', details: { foreign: [{ name: 'api', runId, old: false }] } },
    ]);
    const names = ['--names', `process:${runId}/api`];
    expect((await told('clean-foreign', ...names)).data).toMatchObject({
      removed: [],
      refused: [{ reason: 'it is not older than 1d' }],
    });
    expect(await told('setup')).toMatchObject({ ok: true, notices });
    await told('clean');
    expect((await ask(port)).pid).toEqual(expect.any(Number));

    const orphans = ['@argusai/plugin-orphans', { maxAge: '1ms' }];
    const plugins = ['@argusai/plugin-process', orphans];
    await project.configure({ services: { api: serverOn(port) }, plugins });
    expect((await told('clean-foreign', ...names)).data).toMatchObject({
      removed: [{ name: 'api', runId }],
      refused: [],
    });
    await expect(ask(port)).rejects.toThrow();
  });

  it('is told of when it was the state folder of this place, and that is gone', async () => {
    const { project, runId } = await up();
    await rm(project.state, { recursive: true });
    const notices = [{ code: 'RUN_OF_OTHER_STORE', details: { runId } }];
    expect(await project.argus('status')).toMatchObject({ notices, data: { foreign: [runId] } });
    expect(await project.argus('clean')).toMatchObject({ notices, data: { foreign: [runId] } });
  });
});
