import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runArgus } from '../support/run-command.js';
import { ask, freePorts, processProject, serverOn, takePort } from './process-project.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

describe('the ports of processes', () => {
  it('are followed by the variables of every service', { timeout }, async () => {
    const port = await freePorts(4);
    await takePort(port + 1);
    const project = await processProject({
      services: {
        api: serverOn(port, {
          vars: {
            db_url: `http://localhost:${port + 1}/x`,
            other: `http://example.org:${port + 1}/`,
            path: `http://localhost:${port}/localhost:${port + 1}`,
          },
        }),
        db: serverOn(port + 1),
      },
    });
    const { data } = await project.argus('setup');
    const moved = data.portMappings[1]?.actualPort;
    expect(moved).not.toBe(port + 1);
    expect(data.vars).toEqual({
      db_url: `http://localhost:${moved}/x`,
      other: `http://example.org:${port + 1}/`,
      path: `http://localhost:${port}/localhost:${port + 1}`,
    });
    await project.argus('clean');
  });

  it.each(['auto', 'fail'])(
    'go from one service to another where the configuration says so (%s)',
    {
      timeout,
    },
    async (portConflictStrategy) => {
      const port = await freePorts(3);
      const resilience = { network: { portConflictStrategy } };
      const project = await processProject({
        resilience,
        services: { a: serverOn(port), b: serverOn(port + 1) },
      });
      const { data: before } = await project.argus('setup');

      const swapped = { a: serverOn(port + 1), b: serverOn(port), renamed: serverOn(port + 2) };
      await project.configure({ resilience, services: swapped });
      const { data: after, error } = await project.argus('setup');
      expect(error).toBeUndefined();
      expect(after.runId).toBe(before.runId);
      expect(after.portMappings.map(({ service, actualPort }) => [service, actualPort])).toEqual([
        ['a', port + 1],
        ['b', port],
        ['renamed', port + 2],
      ]);
      expect((await project.argus('setup')).data.unchanged).toBe(true);

      const { renamed: _, ...rest } = swapped;
      await project.configure({ resilience, services: { ...rest, again: serverOn(port + 2) } });
      const { data: last } = await project.argus('setup');
      expect(last.services.map(({ name, status }) => [name, status])).toEqual([
        ['a', 'kept'],
        ['b', 'kept'],
        ['again', 'ready'],
      ]);
      expect(last.portMappings[2]?.actualPort).toBe(port + 2);
      await project.argus('clean');
    },
  );

  it('are given back by services that may not be moved any more', { timeout }, async () => {
    const port = await freePorts(3);
    const other = await takePort(port);
    const project = await processProject({ services: { a: serverOn(port) } });
    const { data: before } = await project.argus('setup');
    const moved = before.portMappings[0]?.actualPort ?? 0;
    expect(moved).not.toBe(port);
    const resilience = { network: { portConflictStrategy: 'fail' } };
    await project.configure({ resilience, services: { a: serverOn(port) } });
    // Check and setup agree, and what was up before stays up.
    for (const command of ['check', 'setup']) expect((await project.argus(command)).code).toBe(1);
    expect((await project.argus('status')).code).toBe(0);

    await other.letGo();
    await project.configure({ resilience, services: { a: serverOn(port), b: serverOn(moved) } });
    const { data, error } = await project.argus('setup');
    expect(error).toBeUndefined();
    expect(data.portMappings.map(({ service, actualPort }) => [service, actualPort])).toEqual([
      ['a', port],
      ['b', moved],
    ]);
    await project.argus('clean');
  });

  it('are blamed when a service that was given another one ends or stays silent', { timeout }, async () => {
    const port = await freePorts(1);
    await takePort(port);
    const stubborn = (number: number, startPeriod: string, rest = '') => ({
      command: [
        process.execPath,
        '-e',
        `require('node:net').createServer().listen(${number}, '127.0.0.1')${rest}`,
      ],
      ports: [`${number}:${number}`],
      healthcheck: { tcp: number, interval: '50ms', timeout: '1s', retries: 2, startPeriod },
    });
    const ends = await processProject({ services: { api: stubborn(port, '60s') } });
    const { error } = await ends.argus('setup');
    expect(error).toMatchObject({ code: 'SERVICE_START_FAILED' });
    const given = `it was given the port \\d+ instead of ${port}, because that was taken, and has to listen there`;
    expect(error.message).toMatch(
      new RegExp(`ended with exit code 1 before it was ready; ${given} \\(PORT says so\\)$`),
    );
    const silent = await processProject({
      services: { api: stubborn(port, '0s', ".on('error', () => setInterval(() => {}, 1000))") },
    });
    const { error: timedOut } = await silent.argus('setup');
    expect(timedOut).toMatchObject({ code: 'HEALTH_CHECK_TIMEOUT' });
    expect(timedOut.message).toMatch(new RegExp(given));
  });

  it('are filled in wherever a service is described', { timeout }, async () => {
    const port = await freePorts(2);
    const api = serverOn(port, {
      vars: { base_url: 'http://localhost:{{ports.api}}', deep: '{{vars.base_url}}/x' },
    });
    const project = await processProject({
      services: {
        api: { ...api, healthcheck: { ...api.healthcheck, http: '{{vars.base_url}}/health' } },
        web: serverOn(port + 1, {
          dependsOn: ['api'],
          vars: { base_url: 'http://localhost:{{ports.web}}' },
          environment: { OWN: '{{vars.base_url}}', API: '{{vars.api.base_url}}', DEEP: '{{vars.deep}}' },
          healthcheck: {
            command: `${process.execPath} -e "fetch(process.argv[1]).then(() => process.exit(0))" {{vars.api.deep}}`,
            interval: '50ms',
            timeout: '30s',
            retries: 3,
            startPeriod: '60s',
          },
        }),
      },
    });
    const { data } = await project.argus('setup');
    const [a, w] = [`http://localhost:${port}`, `http://localhost:${port + 1}`];
    expect(data.vars).toEqual({ 'api.base_url': a, 'web.base_url': w, deep: `${a}/x` });
    expect((await ask(port + 1)).env).toMatchObject({ OWN: w, API: a, DEEP: `${a}/x` });
    const { data: status } = await project.argus('status');
    expect(status.services.map(({ health }) => health)).toEqual(['healthy', 'healthy']);
    expect((await project.argus('setup')).data.unchanged).toBe(true);
    await project.argus('clean');
  });

  it('that nobody can know are told with their lines, all at once, and nothing is started', {
    timeout,
  }, async () => {
    const port = await freePorts(1);
    const project = await processProject(
      [
        'services:',
        '  api:',
        '    command: node api.mjs',
        `    ports: ["${port}:${port}"]`,
        '    environment:',
        '      A: "{{ports.nobody}}"',
        '      B: "{{vars.base_ur}}"',
        '    healthcheck:',
        '      command: check {{ports.api.1}}',
        '    vars:',
        '      base_url: http://localhost',
        '      one: "{{vars.two}}"',
        '      two: "{{vars.one}}"',
        '',
      ].join('\n'),
    );
    const { code, error } = await project.argus('setup');
    expect({ code, error: error.code }).toEqual({ code: 2, error: 'CONFIG_INVALID' });
    expect(error.details).toMatchObject({
      file: expect.stringContaining('argus.config.yaml'),
      problems: [
        { path: 'services.api.environment.A', line: 6 },
        { path: 'services.api.environment.B', line: 7, suggestion: '{{vars.base_url}}' },
        { path: 'services.api.healthcheck.command', line: 9 },
        {
          path: 'services.api.vars.one',
          line: 12,
          message: expect.stringContaining('api.one → api.two → api.one'),
        },
      ],
    });
  });

  it('that are moved are told, and nobody is said to have what has become free', { timeout }, async () => {
    const port = await freePorts(2);
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const project = await processProject({ services: { api: serverOn(port) } });
    const told = async () => {
      const { stdout, stderr } = await runArgus(['setup'], { cwd: project.dir, state: project.state });
      return `${stdout}${stderr}`;
    };
    expect(await told()).toContain(`api cannot have port ${port}: it is taken by process ${process.pid}`);
    holder.close();
    await once(holder, 'close');
    const again = await told();
    expect(again).toContain(`instead of ${port}`);
    expect(again).not.toContain('is taken');
    const { data } = await project.argus('setup');
    const containerPort = port;
    expect(data.portMappings).toMatchObject([
      { originalPort: port, reassigned: true, protocol: 'tcp', containerPort },
    ]);
    await project.argus('clean');
  });

  it('are in variables whose secrets are not shown, and which tests get as they are', {
    timeout,
  }, async () => {
    const port = await freePorts(1);
    const url = `postgres://me:hunter2-hunter2@localhost:${port}/shop`;
    const project = await processProject({
      services: { db: serverOn(port, { vars: { db_url: url } }) },
    });
    const { data } = await project.argus('setup');
    expect(data.vars.db_url).toMatch(new RegExp(`^postgres://.*@localhost:${port}/shop$`));
    expect(data.vars.db_url).not.toContain('hunter2');
    const script = 'process.exit(process.env.ARGUS_VAR_DB_URL === process.argv[1] ? 0 : 9)';
    const { code, stdout, stderr } = await runArgus(['run', '--', process.execPath, '-e', script, url], {
      cwd: project.dir,
      state: project.state,
    });
    expect({ code, shown: `${stdout}${stderr}`.includes('hunter2') }).toEqual({ code: 0, shown: false });
    await project.argus('clean');
  });

  it('over UDP have no URL', { timeout }, async () => {
    const port = await freePorts(1);
    const project = await processProject({
      services: {
        dns: {
          command: `${process.execPath} -e "setInterval(() => 0, 1000)"`,
          ports: [`${port}:${port}/udp`],
        },
      },
    });
    const { data } = await project.argus('setup');
    expect(data.env).toEqual({ ARGUS_PORT_DNS: `${port}` });
    expect(data.portMappings).toMatchObject([{ protocol: 'udp', containerPort: port }]);
    await project.argus('clean');
  });
});
