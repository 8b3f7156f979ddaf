import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { projectOf, server } from './project-of.js';

/** A licence server, and the number of its port. */
async function licenceServer(): Promise<string> {
  const listening = createServer((socket) => socket.end());
  onTestFinished(() => void listening.close());
  const port = await new Promise<number>((resolve) => {
    listening.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port));
  });
  return String(port);
}

// Port 1 is reserved and nothing listens there.
const nobody = '1';

describe('the README', () => {
  let cwd: string;
  beforeEach(async () => {
    const smoke = `console.log(await (await fetch(process.env.ARGUS_URL_API)).text());`;
    cwd = await projectOf('README.md', { 'server.mjs': server, 'smoke.mjs': smoke });
  });
  const argus = (args: readonly string[], LICENCE_PORT: string) =>
    runArgus(args, { cwd, state: join(cwd, 'state'), env: { LICENCE_PORT } });

  it('shows a configuration and a plugin that work together', async () => {
    const { code, stdout } = await argus(
      ['check', '--format', 'json', '--only', 'licence'],
      await licenceServer(),
    );
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: { project: 'shop', checks: [{ name: 'licence.server', status: 'pass' }] },
    });
    expect(code).toBe(0);
  });

  it('shows a plugin that notices when the server is gone', async () => {
    const { code, stdout } = await argus(['check', '--format', 'json', '--only', 'licence'], nobody);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { checks: [{ status: 'fail', error: { code: 'LICENCE_SERVER_GONE' } }] },
    });
    expect(code).toBe(1);
  });

  it('shows tests that run with the services up', async () => {
    const { code, stdout, stderr } = await argus(['run'], await licenceServer());
    expect(stderr).toContain('passed: one suite\n');
    expect(stdout).toBe('well\n');
    expect(code).toBe(0);
  });

  it('says rightly that nothing is started while the licence server is gone', async () => {
    const { code, stdout } = await argus(['setup', '--format', 'json'], nobody);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'LICENCE_SERVER_GONE' } });
    expect(code).toBe(1);
  });
});
