import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask, freePorts, processProject, serverOn } from './process-project.js';

const sleeper = { command: ['sleep', '600'] };

describe('runs of one project', () => {
  it('of two setups of one folder at the same moment one wins and the other is told', async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: serverOn(port, { args: ['delay=3000'] }) } });
    const [one, other] = await Promise.all([project.argus('setup'), project.argus('setup')]);
    const [winner, loser] = one.ok ? [one, other] : [other, one];
    expect(winner).toMatchObject({ code: 0, data: { services: [{ name: 'api', status: 'ready' }] } });
    expect(loser).toMatchObject({ code: 1, error: { code: 'SETUP_IN_PROGRESS' } });
    expect(loser.error.details.pid).toEqual(expect.any(Number));
    expect((await project.leftovers()).processes).toHaveLength(2);
  });

  it('is not taken down while it is being set up', async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: serverOn(port, { args: ['delay=6000'] }) } });
    const setup = project.start('setup');
    await setup.until(({ type, data }) => type === 'service_state' && data?.state === 'waiting');
    expect(await project.argus('clean')).toMatchObject({ code: 1, error: { code: 'SETUP_IN_PROGRESS' } });
    expect(await project.argus('clean', '--all-runs')).toMatchObject({ code: 0, data: { removed: [] } });
    expect(await setup.ended).toMatchObject({ code: 0 });
    expect((await ask(port)).pid).toEqual(expect.any(Number));
  });

  it('stay side by side in two folders', async () => {
    const port = await freePorts(4);
    const services = { api: serverOn(port, { vars: { url: `http://localhost:${port}` } }) };
    const here = await processProject({ services });
    const there = await processProject({ services }, { state: here.state });
    const [first, second] = [await here.argus('setup'), await there.argus('setup')];
    expect(second.data.portMappings).toMatchObject([{ originalPort: port, reassigned: true }]);
    const moved = second.data.portMappings[0]?.actualPort ?? 0;
    expect(second.data.vars.url).toBe(`http://localhost:${moved}`);
    const [a, b] = [await ask(port), await ask(moved)];
    expect(a.pid).not.toBe(b.pid);
    expect((await here.argus('status')).data).toMatchObject({
      run: { id: first.data.runId },
      otherRuns: [{ id: second.data.runId, worktree: there.dir, alive: true }],
    });
    expect((await here.argus('setup')).data.unchanged).toBe(true);

    await there.argus('clean');
    expect((await ask(port)).pid).toBe(a.pid);
    await expect(ask(moved)).rejects.toThrow();
    expect(await here.argus('clean', '--all-runs')).toMatchObject({ code: 0, data: { removed: [] } });
    expect((await ask(port)).pid).toBe(a.pid);
  });

  it('are orphans when their lease has run out, and go with the next setup in another folder', async () => {
    const here = await processProject({ services: { a: sleeper }, environment: { lease: '100ms' } });
    const there = await processProject({ services: { b: sleeper } }, { state: here.state });
    const { data } = await here.argus('setup');
    await setTimeout(Math.max(0, data.leaseUntil - Date.now()));
    expect(await here.argus('status')).toMatchObject({ data: { run: { state: 'up', alive: false } } });
    const next = await there.argus('setup');
    expect(next.data.orphanCleanup?.removed).toMatchObject([{ name: 'a', runId: data.runId }]);
    expect(await here.argus('status')).toMatchObject({ data: { run: null } });
    expect((await there.leftovers()).processes).toHaveLength(2);
  });

  it('are removed by clean --all-runs only when they are over', async () => {
    const dead = await processProject({ services: { a: sleeper }, environment: { lease: '0ms' } });
    const alive = await processProject({ services: { b: sleeper } }, { state: dead.state });
    // The live one first: a setup removes what is left of dead runs.
    const kept = await alive.argus('setup');
    const gone = await dead.argus('setup');
    const dry = await alive.argus('clean', '--all-runs', '--dry-run');
    expect(dry.data).toMatchObject({ dryRun: true, removed: [{ name: 'a', runId: gone.data.runId }] });
    expect((await dead.leftovers()).processes).toHaveLength(4);
    const clean = await alive.argus('clean', '--all-runs');
    expect(clean).toMatchObject({ code: 0, data: { removed: [{ name: 'a' }], failed: [] } });
    expect((await dead.leftovers()).processes).toHaveLength(2);
    expect(await alive.argus('status')).toMatchObject({
      code: 0,
      data: { run: { id: kept.data.runId }, otherRuns: [] },
    });
  });

  it('are not forgotten when the state is damaged: status knows, clean ends them, and others stay', async () => {
    const [port, other] = [await freePorts(1), await freePorts(1)];
    const here = await processProject({ services: { api: serverOn(port) } });
    const there = await processProject({ services: { web: serverOn(other) } }, { state: here.state });
    const { runId } = (await here.argus('setup')).data;
    await there.argus('setup');
    const file = join(here.state, 'argus.db');
    await Promise.all(['-wal', '-shm'].map((suffix) => rm(file + suffix, { force: true })));
    await writeFile(file, 'no database at all '.repeat(500));

    const notices = [{ code: 'STORE_CORRUPT', details: { movedTo: expect.stringContaining('corrupt-') } }];
    expect(await here.argus('status')).toMatchObject({
      code: 3,
      notices,
      data: {
        run: null,
        services: [{ name: 'api', status: 'running', health: 'unknown' }],
        lost: { resources: [{ type: 'process', name: 'api', runId }], unknown: [] },
      },
    });
    // Only its own folder may say that a run is over.
    expect(await here.argus('clean', '--all-runs')).toMatchObject({ data: { removed: [] } });
    expect(await here.argus('check', '--only', 'orphans.processes')).toMatchObject({
      data: { checks: [{ status: 'warn', error: { code: 'RUN_RECORD_LOST' } }, { status: 'warn' }] },
    });
    expect(await here.argus('clean', '--dry-run')).toMatchObject({ data: { removed: [{ name: 'api' }] } });
    expect(await here.argus('clean')).toMatchObject({ code: 0, notices, data: { removed: [{ runId }] } });
    await expect(ask(port)).rejects.toThrow();
    expect(await here.argus('status')).toMatchObject({ code: 0, data: { lost: { resources: [] } } });

    expect((await ask(other)).pid).toEqual(expect.any(Number));
    const named = await here.argus('clean-foreign', '--names', 'web');
    expect(named).toMatchObject({ code: 0, data: { removed: [{ name: 'web' }] } });
    await expect(ask(other)).rejects.toThrow();
  });

  it('leave nothing behind in their folder, also when nobody looks for orphans', async () => {
    const services = { a: sleeper };
    const project = await processProject({ services, plugins: ['@argusai/plugin-process'] });
    const setup = project.start('setup');
    await setup.until(({ type, data }) => type === 'service_state' && data?.state === 'ready');
    setup.child.kill('SIGKILL');
    await setup.ended;
    expect(await project.argus('setup')).toMatchObject({ code: 0 });
    const { processes, records } = await project.leftovers();
    expect(processes).toHaveLength(2);
    expect(records).toHaveLength(3);
  });
});
