import { describe, expect, it } from 'vitest';
import { type Called, confirmed } from '../fixtures/clients.js';
import { inProcess } from '../fixtures/in-process.js';
import { processProject } from '../fixtures/projects.js';
import { until } from '../fixtures/until.js';

describe('a server that has set an environment up', () => {
  it('restarts what fails, makes room for tests, and guards again after them', async () => {
    const more = { resilience: { container: { restartDelay: '50ms' } } };
    const { call, session } = await inProcess(await processProject({ more }));
    await call('argus_setup');
    const guardian = ({ data }: Called) => (data as { guardian: { pid: number } | null }).guardian;
    await until('it guards', async () => guardian(await call('argus_status'))?.pid === process.pid);

    await confirmed(call, 'argus_fault_inject', { fault: 'kill-service' });
    await until('the service is back', async () => {
      const { data } = await call('argus_status');
      const { incidents, services } = data as {
        incidents: { restarts: number }[];
        services: { health: string }[];
      };
      return incidents[0]?.restarts === 1 && services[0]?.health === 'healthy';
    });
    expect(session.events.map(({ type }) => type)).toContain('restart_attempt');

    const command = [process.execPath, '-e', 'setTimeout(() => console.log("tested"), 300)'];
    const run = await confirmed(call, 'argus_run', { command });
    expect(run).toMatchObject({ ok: true, data: { outcome: 'passed', takenDown: null } });
    expect(run.text).toContain('tested');
    await until('it guards again', async () => guardian(await call('argus_status'))?.pid === process.pid);

    await confirmed(call, 'argus_clean');
    await session.guards.end();
    expect(await call('argus_status')).toMatchObject({ data: { run: null } });
  });

  it('guards what a new setup has made, with the configuration as it is then', async () => {
    const { call } = await inProcess(await processProject());
    await call('argus_setup');
    expect(await call('argus_setup')).toMatchObject({ data: { unchanged: true } });
    await until('it guards', async () => {
      const { data } = await call('argus_status');
      return (data as { guardian: { pid: number } | null }).guardian?.pid === process.pid;
    });
    expect(await call('argus_guard')).toMatchObject({ ok: true, pending: { tool: 'argus_guard' } });
    await confirmed(call, 'argus_clean');
  });
});
