import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { ask, freePorts, processProject, serverOn, takePort } from './process-project.js';

const statuses = (services: readonly { name: string; status: string }[]) =>
  Object.fromEntries(services.map(({ name, status }) => [name, status]));

describe('an environment of processes', () => {
  it('comes up, tells how it is, shows what it prints, and goes without a trace', async () => {
    const port = await freePorts(2);
    const services = {
      web: serverOn(port + 1, {
        environment: { API: '{{vars.api_url}}', API_PORT: '{{ports.api}}' },
        dependsOn: ['api'],
      }),
      api: serverOn(port, { vars: { api_url: `http://localhost:${port}/v1` } }),
    };
    const project = await processProject({ services });

    const setup = await project.argus('setup');
    expect(setup).toMatchObject({ code: 0, ok: true, stderr: '' });
    expect(setup.data).toMatchObject({
      unchanged: false,
      services: [
        { name: 'web', kind: 'service', runtime: 'process', status: 'ready' },
        { name: 'api', endpoints: [`http://localhost:${port}`] },
      ],
      portMappings: [
        { service: 'web', originalPort: port + 1, actualPort: port + 1, reassigned: false },
        { service: 'api', originalPort: port, actualPort: port, reassigned: false },
      ],
      vars: { api_url: `http://localhost:${port}/v1` },
      env: { ARGUS_PORT_API: String(port), ARGUS_URL_WEB: `http://localhost:${port + 1}` },
      preflight: { overall: expect.stringMatching(/healthy|degraded/) },
      stages: { gate: expect.any(Number), start: expect.any(Number) },
      leaseUntil: expect.any(Number),
    });
    const web = await ask(port + 1);
    expect(web.env).toMatchObject({
      API: `http://localhost:${port}/v1`,
      API_PORT: String(port),
      PORT: String(port + 1),
      ARGUS_PORT_API: String(port),
      ARGUS_URL_API: `http://localhost:${port}`,
    });

    const status = await project.argus('status');
    expect(status).toMatchObject({ code: 0, ok: true });
    expect(status.data).toMatchObject({
      run: { id: setup.data.runId, state: 'up', alive: true },
      services: [
        { name: 'web', status: 'running', health: 'healthy', restarts: 0 },
        { name: 'api', status: 'running', health: 'healthy' },
      ],
      otherRuns: [],
    });

    const logs = await project.argus('logs', '--service', 'web', '--tail', '10');
    expect(logs.data.lines.map(({ service, stream, text }) => `${service} ${stream} ${text}`)).toEqual(
      expect.arrayContaining([
        `web stdout begins with process ${web.pid}`,
        'web stderr complains a little',
        `web stdout listens on ${port + 1}`,
      ]),
    );
    expect(await project.argus('logs', '--service', 'wep')).toMatchObject({
      code: 2,
      error: { code: 'USAGE_INVALID', message: expect.stringContaining('did you mean web?') },
    });

    const dry = await project.argus('clean', '--dry-run');
    expect(dry.data.removed.map(({ name }) => name)).toEqual(['web', 'api']);
    expect((await ask(port + 1)).pid).toBe(web.pid);

    const clean = await project.argus('clean');
    expect(clean).toMatchObject({ code: 0, data: { dryRun: false, failed: [] } });
    expect(clean.data.removed.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'process web',
      'process api',
    ]);
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
    expect(await project.argus('clean')).toMatchObject({ code: 0, data: { removed: [], failed: [] } });
    expect(await project.argus('status')).toMatchObject({ code: 0, data: { run: null } });
    expect(await project.argus('logs')).toMatchObject({ code: 2, error: { code: 'USAGE_INVALID' } });
  });

  it('is followed by whoever reads its logs until it is taken down', async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { web: serverOn(port) } });
    const { runId } = (await project.argus('setup')).data;
    const following = project.start('logs', '--follow');
    await following.until(({ type, data }) => type === 'log_line' && data?.service === 'web');
    await project.configure({ services: { web: serverOn(port, { args: ['again'] }) } });
    await project.argus('setup');
    const { pid } = await ask(port);
    await following.until((event) => JSON.stringify(event).includes(`begins with process ${pid}`));
    await project.argus('clean');
    const { code, result } = await following.ended;
    expect({ code, result }).toMatchObject({ code: 0, result: { ok: true, data: { runId, over: true } } });
  });

  it('stays as it is when nothing has changed, and changes only where the configuration does', async () => {
    const port = await freePorts(3);
    const services = {
      a: serverOn(port),
      b: serverOn(port + 1, { dependsOn: ['a'] }),
      c: serverOn(port + 2),
    };
    const project = await processProject({ services });
    const pids = () => Promise.all([0, 1, 2].map(async (index) => (await ask(port + index)).pid));
    const first = await project.argus('setup');
    const [a, b, c] = await pids();

    const second = await project.argus('setup');
    expect(second).toMatchObject({ code: 0, data: { runId: first.data.runId, unchanged: true } });
    expect(second.data.portMappings).toEqual(first.data.portMappings);
    expect(await pids()).toEqual([a, b, c]);

    await project.configure({ services: { ...services, a: serverOn(port, { args: ['changed'] }) } });
    const third = await project.argus('setup');
    expect(third).toMatchObject({ code: 0, data: { runId: first.data.runId, unchanged: false } });
    expect(statuses(third.data.services)).toEqual({ a: 'ready', b: 'kept', c: 'kept' });
    expect((await ask(port)).argv).toEqual(['changed']);
    expect((await pids()).slice(1)).toEqual([b, c]);

    const { c: _, ...rest } = services;
    await project.configure({ services: { ...rest, a: serverOn(port, { args: ['changed'] }) } });
    const fourth = await project.argus('setup');
    expect(fourth.data.unchanged).toBe(false);
    expect(statuses(fourth.data.services)).toEqual({ a: 'kept', b: 'kept' });
    expect((await ask(port + 1)).pid).toBe(b);
    await expect(ask(port + 2)).rejects.toThrow();

    await project.argus('clean');
    expect(await project.leftovers()).toEqual({ processes: [], records: [] });
  });

  it('gives a renamed service the port of the one it replaces', async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { old: serverOn(port) } });
    await project.argus('setup');
    await project.configure({ services: { renamed: serverOn(port) } });
    const { data } = await project.argus('setup');
    expect(data.portMappings).toMatchObject([{ service: 'renamed', actualPort: port, reassigned: false }]);
  });

  it('starts a service again that has ended since', async () => {
    const port = await freePorts(2);
    const project = await processProject({ services: { a: serverOn(port), b: serverOn(port + 1) } });
    const { data } = await project.argus('setup');
    const [a, b] = [(await ask(port)).pid, (await ask(port + 1)).pid];
    process.kill(a, 'SIGKILL');
    expect(await project.argus('status')).toMatchObject({
      code: 1,
      data: { services: [{ name: 'a', status: 'exited', health: 'unhealthy' }, { health: 'healthy' }] },
    });
    const again = await project.argus('setup');
    expect(again).toMatchObject({ code: 0, data: { runId: data.runId, unchanged: false } });
    expect(statuses(again.data.services)).toEqual({ a: 'ready', b: 'kept' });
    expect((await ask(port)).pid).not.toBe(a);
    expect((await ask(port + 1)).pid).toBe(b);
  });

  it('replaces a service whose keeper is gone', async () => {
    const port = await freePorts(1);
    const project = await processProject({ services: { a: serverOn(port) } });
    const { data } = await project.argus('setup');
    const { pid } = await ask(port);
    const state = join(project.state, 'processes', data.runId, 'a', 'state.json');
    process.kill(JSON.parse(await readFile(state, 'utf8')).keeper.pid, 'SIGKILL');
    const check = async () => (await project.argus('check', '--only', 'process.services')).stdout;
    await expect.poll(check, { timeout: 30_000 }).toContain('PROCESS_UNKEPT');
    expect((await ask(port)).pid).toBe(pid);
    const again = await project.argus('setup');
    expect(again).toMatchObject({ code: 0, data: { runId: data.runId, services: [{ status: 'ready' }] } });
    expect((await ask(port)).pid).not.toBe(pid);
    expect(await check()).not.toContain('PROCESS_UNKEPT');
  });

  it('waits for health in the order of dependencies, and for one-shots to be done', async () => {
    const port = await freePorts(2);
    const node = (script: string) => [process.execPath, '-e', script];
    const services = {
      web: serverOn(port + 1, { dependsOn: ['migrate'] }),
      migrate: {
        command: node(`fetch(process.env.ARGUS_URL_DB).then(() => console.log('migrated'))`),
        oneShot: true,
        dependsOn: ['db'],
      },
      db: serverOn(port, { args: ['delay=300'] }),
    };
    const project = await processProject({ services });
    const told: string[] = [];
    const setup = project.start('setup');
    await setup.until(({ type, data }) => {
      if (type === 'service_state' && !told.includes(`${data?.service} ${data?.state}`))
        told.push(`${data?.service} ${data?.state}`);
      return type === 'result';
    });
    expect(await setup.ended).toMatchObject({ code: 0 });
    expect(told).toEqual([
      ...['db starting', 'db waiting', 'db ready', 'migrate starting', 'migrate waiting'],
      'migrate ready',
      ...['web starting', 'web waiting', 'web ready'],
    ]);
    const again = await project.argus('setup');
    expect(again.data.unchanged).toBe(true);
    expect(statuses(again.data.services)).toEqual({ web: 'kept', migrate: 'done', db: 'kept' });
    expect((await project.argus('logs', '--service', 'migrate')).data.lines).toMatchObject([
      { text: 'migrated' },
    ]);
    expect(await project.argus('status')).toMatchObject({ code: 0 });
  });

  it('serves the routes of mocks', async () => {
    const port = await freePorts(2);
    const mocks = {
      bank: {
        port,
        routes: [{ method: 'POST', path: '/pay', response: { status: 201, body: { paid: true } } }],
        vars: { bank_url: `http://localhost:${port}` },
      },
    };
    const services = {
      shop: serverOn(port + 1, { environment: { BANK: '{{vars.bank_url}}' }, dependsOn: ['bank'] }),
    };
    const project = await processProject({ mocks, services });
    const { data } = await project.argus('setup');
    expect(data.services[1]).toMatchObject({
      name: 'bank',
      kind: 'mock',
      endpoints: [`http://localhost:${port}`],
    });
    const { env } = await ask(port + 1);
    const response = await fetch(`${env.BANK}/pay`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([201, { paid: true }]);
    const status = await project.argus('status');
    expect(status.data.services).toMatchObject([{ name: 'shop' }, { name: 'bank', health: 'healthy' }]);
  });

  it('says nothing that it should not, also with many services', async () => {
    const port = await freePorts(24);
    const many = Array.from({ length: 12 }, (_, index) => [`s${index}`, serverOn(port + index)] as const);
    const project = await processProject({ services: Object.fromEntries(many) });
    const where = { cwd: project.dir, state: project.state };
    const setup = await runArgus(['setup'], where);
    expect(setup.stderr).not.toMatch(/warning/i);
    expect(setup.stdout).toMatch(
      /^s0 +ready +process +http:\/\/localhost:\d+\n[\s\S]*\nup: 12 services, run /,
    );
    const clean = await runArgus(['clean'], where);
    expect(clean).toMatchObject({ code: 0, stdout: 'down: 12 processes removed\n' });
    expect(clean.stderr.split('\n').filter((line) => line.includes('s11'))).toEqual([
      's11 stopping',
      'removed process s11',
    ]);
  });
});

