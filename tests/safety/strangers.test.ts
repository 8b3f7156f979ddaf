import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ask,
  freePorts,
  type ProcessProject,
  processProject,
  serverOn,
} from '../environment/process-project.js';
import { fixture, type Manner, neverPassesFor, strangerOn } from './stranger.js';

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

const often = { interval: '50ms', timeout: '1s', retries: 5, startPeriod: '3s' };
const connects = `require('net').connect(process.env.PORT, '127.0.0.1').once('connect', () => process.exit(0)).once('error', () => process.exit(1))`;
const checks = {
  http: { healthcheck: { http: '/', ...often } },
  tcp: { healthcheck: { tcp: 0, ...often } },
  'a command': {
    healthcheck: { command: [process.execPath, '-e', connects], ...often },
  },
  none: {},
};

interface Wish {
  /** How long the service sleeps before it listens; -1 for ever. */
  readonly delayMs: number;
  readonly strategy?: 'auto' | 'fail';
  readonly check?: keyof typeof checks;
  /** Instead of the suite that notes who answers. */
  readonly suite?: readonly string[];
}

/** A project with one service, and a suite that passes whoever answers. */
async function projectOn(port: number, { delayMs, strategy = 'auto', check = 'http', suite }: Wish) {
  const { healthcheck }: { healthcheck?: object } = checks[check];
  const project = await processProject({
    resilience: { network: { portConflictStrategy: strategy }, preflight: { enabled: false } },
    services: {
      web: {
        command: [process.execPath, fixture('late-server.mjs'), String(delayMs)],
        ports: [`${port}:${port}`],
        ...(healthcheck && { healthcheck: check === 'tcp' ? { ...healthcheck, tcp: port } : healthcheck }),
      },
    },
    tests: { suites: [{ id: 'smoke', command: suite ?? [process.execPath, fixture('suite.mjs'), 'who'] }] },
  });
  return { project, who: () => whoAnswered(project) };
}

