import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { containerProject, dataOf } from '../environment/container-project.js';
import { freePorts } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { fixture, neverPassesFor, strangerOn } from './stranger.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

describeWithEngine('a stranger on the port of a container', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  const projectOn = async (port: number, ms: number, strategy: 'auto' | 'fail', check = {}) => {
    const serve = `mkdir -p /www && printf own > /www/index.html && sleep ${ms / 1_000} && exec httpd -f -p 80 -h /www`;
    const web = { image, command: ['sh', '-c', serve], ports: [`127.0.0.1:${port}:80`], ...check };
    const project = await containerProject(host, {
      config: {
        resilience: { network: { portConflictStrategy: strategy }, preflight: { enabled: false } },
        services: { web },
        tests: { suites: [{ id: 'smoke', command: [process.execPath, fixture('suite.mjs'), 'who'] }] },
      },
    });
    const file = join(project.dir, 'who');
    return { project, who: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) };
  };
  const often = { interval: '50ms', timeout: '1s', retries: 5, startPeriod: '20s' };
  const checked = { healthcheck: { http: '/', ...often } };

  it('is told wherever a service is described whose container has ended', { timeout }, async () => {
    const port = await freePorts(1);
    const { project, who } = await projectOn(port, 0, 'fail', checked);
    expect((await project.argus('setup')).error).toBeUndefined();
    const { web = '' } = await project.containers();
    await project.docker('kill', web);
    const { pid, took } = await strangerOn(port);
    expect(took).toBe(true);
    expect((await project.argus('status')).data.services).not.toMatchObject([{ health: 'healthy' }]);
    const run = await project.argus('run');
    expect(run.error).toMatchObject({ code: 'PORT_CONFLICT', details: { service: 'web', port, pid } });
    expect(who()).toBeUndefined();
  });

  it('is named by the check of a container whose health check leads to him', { timeout }, async () => {
    const port = await freePorts(1);
    const web = { image, command: 'sleep 1000' };
    const project = await containerProject(host, { config: { services: { web } } });
    expect((await project.argus('setup')).error).toBeUndefined();
    const { pid } = await strangerOn(port);
    await project.configure({
      services: { web: { ...web, healthcheck: { http: `http://127.0.0.1:${port}/` } } },
    });
    const { checks } = dataOf(await project.argus('check', '--only', 'docker.containers'));
    expect(checks.find(({ name }) => name === 'docker.containers')).toMatchObject({
      status: 'fail',
      error: { code: 'PORT_CONFLICT', details: { service: 'web', port, pid } },
    });
  });

  neverPassesFor('containers', { usual: 3, withinMs: 2_000 }, async (port, { delayMs, strategy }) => {
    const { project, who } = await projectOn(port, delayMs, strategy, checked);
    const leave = async () => {
      const { web = '' } = await project.containers();
      await project.docker('kill', web);
    };
    return { project, who, leave };
  });
});
