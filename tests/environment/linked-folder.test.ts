import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { newClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { folderWith } from '../support/folder-with.js';
import { runArgus } from '../support/run-command.js';
import { freePorts, processProject, serverOn } from './process-project.js';

it('a folder that a link leads to has one environment, whichever way it is named', async () => {
  const project = await processProject({ services: { api: serverOn(await freePorts(2)) } });
  const elsewhere = await folderWith({});
  const link = join(elsewhere, 'link');
  await symlink(project.dir, link);
  const { runId } = (await project.argus('setup')).data;
  const from = async (cwd: string, ...args: string[]) => {
    const ended = await runArgus([...args, '--format', 'json'], { cwd, state: project.state });
    return { code: ended.code, ...JSON.parse(ended.stdout) };
  };
  const ways = [
    ['--project', link],
    ['--project', basename(link)],
    ['--config', join(link, 'argus.config.json')],
    ['--config', join(link, 'argus.config.json'), '--project', link],
  ];
  for (const way of ways) {
    expect([way, await from(elsewhere, 'setup', ...way)]).toMatchObject([
      way,
      { code: 0, data: { runId, unchanged: true } },
    ]);
    expect([way, await from(elsewhere, 'status', ...way)]).toMatchObject([
      way,
      { code: 0, data: { run: { id: runId }, otherRuns: [] } },
    ]);
  }
  const env = { ARGUS_STATE_DIR: project.state };
  const client = await newClient({ cwd: elsewhere, args: ['--project', link], env });
  expect(await client.call('argus_status', { verbose: true })).toMatchObject({
    data: { run: { id: runId }, otherRuns: [] },
  });

  // Also where the configuration cannot be read.
  await writeFile(join(project.dir, 'argus.config.json'), '{ "services": ');
  expect(await from(elsewhere, 'clean', '--project', link)).toMatchObject({
    code: 0,
    data: { removed: [{ name: 'api', runId }] },
  });
});
