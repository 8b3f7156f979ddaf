import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { containerProject, webService } from '../environment/container-project.js';
import { freePorts, processProject } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { folderWith } from '../support/folder-with.js';
import { runArgus } from '../support/run-command.js';
import { makeTestImage } from '../support/test-image.js';

const config = JSON.stringify({
  project: { name: 'shop' },
  services: {
    db: { image: 'postgres' },
    web: { image: 'nginx', dependsOn: ['db'] },
    worker: { command: 'node -e "setInterval(() => {}, 1000)"' },
  },
});

/** A project of containers and a process in a folder of its own, and an engine that does not answer. */
async function project(host?: string) {
  const dir = await folderWith({ 'argus.config.json': config });
  const away = `unix://${join(dir, 'none.sock')}`;
  const state = join(dir, 'state');
  const call = (...args: string[]) => runArgus(args, { cwd: dir, state, env: { DOCKER_HOST: host ?? away } });
  return {
    call,
    async data(...args: string[]) {
      const { code, stdout } = await call(...args, '--format', 'json');
      return { code, ...JSON.parse(stdout) };
    },
  };
}

/** A socket that accepts and never answers. */
async function hungEngine(): Promise<string> {
  const socket = join(await folderWith({}), 'docker.sock');
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return `unix://${socket}`;
}

it.each([
  ['clean', []],
  ['clean', ['--dry-run']],
])(
  '%s %s against an engine that is away says what may be left, and that nobody looked',
  async (command, rest) => {
    const { data, call } = await project();
    const { code, data: told } = await data(command, ...rest);
    expect(code).toBe(3);
    expect(told.failed).toMatchObject([
      { type: 'service', name: 'db', unlooked: true, error: { code: 'CLEANUP_FAILED' } },
      { type: 'service', name: 'web', unlooked: true },
      { type: 'run', name: 'of this project that is not recorded, on docker', unlooked: true },
    ]);
    const { stdout } = await call(command, ...rest);
    expect(stdout).not.toContain('nothing to remove');
    expect(stdout).toMatch(
      /could not look: The Docker daemon .* may be left: service db, service web, run of this project that is not recorded, on docker\n/,
    );
  },
);

it('clean of dead runs says the same of the engine, and does the rest', async () => {
  const { data } = await project();
  expect(await data('clean', '--all-runs')).toMatchObject({
    code: 3,
    ok: true,
    data: { removed: [], failed: [{ type: 'run', unlooked: true }] },
  });
});

it('status against an engine that is away tells of nothing that it has not seen', async () => {
  const { data, call } = await project();
  const { code, data: told } = await data('status');
  expect(code).toBe(3);
  expect(told).toMatchObject({
    run: null,
    unlooked: [{ runtime: 'docker', reason: expect.stringContaining('does not answer') }],
    services: [
      { name: 'db', status: 'unknown' },
      { name: 'web', status: 'unknown' },
      { name: 'worker', status: 'missing' },
    ],
  });
  expect((await call('status')).stdout).toMatch(
    /unknown: docker could not be asked, so something may run here/,
  );
});

it('check does not say that nothing runs where nobody could look', async () => {
  const { data } = await project();
  expect((await data('check')).data.environment).toBe('unknown');
});

it('an open circuit is no look either', async () => {
  const { data } = await project();
  for (let call = 0; call < 5; call += 1) await data('clean', '--all-runs');
  for (const command of ['status', 'clean']) {
    const { code, data: told } = await data(command);
    expect(code).toBe(3);
    expect(JSON.stringify(told)).toMatch(/ircuit (docker )?is open after 5 failures/);
  }
});

it('what was set up with another state folder is told by status and clean, and stays', async () => {
  const project = await processProject({ services: { worker: { command: 'sleep 100' } } });
  const { runId } = (await project.argus('setup')).data;
  const state = join(project.dir, 'other');
  for (const args of [['status'], ['clean'], ['clean', '--dry-run'], ['clean', '--all-runs']]) {
    const { code, stdout, stderr } = await runArgus(args, { cwd: project.dir, state });
    expect([args, code]).toEqual([args, 3]);
    expect(stdout).not.toContain('nothing to remove');
    expect(`${stdout}${stderr}`).toMatch(
      new RegExp(`process worker of the run ${runId} .*with another state folder`),
    );
  }
  expect((await project.argus('status')).data.services).toMatchObject([
    { name: 'worker', status: 'running' },
  ]);
  await project.argus('clean');
});

it('there was nothing to remove only where somebody looked', async () => {
  const dir = await folderWith({
    'argus.config.json': JSON.stringify({ services: { worker: { command: 'sleep 100' } } }),
  });
  const { code, stdout } = await runArgus(['clean'], { cwd: dir, state: join(dir, 'state') });
  expect([code, stdout]).toEqual([0, 'There was nothing to remove\n']);
});

/** A hung engine is the only finding, and these are skipped because of it. */
function expectOneFinding(
  checks: readonly { name: string; status: string; causedBy?: string }[],
  because: string[],
) {
  const bad = checks.filter(({ status }) => !['pass', 'skipped'].includes(status));
  expect(bad).toMatchObject([{ name: 'docker.daemon', status: 'fail' }]);
  const held = checks.filter(({ causedBy }) => causedBy === 'docker.daemon');
  expect(held.map(({ name }) => name)).toEqual(expect.arrayContaining(because));
}

it('a hung engine is one finding, and whatever needs it is skipped because of it', async () => {
  const { data } = await project(await hungEngine());
  const { code, data: told } = await data('check');
  expect(code).toBe(1);
  expectOneFinding(told.checks, ['disk.space', 'disk.inodes', 'docker.containers']);
});

describeWithEngine('a hung engine', ({ host }) => {
  it('is one finding also where it has a run with ports', async () => {
    const image = await makeTestImage(host);
    const port = await freePorts(1);
    const services = { web: webService(image, 'web', { ports: [`127.0.0.1:${port}:80`] }) };
    const { argus, dir, state } = await containerProject(host, { config: { services } });
    expect((await argus('setup')).error).toBeUndefined();
    const env = { DOCKER_HOST: await hungEngine() };
    const { code, stdout } = await runArgus(['check', '--format', 'json'], { cwd: dir, state, env });
    expect(code).toBe(1);
    expectOneFinding(JSON.parse(stdout).data.checks, ['ports.conflicts', 'docker.containers']);
  });
});
