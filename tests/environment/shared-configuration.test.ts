import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, freePorts, processProject, serverOn } from './process-project.js';

/** Two folders of one project, looked after with one configuration that lies beside them. */
async function worktrees() {
  const port = await freePorts(6);
  const shared = await processProject({ services: { api: serverOn(port) } });
  const worktree = async (name: string) => {
    const dir = join(shared.dir, name);
    await mkdir(dir);
    const where = ['--project', name, '--config', 'argus.config.json'];
    return { dir, argus: (...args: string[]) => shared.argus(...args, ...where) };
  };
  return { shared, one: await worktree('one'), two: await worktree('two') };
}

const portOf = (setup: { data: { portMappings: readonly { actualPort: number }[] } }) =>
  setup.data.portMappings[0]?.actualPort ?? 0;

describe('--project beside --config', () => {
  it('keeps the environments of two worktrees apart that share a configuration', async () => {
    const { shared, one, two } = await worktrees();
    const first = await one.argus('setup');
    expect(first).toMatchObject({ code: 0, ok: true });
    const { pid, cwd } = await ask(portOf(first));
    expect(cwd).toBe(await realpath(one.dir));

    expect(await two.argus('status')).toMatchObject({ data: { run: null } });
    expect(await two.argus('clean')).toMatchObject({ code: 0, data: { removed: [] } });
    // The folder of the file is a third one.
    expect(await shared.argus('clean')).toMatchObject({ code: 0, data: { removed: [] } });
    expect((await ask(portOf(first))).pid).toBe(pid);

    const second = await two.argus('setup');
    expect(second.data.runId).not.toBe(first.data.runId);
    expect((await ask(portOf(first))).pid).toBe(pid);
    expect(await two.argus('clean')).toMatchObject({ data: { removed: [{ runId: second.data.runId }] } });
    expect(await one.argus('status')).toMatchObject({ data: { run: { id: first.data.runId, alive: true } } });
    expect(await one.argus('clean')).toMatchObject({ data: { removed: [{ runId: first.data.runId }] } });
  });

  it('starts the guardian in the background for that folder', async () => {
    const { one } = await worktrees();
    const setup = await one.argus('setup', '--guard');
    expect(setup).toMatchObject({ code: 0, data: { guardian: { guarding: true } } });
    const { pid } = await ask(portOf(setup));
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => ask(portOf(setup)).then((now) => now.pid !== pid), { timeout: 30_000 })
      .toBe(true);
    expect(await one.argus('clean')).toMatchObject({ code: 0 });
  });

  it('lets what runs be seen and ended when the shared configuration is broken', async () => {
    const { shared, one, two } = await worktrees();
    const { data } = await one.argus('setup');
    await writeFile(
      join(shared.dir, 'argus.config.json'),
      '{ "project": { "name": "demo" }, "servces": {} }',
    );
    expect(await two.argus('status')).toMatchObject({ error: { code: 'CONFIG_INVALID' } });
    expect(await one.argus('status')).toMatchObject({ data: { run: { id: data.runId } } });
    expect(await one.argus('clean')).toMatchObject({ data: { removed: [{ runId: data.runId }] } });
  });
});
