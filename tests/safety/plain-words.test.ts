import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePorts, processProject, type Trouble, takePort } from '../environment/process-project.js';
import { folderWith } from '../support/folder-with.js';
import { runArgus } from '../support/run-command.js';

const worker = 'services:\n  a: { command: sleep 100 }\n';

/** Runs the built program in a folder with these files. */
async function inFolder(files: Record<string, string | Buffer>, args: readonly string[], env = {}) {
  const dir = await folderWith({});
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  return runArgus(args, { cwd: dir, state: join(dir, 'state'), env });
}

it('a package.json with a byte order mark is read, beside a configuration and as one', async () => {
  const manifest = (rest: object) => `\uFEFF${JSON.stringify({ name: 'x', ...rest })}`;
  const beside = { 'package.json': manifest({}), 'argus.config.yaml': worker };
  expect((await inFolder(beside, ['config', '--only', 'services'])).code).toBe(0);
  const own = { 'package.json': manifest({ argus: { project: { name: 'marked' } } }) };
  expect((await inFolder(own, ['config', '--only', 'project'])).stdout).toContain('marked');
});

it.each([
  ['UTF-16', Buffer.from(`\uFEFF${worker}`, 'utf16le')],
  ['Latin-1', Buffer.from(worker.replace('a:', 'ä:'), 'latin1')],
])('a configuration in %s is called that, and not shown', async (encoding, content) => {
  const { code, stderr } = await inFolder({ 'argus.config.yaml': content }, ['config']);
  expect(code).toBe(2);
  expect(stderr).toContain(`is not UTF-8, it looks like ${encoding}; save it as UTF-8`);
  expect(stderr).not.toContain('\uFFFD');
});

it('of two configurations in one folder it is said which is read, and why', async () => {
  const files = { 'argus.config.json': '{"project":{"name":"one"}}', 'argus.config.yaml': worker };
  const { code, stderr, stdout } = await inFolder(files, ['config', '--only', 'project']);
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain(
    'argus.config.yaml is not read, because argus.config.json comes first',
  );
});

it('a line that a service has not ended is in its logs, and many services bring no warning of Node', async () => {
  const names = Array.from({ length: 15 }, (_, index) => `s${index}`);
  const command = ['sh', '-c', 'printf Password:; exec sleep 100'];
  const services = Object.fromEntries(names.map((name) => [name, { command }]));
  const project = await processProject({ services });
  const calm = async (call: string) => {
    const { stderr, data } = await project.argus(call);
    expect(stderr).not.toMatch(/Warning/);
    return data;
  };
  for (const call of ['setup', 'status', 'check']) await calm(call);
  await expect.poll(async () => (await calm('logs')).lines, { timeout: 20_000 }).toHaveLength(15);
  await calm('clean');
});

it('strategy fail names every port that is taken', async () => {
  const first = await freePorts(2);
  await takePort(first);
  await takePort(first + 1);
  const service = (port: number) => ({ command: 'sleep 100', ports: [`${port}:${port}`] });
  const project = await processProject({
    services: { a: service(first), b: service(first + 1) },
    resilience: { network: { portConflictStrategy: 'fail' } },
  });
  const { ok, error } = await project.argus('setup');
  expect(ok).toBe(false);
  expect(error.message).toContain(`port ${first} of a`);
  expect(error.message).toContain(`port ${first + 1} of b`);
});

it('a check of a port that is taken names the place that asks for it', async () => {
  const port = await freePorts(2);
  await takePort(port);
  await takePort(port + 1);
  const project = await processProject(
    `project: { name: demo }\nservices:\n  a:\n    command: sleep 100\n    ports:\n      - "${port}:${port}"\nmocks:\n  pay:\n    port: ${port + 1}\n    routes: []\n`,
  );
  const { stdout } = await project.argus('check', '--only', 'ports');
  const places = JSON.parse(stdout).data.checks.map(({ error }: { error: Trouble }) => error.details.where);
  const file = join(project.dir, 'argus.config.yaml');
  expect(places).toMatchObject([
    { key: 'services.a.ports[0]', value: `${port}:${port}`, file, line: 6 },
    { key: 'mocks.pay.port', value: port + 1, file, line: 9 },
  ]);
});

it('a port that a run of a folder that was moved still holds is told with that run and its project', async () => {
  const port = await freePorts(1);
  const server = 'require("net").createServer().listen(+process.env.PORT, "127.0.0.1")';
  const service = {
    command: [process.execPath, '-e', server],
    ports: [`${port}:${port}`],
    environment: { PORT: `${port}` },
  };
  const old = await processProject({ services: { a: service }, project: { name: 'moved' } });
  const { runId } = (await old.argus('setup')).data;
  await rename(old.dir, `${old.dir}-moved`);
  await mkdir(old.dir);
  const dir = `${old.dir}-moved`;
  const { stdout } = await runArgus(['check', '--only', 'ports'], { cwd: dir, state: old.state });
  expect(stdout).toContain(runId);
  expect(stdout).toContain('moved');
  expect(stdout).not.toMatch(/held by.* process/);
  await runArgus(['clean', '--run', runId], { cwd: dir, state: old.state });
});
