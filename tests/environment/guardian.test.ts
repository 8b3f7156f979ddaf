import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '@argusai/store-sqlite';
import { describe, expect, it } from 'vitest';
import { ask, freePorts, type ProcessProject, processProject, serverOn } from './process-project.js';

/** No delay to wait for, and soon called stable. */
const container = { restartDelay: '10ms', stabilityWindow: '300ms' };
const timeout = 120_000;

interface Guarded {
  readonly guardian: { pid: number; alive: boolean; background: boolean } | null;
  readonly incidents: readonly {
    service: string;
    outcome: string;
    code: string;
    restarts: number;
    message: string;
  }[];
  readonly services: readonly { name: string; health: string; restarts: number }[];
}

const program = fileURLToPath(new URL('./fixtures/frail-server.mjs', import.meta.url));

/** A service of the frail server in the fixtures, on a port. */
function frail(port: number, { args = [], ...rest }: { args?: string[]; [setting: string]: unknown } = {}) {
  return serverOn(port, { command: [process.execPath, program, ...args], ...rest });
}

/** Waits until the status is as wanted. */
async function statusWhen(project: ProcessProject, isSo: (status: Guarded) => boolean): Promise<Guarded> {
  for (;;) {
    const status = (await project.argus('status')).data as unknown as Guarded;
    if (isSo(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Everything about the incidents of the project. */
async function incidentsIn(state: string) {
  const store = createSqliteStore({ dir: state });
  try {
    return (await store.read('incidents/demo')).map(({ value }) => value as never as Record<string, never>);
  } finally {
    await store.close();
  }
}

const guardianOf = (setup: { data: unknown }) =>
  (setup.data as { guardian?: { guarding: boolean; pid: number } }).guardian;

describe('an environment with a guardian', () => {
  it('gets a service back that crashed, on its port, and ends with it', { timeout }, async () => {
    const port = await freePorts(1);
    const environment = { API_TOKEN: 'a-very-secret-token' };
    const project = await processProject({
      services: { api: frail(port, { environment }) },
      resilience: { container },
    });
    const setup = await project.argus('setup', '--guard');
    expect(setup.error).toBeUndefined();
    expect(guardianOf(setup)).toMatchObject({ guarding: true, pid: expect.any(Number) });
    const { pid } = await ask(port);
    process.kill(pid, 'SIGKILL');
    const status = await statusWhen(project, ({ incidents }) =>
      incidents.some(({ outcome }) => outcome === 'recovered'),
    );
    expect(status.guardian).toMatchObject({ pid: guardianOf(setup)?.pid, alive: true, background: true });
    expect(status.incidents).toMatchObject([{ service: 'api', code: 'CONTAINER_CRASH', restarts: 1 }]);
    expect(status.services).toMatchObject([{ name: 'api', health: 'healthy', restarts: 1 }]);
    expect((await ask(port)).pid).not.toBe(pid);
    const [incident] = await incidentsIn(project.state);
    expect(incident).toMatchObject({
      error: { details: { exitCode: 137, signal: 'SIGKILL' } },
      restarts: [{ evidence: { lines: expect.any(Array) } }],
    });
    // Of two pipes nobody can say which was written to first when both are read at once.
    const restarts = (incident?.restarts ?? []) as readonly { evidence: { lines: { stream: string }[] } }[];
    const streams = restarts.flatMap(({ evidence }) => evidence.lines.map(({ stream }) => stream));
    expect(streams.sort()).toEqual(['stderr', 'stdout', 'stdout']);
    expect(JSON.stringify(incident)).not.toContain('a-very-secret-token');

    const clean = await project.argus('clean');
    expect(clean.data.failed).toEqual([]);
    const left = await project.leftovers();
    expect(left).toEqual({ processes: [], records: [] });
  });

  it('gets a service back that hangs or says that it is not well', { timeout }, async () => {
    const first = await freePorts(2);
    const project = await processProject({
      services: {
        hung: frail(first, {
          healthcheck: { http: '/health', interval: '50ms', timeout: '300ms', retries: 2 },
        }),
        sick: frail(first + 1),
      },
      environment: { stopTimeout: '200ms' },
      resilience: { container },
    });
    expect((await project.argus('setup', '--guard')).error).toBeUndefined();
    process.kill((await ask(first)).pid, 'SIGSTOP');
    const { pid } = await ask(first + 1);
    await fetch(`http://127.0.0.1:${first + 1}/fall-ill`);
    const { incidents } = await statusWhen(
      project,
      (status) => status.incidents.filter(({ outcome }) => outcome === 'recovered').length === 2,
    );
    expect(incidents.map(({ service, code }) => `${service} ${code}`).sort()).toEqual([
      'hung HEALTH_CHECK_TIMEOUT',
      'sick HEALTH_CHECK_TIMEOUT',
    ]);
    expect((await ask(first + 1)).pid).not.toBe(pid);
    const told = await incidentsIn(project.state);
    const seen = Object.fromEntries(told.map((one) => [one.service, JSON.stringify(one)]));
    // Whichever is noticed first: that it does not answer, or that the system has stopped it.
    expect(seen.hung).toMatch(/gave no answer within 300 ms|it is paused/);
    expect(seen.sick).toContain('answered 503');
    await project.argus('clean');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('gives a service up that cannot be helped, and says all it knows', { timeout }, async () => {
    const port = await freePorts(1);
    const project = await processProject({
      services: { api: frail(port, { args: ['once'] }) },
      resilience: { container: { ...container, maxRestarts: 2 } },
    });
    await project.argus('setup', '--guard');
    process.kill((await ask(port)).pid, 'SIGKILL');
    const { incidents } = await statusWhen(project, (status) =>
      status.incidents.some(({ outcome }) => outcome === 'exhausted'),
    );
    expect(incidents).toMatchObject([
      {
        code: 'CONTAINER_RESTART_EXHAUSTED',
        restarts: 2,
        message: expect.stringContaining('crash loop, last exit code 9'),
      },
    ]);
    const [incident] = await incidentsIn(project.state);
    expect(JSON.stringify(incident)).toContain('I was here before');
    await project.argus('clean');
  });

  it('notices that its guardian is dead, and a setup starts another', { timeout }, async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: frail(port) }, resilience: { container } });
    const first = guardianOf(await project.argus('setup', '--guard'))?.pid ?? 0;
    process.kill(first, 'SIGKILL');
    const dead = await statusWhen(project, ({ guardian }) => guardian?.alive === false);
    expect(dead.guardian).toMatchObject({ pid: first });
    expect((await project.argus('check')).data.notices).toMatchObject([
      { code: 'GUARDIAN_GONE', details: { pid: first }, suggestedActions: ['setup'] },
    ]);
    process.kill((await ask(port)).pid, 'SIGKILL');
    const again = await project.argus('setup', '--guard');
    const second = guardianOf(again)?.pid ?? 0;
    expect((await project.argus('check')).data.notices).toEqual([]);
    expect(second).not.toBe(first);
    process.kill((await ask(port)).pid, 'SIGKILL');
    await statusWhen(project, (status) => status.incidents.some(({ outcome }) => outcome === 'recovered'));
    // A setup keeps a guarded environment guarded, by the same guardian where nothing has changed for it.
    expect(guardianOf(await project.argus('setup'))).toMatchObject({ pid: second, kept: true });
    process.kill((await ask(port)).pid, 'SIGKILL');
    await statusWhen(
      project,
      ({ incidents }) => incidents.filter(({ outcome }) => outcome === 'recovered').length === 2,
    );
    // What has changed, another one must know.
    await project.configure({
      services: { api: frail(port) },
      resilience: { container: { ...container, maxRestarts: 7 } },
    });
    const third = guardianOf(await project.argus('setup'));
    expect(third).not.toHaveProperty('kept');
    expect([first, second, 0]).not.toContain(third?.pid ?? 0);
    const { guardian } = await statusWhen(project, () => true);
    expect(guardian).toMatchObject({ pid: third?.pid, alive: true });
    await project.argus('clean');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('can be guarded from a terminal, one at a time', { timeout }, async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: frail(port) }, resilience: { container } });
    await project.argus('setup');
    const first = project.start('guard');
    const second = project.start('guard');
    await Promise.all([first, second].map((one) => one.until(({ type }) => type === 'guard_state')));
    process.kill((await ask(port)).pid, 'SIGKILL');
    await statusWhen(project, (status) => status.incidents.some(({ outcome }) => outcome === 'recovered'));
    const { services } = await statusWhen(project, () => true);
    expect(services).toMatchObject([{ restarts: 1 }]);
    await project.argus('clean');
    // Both see that there is nothing left to guard.
    expect((await first.ended).code).toBe(0);
    expect((await second.ended).result?.data).toMatchObject({
      incidents: [{ service: 'api', outcome: 'recovered' }],
    });
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('has a log of what its guardian did, and nothing to guard when it is down', { timeout }, async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { api: frail(port) } });
    await project.argus('setup', '--guard');
    const name = (await readdir(project.state)).find((one) => one.startsWith('guardian-')) ?? '';
    // It holds the post a moment before it watches.
    await expect
      .poll(() => readFile(join(project.state, name), 'utf8'), { timeout: 30_000 })
      .toContain('guarding: guards api');
    await project.argus('clean');
    const nothing = await project.argus('guard');
    expect(nothing).toMatchObject({ ok: false, error: { code: 'USAGE_INVALID' } });
  });
});
