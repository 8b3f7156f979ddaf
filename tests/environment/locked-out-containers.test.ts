import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService } from './container-project.js';

describeWithEngine('containers that were started under another configuration', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('are shown and taken down when the project was renamed, and when the configuration is broken', async () => {
    const services = { db: idleService(image, { volumes: ['data:/data'] }) };
    const project = await containerProject(host, { config: { services } });
    const { runId } = dataOf(await project.argus('setup'));
    await project.configure({ project: { name: 'renamed' }, services });
    expect(await project.argus('status')).toMatchObject({
      data: { run: null },
      notices: [{ code: 'RUN_OF_OTHER_NAME', details: { run: runId } }],
    });
    expect(await project.argus('status', '--run', runId)).toMatchObject({
      code: 3,
      data: { run: { id: runId }, services: [{ name: 'db', status: 'running' }] },
    });
    await project.write('argus.config.json', '{ "services": ');
    expect(await project.argus('logs')).toMatchObject({ code: 0, data: { runId } });
    expect(await project.argus('status')).toMatchObject({
      code: 3,
      notices: [{ code: 'CONFIG_INVALID' }],
      data: { project: project.name, services: [{ name: 'db', status: 'running', health: 'unknown' }] },
    });
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { failed: [] } });
    expect(await project.resources()).toEqual([]);
  });

  it('are found by their labels when the database is gone, and are another’s when the whole state is', async () => {
    const project = await containerProject(host, { config: { services: { db: idleService(image) } } });
    const first = dataOf(await project.argus('setup')).runId;
    for (const suffix of ['', '-wal', '-shm', '-held'])
      await rm(join(project.state, `argus.db${suffix}`), { force: true });
    expect(await project.argus('logs')).toMatchObject({ code: 0, data: { runId: first, recordLost: true } });
    const second = await project.argus('setup');
    expect(second).toMatchObject({ notices: [{ code: 'RUN_RECORD_LOST', details: { run: first } }] });
    expect(await project.argus('clean', '--run', first)).toMatchObject({ code: 0, data: { failed: [] } });
    expect(Object.keys(await project.containers())).toEqual(['db']);

    await rm(project.state, { recursive: true, force: true });
    const notices = [{ code: 'RUN_OF_OTHER_STORE', details: { runId: dataOf(second).runId } }];
    expect(await project.argus('status')).toMatchObject({ data: { run: null }, notices });
    expect(await project.argus('setup')).toMatchObject({ code: 0, notices });
    dataOf(await project.argus('clean'));
    expect(await project.argus('clean')).toMatchObject({ data: { removed: [] }, notices });
    // Only the store that made it knows whether somebody works with it.
    expect(Object.keys(await project.containers())).toEqual(['db']);
  });
});