describe('ports that are taken', () => {
  it('are replaced, used and reported', async () => {
    const port = await freePorts(4);
    await takePort(port);
    const services = {
      api: serverOn(port, { vars: { api_url: `http://127.0.0.1:${port}/v1` } }),
      web: serverOn(port + 2, { environment: { API: '{{vars.api_url}}' }, dependsOn: ['api'] }),
    };
    const project = await processProject({ services });
    const { data } = await project.argus('setup');
    const actual = data.portMappings[0]?.actualPort ?? 0;
    expect(data.portMappings).toMatchObject([
      { service: 'api', originalPort: port, actualPort: actual, reassigned: true },
      { service: 'web', originalPort: port + 2, actualPort: port + 2, reassigned: false },
    ]);
    expect(actual).not.toBe(port);
    expect(data.services[0]?.endpoints).toEqual([`http://localhost:${actual}`]);
    expect(data.vars.api_url).toBe(`http://127.0.0.1:${actual}/v1`);
    expect(data.env.ARGUS_PORT_API).toBe(String(actual));
    expect((await ask(actual)).env.PORT).toBe(String(actual));
    expect((await ask(port + 2)).env).toMatchObject({
      API: `http://127.0.0.1:${actual}/v1`,
      ARGUS_URL_API: `http://localhost:${actual}`,
    });
    const again = await project.argus('setup');
    expect(again.data).toMatchObject({ unchanged: true, portMappings: data.portMappings });
  });

  it('are an error when the configuration says so, and nothing is left', async () => {
    const port = await freePorts(2);
    await takePort(port + 1);
    const resilience = { network: { portConflictStrategy: 'fail' } };
    for (const preflight of [true, false]) {
      const project = await processProject({
        services: { a: serverOn(port), b: serverOn(port + 1) },
        resilience: { ...resilience, preflight: { enabled: preflight } },
      });
      const { code, error } = await project.argus('setup');
      expect([code, error.code]).toEqual([1, 'PORT_CONFLICT']);
      expect(error.details).toMatchObject({ service: 'b', port: port + 1, pid: process.pid });
      expect(await project.leftovers()).toEqual({ processes: [], records: [] });
    }
  });

  it('are given out once each when ten services ask for the same', async () => {
    const port = await freePorts(20);
    const ten = Array.from({ length: 10 }, (_, index) => [`s${index}`, serverOn(port)] as const);
    const project = await processProject({ services: Object.fromEntries(ten) });
    const { data } = await project.argus('setup');
    const actual = data.portMappings.map(({ actualPort }) => actualPort);
    expect(new Set(actual).size).toBe(10);
    expect(actual).toContain(port);
    const pids = await Promise.all(actual.map(async (one) => (await ask(one)).pid));
    expect(new Set(pids).size).toBe(10);
  });
});
