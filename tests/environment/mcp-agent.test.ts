import { createServer } from 'node:net';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { confirmed, newClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, webService } from './container-project.js';
import { moodyDocker } from './moody-docker.js';
import { bringToHealthy } from './scripted-agent.js';

/** A port of this machine that is free at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function take(port: number): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

describeWithEngine('an agent that knows only what the tools say', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('brings an environment back with a port taken, orphans, a crashed container and an open circuit', async () => {
    const docker = await moodyDocker();
    const port = await freePort();
    const healthcheck = { http: '/', interval: '100ms', startPeriod: '10s' };
    const web = webService(image, 'web', { ports: [`${port}:80`], healthcheck });
    const project = await containerProject(host, { config: { services: { web } }, env: docker.env });
    dataOf(await project.argus('setup'));

    // Somebody's setup of another worktree is killed, and leaves things behind.
    const sick = { ...webService(image, 'web'), healthcheck: { command: 'false', startPeriod: '600s' } };
    const other = await containerProject(host, { config: { services: { web: sick } }, like: project });
    const call = other.begin(['setup']);
    await call.until(({ data }) => data?.service === 'web' && data.state === 'waiting');
    call.kill('SIGKILL', 'alone');
    await call.ended();
    expect(await other.resources()).not.toEqual([]);

    // The container crashes, somebody else takes its port, and the engine is gone for a while.
    const { web: id = '' } = await project.containers();
    await project.docker('kill', id);
    await take(port);
    await docker.become('cut-off');
    for (let turn = 1; turn <= 5; turn += 1) await project.argus('status');
    expect(dataOf(await project.argus('status')).circuits).toMatchObject([{ name: 'docker', state: 'open' }]);
    await docker.become('well');

    const env = { ...docker.env, DOCKER_HOST: host, ARGUS_STATE_DIR: project.state };
    const client = await newClient({ cwd: project.dir, env: env as Record<string, string> });
    const { calls, isHealthy } = await bringToHealthy(client, 20);
    process.stderr.write(
      `an agent needed ${calls.length} calls:\n${calls.map((one) => `  ${one}\n`).join('')}`,
    );
    expect(isHealthy).toBe(true);
    expect(dataOf(await project.argus('status')).run).toMatchObject({ state: 'up' });
    expect(await other.resources()).toEqual([]);
    await confirmed(client.call, 'argus_clean');
    expect(await project.resources()).toEqual([]);
  });
});