/** Who answered the suite, if it ran. */
function whoAnswered({ dir }: ProcessProject): string | undefined {
  const file = join(dir, 'who');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

describe('a stranger on the port of a process', () => {
  describe.each(['http', 'mute'] as Manner[])('who is %s', (manner) => {
    it.each(Object.keys(checks) as (keyof typeof checks)[])(
      'never makes a service ready that sleeps, whatever its health check is (%s)',
      { timeout },
      async (check) => {
        const port = await freePorts(2);
        const { project, who } = await projectOn(port, { delayMs: -1, strategy: 'fail', check });
        const setup = project.start('run');
        await setup.until(({ type, data }) => type === 'service_state' && data?.state === 'waiting');
        const { took, pid } = await strangerOn(port, manner);
        expect(took).toBe(true);
        const { result } = await setup.ended;
        expect(result?.error).toMatchObject({
          code: 'PORT_CONFLICT',
          details: {
            ...{ service: 'web', port, pid },
            where: { key: 'resilience.network.portConflictStrategy', effect: 'not moved', value: 'fail' },
          },
        });
        expect(who()).toBeUndefined();
      },
    );
  });

  it('never makes a service ready whose health check alone names the port', { timeout }, async () => {
    const port = await freePorts(1);
    const { pid } = await strangerOn(port);
    const asked = [{ tcp: port }, { http: '/', port }, { http: `http://localhost:${port}/` }];
    for (const check of asked) {
      const web = { command: 'sleep 1000', healthcheck: { ...check, ...often } };
      const project = await processProject({ services: { web } });
      expect((await project.argus('setup')).error).toMatchObject({
        code: 'PORT_CONFLICT',
        details: {
          ...{ service: 'web', port, pid },
          where: { key: expect.stringMatching(/^services\.web\.healthcheck\.(tcp|port|http)$/) },
        },
      });
    }
  });

  it('is told wherever a service is described that has let go of its port', { timeout }, async () => {
    const port = await freePorts(1);
    const { project, who } = await projectOn(port, { delayMs: 0, check: 'none' });
    expect((await project.argus('setup')).error).toBeUndefined();
    expect((await project.argus('status')).code).toBe(0);
    await fetch(`http://127.0.0.1:${port}/let-go`);
    const { pid } = await strangerOn(port);
    const told = `process ${pid} «`;
    const status = await project.argus('status');
    expect({ code: status.code, services: status.data.services }).toMatchObject({
      code: 1,
      services: [{ health: 'unhealthy', message: expect.stringContaining(told) }],
    });
    const { stdout } = await project.argus('check', '--only', 'process.services');
    expect(JSON.parse(stdout).data.checks).toMatchObject([
      {
        status: 'fail',
        message: expect.stringContaining(told),
        error: { code: 'PORT_CONFLICT', details: { service: 'web', port, pid } },
      },
    ]);
    // Another port is what helps.
    const run = await project.argus('run');
    expect({ code: run.code, who: who() }).toEqual({ code: 0, who: 'own' });
    await project.argus('clean');
  });

  it('who comes while a suite runs makes it fail, with and without somebody who guards', {
    timeout,
  }, async () => {
    for (const guard of [[], ['--no-guard']]) {
      const port = await freePorts(1);
      const script = `(async () => {
        await fetch(process.env.ARGUS_URL_WEB + '/let-go');
        const stranger = require('node:child_process').spawn(process.execPath, [
          ${JSON.stringify(fixture('stranger.mjs'))}, '${port}', 'http', '127.0.0.1', '10000',
        ], { detached: true, env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
        await require('node:events').once(stranger.stdout, 'data');
        require('node:fs').writeFileSync('who', String(stranger.pid));
        process.exit(0);
      })()`;
      const suite = [process.execPath, '-e', script];
      const { project, who } = await projectOn(port, { delayMs: 0, strategy: 'fail', suite });
      const run = await project.argus('run', ...guard);
      expect(run).toMatchObject({
        code: 1,
        data: {
          outcome: 'failed',
          suites: [{ outcome: 'failed', problem: expect.stringContaining(`process ${who()} `) }],
          notices: [{ code: 'PORT_CONFLICT', details: { service: 'web', port, pid: Number(who()) } }],
        },
      });
    }
  });

  it('is no name for what a service itself has started, wherever it went', { timeout }, async () => {
    const port = await freePorts(1);
    const server = `require('node:http').createServer((_, response) => response.end('own')).listen(${port}, '127.0.0.1')`;
    const leave = `const { spawn } = require('node:child_process'); spawn('setsid', [process.execPath, '-e', process.env.SERVER], { detached: true, stdio: 'ignore' }).unref(); setInterval(() => {}, 1000)`;
    const project = await processProject({
      services: {
        // One that has left the tree, and one below a shell that has forgotten its variables.
        away: {
          command: [process.execPath, '-e', leave],
          environment: { SERVER: server },
          ports: [`${port}:${port}`],
        },
      },
    });
    expect((await project.argus('setup')).error).toBeUndefined();
    await project.argus('clean');
    await project.configure({
      services: {
        below: {
          command: ['/bin/sh', '-c', `env -i ${process.execPath} -e "${server}"; true`],
          ports: [`${port}:${port}`],
        },
      },
    });
    expect((await project.argus('setup')).error).toBeUndefined();
    await project.argus('clean');
  });

  neverPassesFor('processes', { usual: 6, withinMs: 1_500 }, async (port, { delayMs, strategy, chance }) => {
    const { project, who } = await projectOn(port, { delayMs, strategy, check: 'none' });
    const leave = async () =>
      chance() < 0.5 ? void (await fetch(`http://127.0.0.1:${port}/let-go`)) : end(project);
    return { project, who, leave };
  });
});

describe('a port that was moved', () => {
  const moving = { network: { portConflictStrategy: 'auto' }, preflight: { enabled: false } };

  it('is followed by the variables of services and suites that spell out the old one', {
    timeout,
  }, async () => {
    const port = await freePorts(4);
    await strangerOn(port);
    const project = await processProject({
      resilience: moving,
      services: {
        web: serverOn(port, { environment: { PORT: String(port) } }),
        worker: serverOn(port + 1, {
          environment: {
            WEB: `http://localhost:${port}/x`,
            UPSTREAM_PORT: String(port),
            LIMIT: String(port),
          },
        }),
      },
      mocks: {
        pay: {
          port: port + 2,
          routes: [{ path: '/', response: { headers: { location: `http://localhost:${port}/paid` } } }],
        },
      },
      tests: {
        suites: [
          {
            id: 'smoke',
            environment: { WEB: `127.0.0.1:${port}` },
            command: [process.execPath, '-e', "require('node:fs').writeFileSync('told', process.env.WEB)"],
          },
        ],
      },
    });
    const { data } = await project.argus('setup');
    const actual = data.portMappings[0]?.actualPort ?? 0;
    expect(actual).not.toBe(port);
    expect((await ask(actual)).env).toMatchObject({ PORT: String(actual) });
    expect((await ask(port + 1)).env).toMatchObject({
      WEB: `http://localhost:${actual}/x`,
      UPSTREAM_PORT: String(actual),
      LIMIT: String(port),
    });
    const { headers } = await fetch(`http://localhost:${port + 2}/`);
    expect(headers.get('location')).toBe(`http://localhost:${actual}/paid`);
    expect((await project.argus('run')).code).toBe(0);
    expect(readFileSync(join(project.dir, 'told'), 'utf8')).toBe(`127.0.0.1:${actual}`);
    expect((await project.argus('setup')).data.unchanged).toBe(true);
    await project.argus('clean');
  });

  it('is refused where a command spells out the old one, with the place', { timeout }, async () => {
    const port = await freePorts(3);
    await strangerOn(port);
    const web = serverOn(port);
    const asks = `curl -sf http://localhost:${port}/`;
    const healthcheck = { ...web.healthcheck, http: undefined, command: asks };
    const spelt = (place: string) => ({
      error: {
        code: 'PORT_CONFLICT',
        details: {
          service: 'web',
          port,
          reason: 'spelt-out',
          where: { key: place, line: expect.any(Number) },
        },
      },
    });
    const project = await processProject({ resilience: moving, services: { web: { ...web, healthcheck } } });
    expect(await project.argus('setup')).toMatchObject(spelt('services.web.healthcheck.command'));
    await project.configure({
      resilience: moving,
      services: { web },
      tests: { suites: [{ id: 'smoke', command: asks }] },
    });
    expect(await project.argus('run')).toMatchObject(spelt('tests.suites[0].command'));
    await project.configure({
      resilience: moving,
      services: { web },
      tests: { suites: [{ id: 'smoke', command: 'curl -sf http://localhost:{{ports.web}}/' }] },
    });
    expect((await project.argus('run')).code).toBe(0);
  });
});

describe('an address', () => {
  it('is asked and told as it is bound', { timeout }, async () => {
    const port = await freePorts(3);
    const [low, six, two] = ['127.0.0.1', '::1', '127.0.0.2'];
    await strangerOn(port + 1, 'http', two);
    const on = (address: string, mapping: string) => ({
      command: [process.execPath, fixture('late-server.mjs'), '0', address],
      ports: [mapping],
      healthcheck: { http: '/', ...often },
    });
    const project = await processProject({
      resilience: { network: { portConflictStrategy: 'fail' } },
      services: {
        six: on(six, `[::]:${port}:${port}`),
        low: on(low, `${low}:${port + 1}:${port + 1}`),
        two: on(two, `${two}:${port + 2}:${port + 2}`),
      },
    });
    const { data, error } = await project.argus('setup');
    expect(error).toBeUndefined();
    expect(data.env).toMatchObject({
      ARGUS_URL_SIX: `http://[::1]:${port}`,
      ARGUS_URL_LOW: `http://127.0.0.1:${port + 1}`,
      ARGUS_URL_TWO: `http://127.0.0.2:${port + 2}`,
    });
    expect((await project.argus('status')).data.services.map(({ health }) => health)).toEqual(
      Array(3).fill('healthy'),
    );
    await project.argus('clean');
  });
});

/** Ends the service of a project as a crash would. */
async function end(project: ProcessProject): Promise<void> {
  const { stdout } = await project.argus('check', '--only', 'process.services');
  const { pid } = JSON.parse(stdout).data.checks[0].details;
  process.kill(pid, 'SIGKILL');
}
