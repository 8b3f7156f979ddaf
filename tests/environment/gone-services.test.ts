import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService } from './container-project.js';
import { ask, freePorts, processProject, serverOn } from './process-project.js';

const gone = (service: string) => ({
  status: 'fail',
  error: { code: 'CONTAINER_CRASH', suggestedActions: ['setup'], details: { service, status: 'missing' } },
});

describe('processes whose records were moved away', () => {
  it('are missed until a setup, and none of them is called a stranger', async () => {
    const port = await freePorts(1);
    const job = { command: 'true', oneShot: true };
    const project = await processProject({ services: { api: serverOn(port), job } });
    await project.argus('setup');
    const { pid } = await ask(port);
    await rename(join(project.state, 'processes'), join(project.state, 'away'));
    const checked = await project.argus('check');
    const { checks } = checked.data as unknown as { checks: { name: string }[] };
    expect(checked).toMatchObject({ code: 1, data: { overall: 'unhealthy' } });
    expect(checks.filter(({ name }) => name === 'process.services')).toMatchObject([gone('api')]);
    if (process.platform === 'linux')
      expect(checks.find(({ name }) => name === 'ports.conflicts')).toMatchObject({
        status: 'pass',
        message: `tcp port ${port}: in use by api as process ${pid}`,
      });
    expect(await project.argus('fix', '--yes')).toMatchObject({ code: 1 });
    expect(await project.argus('setup')).toMatchObject({
      code: 0,
      data: { portMappings: [{ actualPort: port }] },
    });
    expect(await project.argus('check')).toMatchObject({ code: 0, data: { overall: 'healthy' } });
  });
});

describeWithEngine('containers that somebody has removed', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('are missed until a setup, whether others are there or none', { timeout: 180_000 }, async () => {
    const job = { image, command: ['true'], oneShot: true };
    const services = { db: idleService(image), api: idleService(image), job };
    const project = await containerProject(host, { config: { services } });
    dataOf(await project.argus('setup'));
    const made = await project.containers();
    const missed = async () => {
      const { code, data } = await project.argus('check');
      const failed = data.checks.filter(({ status }) => status === 'fail');
      return { code, overall: data.overall, failed };
    };
    await project.docker('rm', '--force', made.db ?? '', made.job ?? '');
    expect(await missed()).toMatchObject({ code: 1, overall: 'unhealthy', failed: [gone('db')] });
    expect(await project.argus('fix', '--yes')).toMatchObject({ code: 1 });
    await project.docker('rm', '--force', made.api ?? '');
    expect(await missed()).toMatchObject({ code: 1, failed: [gone('db'), gone('api')] });
    dataOf(await project.argus('setup'));
    expect(await missed()).toMatchObject({ code: 0, overall: 'healthy', failed: [] });
  });
});
