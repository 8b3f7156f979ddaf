import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newClient, type TestClient } from '../../packages/adapter-mcp/src/fixtures/clients.js';
import { processProject } from '../environment/process-project.js';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { folderWith } from '../support/folder-with.js';
import { runArgus } from '../support/run-command.js';
import { makeTestImage } from '../support/test-image.js';
import { bringUp, type Journey, type Person } from './scripted-model.js';

const service = fileURLToPath(new URL('./fixtures/service.mjs', import.meta.url));

/** What a place is told with in one line of text. */
const nobody: Person = ({ key }) => {
  throw new Error(`nobody knows what to do at ${key}`);
};

/** What only shows how things are. */
const looking = ['argus_explain', 'argus_status', 'argus_preflight_check', 'argus_logs', 'argus_incidents'];

/** How many bytes an answer has, as text and as data. */
const bytesOf = ({ text, isError: _, ...data }: Journey['answers'][number]) =>
  Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(data)));

const journeys: Journey[] = [];

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function take(port: number): Promise<Server> {
  const server = createServer();
  onTestFinished(() => void server.close());
  // A service that has just crashed may let go of it a moment later.
  server.on('error', () => setTimeout(() => server.listen(port, '127.0.0.1'), 20));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

/** A project of one process, with its server. */
async function projectWith(configuration: string, env: Record<string, string> = {}) {
  const project = await processProject(`project: { name: demo }\n${configuration}`);
  const client = await newClient({ cwd: project.dir, env: { ARGUS_STATE_DIR: project.state, ...env } });
  onTestFinished(async () => {
    await project.argus('clean');
  });
  return { project, client };
}

const web = (port: number, { health = '/health', command = [process.execPath, service] } = {}) => `services:
  web:
    command: ${JSON.stringify(command)}
    ports: ["${port}:${port}"]
    healthcheck:
      http: ${health}
      interval: 50ms
      retries: 5
      startPeriod: 5s
`;

/** Brings it up by what answers say, after a first look that must not lead nowhere either. */
async function journey(client: TestClient, person: Person = nobody): Promise<Journey> {
  const looked = await client.call('argus_preflight_check');
  const went = await bringUp(client, person, 6);
  const answers = [looked, ...went.answers];
  journeys.push({ ...went, answers });
  process.stderr.write(`${went.calls.map((one) => `  ${one.slice(0, 300)}\n`).join('')}`);
  for (const { next } of answers) {
    if (next && !next.person) expect(looking).not.toContain(next.tool);
  }
  expect(went.calls.at(-1)).toContain('The environment is up');
  expect(went.isUp).toBe(true);
  return went;
}

describe('a model that knows only what answers say', () => {
  it('has the strategy changed that keeps a taken port from being moved', async () => {
    const port = await freePort();
    await take(port);
    const strategy = 'resilience:\n  network: { portConflictStrategy: fail }\n';
    const { client } = await projectWith(`${strategy}${web(port)}`);
    const { answers } = await journey(client);
    expect(answers[0]?.error?.message).toContain(
      'not moved because resilience.network.portConflictStrategy is fail, argus.config.yaml:3',
    );
  });

  it('has a command follow a port that it spells out', async () => {
    const port = await freePort();
    await take(port);
    const asks = (at: string) => ['node', '-e', `fetch('http://127.0.0.1:${at}/health')`];
    const once = { command: asks(String(port)), dependsOn: ['web'], oneShot: true };
    const { client } = await projectWith(`${web(port)}  ask: ${JSON.stringify(once)}\n`);
    const { answers } = await journey(client, ({ key }) =>
      key === 'services.ask.command' ? asks('{{ports.web}}') : nobody,
    );
    expect(answers.at(-1)?.data).toMatchObject({ portMappings: [{ originalPort: port, reassigned: true }] });
  });

  it('has the path corrected that a health check asks in vain, and reads five equal answers once', async () => {
    const { client } = await projectWith(web(await freePort(), { health: '/nope' }));
    const { answers } = await journey(client, (where) =>
      where.value === '/nope' ? '/health' : nobody(where),
    );
    expect(answers[0]?.error?.details.outputs).toEqual([expect.stringMatching(/answered 404 \(5 times\)$/)]);
    expect(answers[0]?.next?.person?.what).toMatch(/^Correct the path/);
  });

  it('has a threshold lowered that is larger than the disk', async () => {
    const threshold = 'resilience:\n  preflight:\n    diskSpaceThreshold: 900TB\n';
    const { client } = await projectWith(`${threshold}${web(await freePort())}`);
    const { answers } = await journey(client, () => '1MB');
    expect(answers[0]?.error?.message).toMatch(
      /900 TB wanted, and it has only .* in all; asked for because resilience/,
    );
  });

  it('has the variable set that a service misses by its last words', async () => {
    const command = [process.execPath, service, 'needs=DATABASE_URL'];
    const { client } = await projectWith(web(await freePort(), { command }));
    const { answers } = await journey(client, () => 'postgres://127.0.0.1/shop');
    expect(answers[0]?.error?.message).toContain('services.web.environment.DATABASE_URL is not set');
  });

  it('has a wrong key renamed', async () => {
    const { client } = await projectWith(web(await freePort()).replace('healthcheck', 'helthcheck'));
    await journey(client);
  });

  it('has a command corrected that is not there', async () => {
    const { client } = await projectWith(web(await freePort(), { command: ['nodee', service] }));
    await journey(client, () => [process.execPath, service]);
  });

  it('has what a dead run left removed by the setup', async () => {
    const port = await freePort();
    const { project, client } = await projectWith(web(port));
    const dead = await processProject(
      `project: { name: demo }\n${web(port, { health: '/nope' }).replace('retries: 5', 'retries: 1000')}`,
      { state: project.state },
    );
    const setup = dead.start('setup');
    await setup.until(({ data }) => data?.service === 'web' && data.state === 'waiting');
    setup.child.kill('SIGKILL');
    await setup.ended;
    await rm(join(dead.dir, 'argus.config.yaml'));
    const { answers } = await journey(client);
    expect(answers[0]?.data).toMatchObject({ orphanCleanup: { removed: [{ name: 'web' }] } });
  });

  it('has a paused service go on by the setup, which says so', async () => {
    const port = await freePort();
    const { client } = await projectWith(web(port));
    await client.call('argus_setup');
    const pid = Number(await (await fetch(`http://127.0.0.1:${port}/health`)).text());
    process.kill(pid, 'SIGSTOP');
    const { answers } = await journey(client);
    expect(answers[0]).toMatchObject({
      text: expect.stringContaining('web was paused and goes on'),
      data: { resumed: ['web'] },
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe(String(pid));
  });

  it('has a crashed service started again, also where another program has its port by now', async () => {
    const port = await freePort();
    const { client } = await projectWith(web(port));
    await client.call('argus_setup');
    await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
    await take(port);
    const { answers } = await journey(client);
    expect(answers[0]?.data).toMatchObject({ portMappings: [{ originalPort: port, reassigned: true }] });
  });
});

describe('an answer', () => {
  it('of a plan with nothing in it leads a person to the place of what nobody can repair', async () => {
    const port = await freePort();
    await take(port);
    const strategy = 'resilience:\n  network: { portConflictStrategy: fail }\n';
    const { client } = await projectWith(`${strategy}${web(port)}`);
    for (const tool of ['argus_plan_recovery', 'argus_fix']) {
      const { next, text } = await client.call(tool, tool === 'argus_fix' ? { plan: true } : {});
      expect(next).toMatchObject({ person: { what: expect.stringContaining('auto') }, tool: 'argus_setup' });
      expect(text).toMatch(/portConflictStrategy is fail, .*argus\.config\.yaml:3; "auto" would help/);
    }
  });

  it('about what is up leads to a setup where something is not, or not well', async () => {
    const port = await freePort();
    const { client } = await projectWith(web(port));
    const setup = { tool: 'argus_setup', arguments: {} };
    expect(await client.call('argus_status')).toMatchObject({ next: setup });
    await client.call('argus_setup');
    expect(await client.call('argus_status')).not.toHaveProperty('next');
    await fetch(`http://127.0.0.1:${port}/crash`).catch(() => undefined);
    expect(await client.call('argus_status')).toMatchObject({ next: setup });
  });

  it('about an engine that is away leads to the engine, and then to the same call', async () => {
    const away = `unix://${join(await folderWith({}), 'engine.sock')}`;
    const { client, project } = await projectWith('services:\n  db: { image: db }\n', { DOCKER_HOST: away });
    const status = await client.call('argus_status');
    expect(status.text).toContain('(from DOCKER_HOST)');
    const { next, human } = await client.call('argus_clean', { dryRun: true });
    expect(next).toMatchObject({
      person: { where: { key: 'DOCKER_HOST', value: away } },
      tool: 'argus_clean',
      arguments: { dryRun: true },
    });
    expect(human).toBeUndefined();
    const env = { DOCKER_HOST: away };
    const { stdout, stderr } = await runArgus(['clean'], { cwd: project.dir, state: project.state, env });
    expect(stdout + stderr).toContain('try: Start Docker');
    expect(stdout + stderr).not.toContain('argus setup');
    // Nothing is held back yet, so nothing follows from letting it through.
    expect(await client.call('argus_reset_circuit')).not.toHaveProperty('next');
  });
});

describeWithEngine('a model whose engine is away', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('has it started where the answer says that it is looked for', async () => {
    const socket = join(await folderWith({}), 'engine.sock');
    const db = `services:\n  db: { image: ${JSON.stringify(image)}, command: [sleep, "600"] }\n`;
    const { client } = await projectWith(db, { DOCKER_HOST: `unix://${socket}` });
    onTestFinished(async () => {
      await client.call('argus_clean', { confirm: true });
    });
    const { answers } = await journey(client, async ({ key, value, from }) => {
      expect({ key, from }).toEqual({ key: 'DOCKER_HOST', from: 'environment' });
      const path = String(value).replace('unix://', '');
      const relay = createServer((to) => {
        const engine = connect(host.replace('unix://', ''));
        to.on('error', () => engine.destroy()).pipe(engine);
        engine.on('error', () => to.destroy()).pipe(to);
      });
      onTestFinished(() => void relay.close());
      await new Promise<void>((resolve) => relay.listen(path, resolve));
    });
    expect(answers[0]?.error?.message).toContain('(from DOCKER_HOST)');
  });
});

afterAll(() => {
  const calls = journeys.flatMap((one) => one.calls).length;
  const sizes = journeys.flatMap(({ answers }) => answers.map(bytesOf)).sort((one, other) => one - other);
  process.stderr.write(
    `${journeys.length} cases in ${calls} calls; answers of ${sizes[Math.floor(sizes.length / 2)]} bytes, at most ${sizes.at(-1)}\n`,
  );
  expect(calls).toBeLessThanOrEqual(2 * journeys.length);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(2_000);
  expect(sizes.at(-1)).toBeLessThanOrEqual(6_000);
});
