import { expect, it } from 'vitest';
import { freePorts, processProject, serverOn } from '../environment/process-project.js';
import { steady, typed } from './recorded.js';

/** What was asked of the project until it is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

it('a guarded run with a restart, an incident and then a dead guardian fits into 80 columns', {
  timeout: 120_000,
}, async () => {
  const port = await freePorts(2);
  const project = await processProject({
    services: { api: serverOn(port) },
    mocks: { pay: { port: port + 1, routes: [] } },
    plugins: ['@argusai/plugin-process'],
    resilience: { container: { restartDelay: '10ms', stabilityWindow: '300ms' } },
  });
  const setup = await project.argus('setup', '--guard');
  const { pid } = (setup.data as unknown as { guardian: { pid: number } }).guardian;
  await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
  const outcomes = async () => {
    const { data } = await project.argus('status');
    return (data as unknown as { incidents: { outcome: string }[] }).incidents.map(({ outcome }) => outcome);
  };
  await until(async () => (await outcomes()).includes('recovered'));
  const screenOf = async () => {
    const session = typed(project, 80, ['status']);
    expect(await session.ended()).toBe(0);
    expect(await session.broken()).toEqual([]);
    return steady(await session.screen(), port);
  };
  const screen = await screenOf();
  expect(screen).toContain(
    [
      '✓ api  healthy  process  http://localhost:10000',
      '    1 restart',
      '✓ pay  healthy  process  http://localhost:10001',
      'api recovered, 1 restart: api ended unexpectedly: exit code 3',
      'argus incidents shows more',
      `guarded by process ${pid} on `,
    ].join('\n'),
  );
  process.kill(pid, 'SIGKILL');
  await until(async () => (await screenOf()).includes('unguarded: process'));
  await project.argus('clean');
});
