import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService, textFrom, webService } from './container-project.js';
import { freePorts } from './process-project.js';

/** For a health check: quick when all is well, and patient on a busy machine. */
const often = { interval: '100ms', startPeriod: '60s' };

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

describeWithEngine('an environment of containers', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('can be checked before there is any, where nothing was ever stored', async () => {
    const project = await containerProject(host, { config: {} });
    const { code, data } = await project.argus('check');
    expect(data.checks.filter(({ status }) => status === 'fail' || status === 'unknown')).toEqual([]);
    expect(code).toBe(0);
  });

  it('that has lost its network has one problem, and is well when that is mended', { timeout }, async () => {
    const port = await freePorts(1);
    const services = {
      db: webService(image, 'db', { ports: [`${port}:80`], healthcheck: { http: '/', ...often } }),
      api: idleService(image, { dependsOn: ['db'] }),
    };
    const project = await containerProject(host, { config: { services } });
    dataOf(await project.argus('setup'));
    const { db = '' } = await project.containers();
    const [network = ''] = (await project.docker('network', 'ls', '--format', '{{.Name}}'))
      .split('\n')
      .filter((name) => name.includes(project.name));
    await project.docker('network', 'disconnect', network, db);
    const { data } = await project.argus('check');
    const found = data.checks.filter(({ status }) => status === 'fail');
    expect(found).toMatchObject([{ name: 'network.topology', error: { code: 'NETWORK_UNREACHABLE' } }]);
    expect(data.checks).toContainEqual(
      expect.objectContaining({ name: 'docker.containers', status: 'skipped', causedBy: 'network.topology' }),
    );
    const fixed = await project.argus('fix', '--yes');
    expect(fixed).toMatchObject({ code: 0, data: { report: { after: { overall: 'healthy' } } } });
    await project.argus('clean');
  });

  it('comes up, stays as it is, changes where the configuration changes, and goes without a trace', {
    timeout,
  }, async () => {
    const page = await freePorts(3);
    const [api, local] = [page + 1, page + 2];
    const services = {
      page: { build: 'page', ports: [`${page}:80`], vars: { page_url: `http://localhost:${page}` } },
      api: webService(image, 'api', {
        ports: [`${api}:80`],
        volumes: ['data:/data'],
        dependsOn: ['page', 'queue'],
        environment: { PAGE: '{{vars.page_url}}' },
        healthcheck: { http: '/', ...often },
      }),
      queue: idleService(image, {
        command: ['sh', '-c', 'echo queue speaks; exec nc -ll -p 9000 -e cat'],
        ports: ['9000'],
        healthcheck: { tcp: 9000, ...often },
      }),
      worker: idleService(image, {
        healthcheck: { command: 'wget -q -O- http://api/', ...often },
        dependsOn: ['api'],
      }),
      local: { command: `node local.mjs`, ports: [`${local}:${local}`], dependsOn: ['api'] },
    };
    const project = await containerProject(host, {
      config: { services },
      files: {
        'page/Dockerfile': [
          `FROM ${image}`,
          'COPY index.html /www/index.html',
          'HEALTHCHECK --interval=200ms --start-period=60s CMD wget -q -O /dev/null http://127.0.0.1/',
          'CMD ["httpd", "-f", "-p", "80", "-h", "/www"]',
        ].join('\n'),
        'page/index.html': 'the page\n',
        'local.mjs': `import { createServer } from 'node:http';
          createServer((_, response) => response.end(\`\${process.pid} asks \${process.env.ARGUS_URL_API}\`)).listen(process.env.PORT, '127.0.0.1');`,
      },
    });
    const first = dataOf(await project.argus('setup'));
    const made = await project.containers();

    // It is what the configuration says, and can be reached from here and from inside.
    expect(first.unchanged).toBe(false);
    expect(first.services.map(({ name, runtime }) => `${name} on ${runtime}`)).toEqual([
      'page on docker',
      'api on docker',
      'queue on docker',
      'worker on docker',
      'local on process',
    ]);
    expect(await textFrom(`http://127.0.0.1:${page}/`)).toBe('the page');
    expect(await textFrom(first.env.ARGUS_URL_API)).toBe('api');
    const localSays = await textFrom(`http://127.0.0.1:${local}/`);
    expect(localSays).toMatch(new RegExp(`^\\d+ asks http://localhost:${api}$`));
    expect(await project.docker('exec', made.worker ?? '', 'wget', '-q', '-O-', 'http://page/')).toBe(
      'the page',
    );
    expect(await project.docker('exec', made.api ?? '', 'sh', '-c', 'echo $PAGE')).toBe(
      `http://localhost:${page}`,
    );
    // The engine chose this one by itself.
    expect(first.env.ARGUS_PORT_QUEUE).toMatch(/^\d+$/);

    // Everything says whose it is.
    const whose = {
      'argusai.managed': 'true',
      'argusai.project': project.name,
      'argusai.run-id': first.runId,
      'argusai.worktree': project.dir,
      'argusai.created-at': expect.stringMatching(/^\d{4}-.*Z$/),
      'argusai.store': expect.any(String),
      'argusai.owner': expect.stringContaining('/'),
    };
    const resources = await project.resources();
    expect(resources).toHaveLength(6);
    for (const resource of resources) {
      const [type = '', name = ''] = resource.split(' ');
      const [{ Labels, Config }] = JSON.parse(await project.docker(type, 'inspect', name));
      expect(Labels ?? Config.Labels).toMatchObject(whose);
    }

    const status = dataOf(await project.argus('status'));
    expect(status.run).toMatchObject({ id: first.runId, state: 'up', alive: true });
    expect(status.services.map(({ name, health }) => `${name} ${health}`)).toEqual([
      'page healthy',
      'api healthy',
      'queue healthy',
      'worker healthy',
      'local none',
    ]);
    expect(status.circuits).toMatchObject([{ name: 'docker', state: 'closed' }]);
    const { lines } = dataOf(await project.argus('logs', '--service', 'queue'));
    expect(lines).toMatchObject([{ service: 'queue', stream: 'stdout', text: 'queue speaks' }]);

    // Once more: nothing happens.
    const second = dataOf(await project.argus('setup'));
    expect(second).toMatchObject({ unchanged: true, runId: first.runId, portMappings: first.portMappings });
    expect(await project.containers()).toEqual(made);

    // What has changed is replaced, in its configuration or in what its image is made of; a removed one goes; the others stay.
    const { worker: _, ...fewer } = services;
    await project.configure({
      services: { ...fewer, api: { ...services.api, environment: { PAGE: 'new' } } },
    });
    await project.write('page/index.html', 'a new page\n');
    const third = dataOf(await project.argus('setup'));
    expect(third).toMatchObject({ unchanged: false, runId: first.runId, portMappings: first.portMappings });
    expect(third.services.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...['page ready', 'api ready', 'queue kept', 'local kept'],
    ]);
    const now = await project.containers();
    expect(now).toEqual({ page: expect.any(String), queue: made.queue, api: expect.any(String) });
    expect([now.page === made.page, now.api === made.api]).toEqual([false, false]);
    expect(await textFrom(`http://127.0.0.1:${page}/`)).toBe('a new page');
    expect(await textFrom(third.env.ARGUS_URL_API)).toBe('api');
    expect(await project.docker('exec', now.api ?? '', 'sh', '-c', 'echo $PAGE')).toBe('new');
    expect(await textFrom(`http://127.0.0.1:${local}/`)).toBe(localSays);

    const cleaned = dataOf(await project.argus('clean'));
    expect(cleaned.failed).toEqual([]);
    expect(cleaned.removed.map(({ type }) => type).sort()).toEqual([
      'container',
      'container',
      'container',
      'network',
      'process',
      'volume',
    ]);
    expect(await project.resources()).toEqual([]);
    expect(await project.processes()).toEqual([]);
  });

  it('has mocks that containers reach by their name, also beside another worktree with the same mocks', async () => {
    const port = await freePorts(1);
    const config = (answer: string) => ({
      services: {
        shop: idleService(image, {
          dependsOn: ['pay'],
          environment: { PAY_PORT: '{{ports.pay}}' },
          healthcheck: { command: `wget -q -O- http://pay:${port}/who`, ...often },
        }),
      },
      mocks: { pay: { port, routes: [{ path: '/who', response: { body: answer } }] } },
    });
    const one = await containerProject(host, { config: config('one') });
    const two = await containerProject(host, { config: config('two'), like: one });
    for (const [project, answer] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      const { runId, env } = dataOf(await project.argus('setup'));
      const container = await project.docker('ps', '--quiet', '--filter', `label=argusai.run-id=${runId}`);
      const ask = (url: string) => project.docker('exec', container, 'sh', '-c', `wget -q -O- "${url}"`);
      // By the port of the configuration, as one container asks another, and by the one that this machine gave.
      expect(await ask(`http://pay:${port}/who`)).toBe(answer);
      expect(await ask('http://pay:$PAY_PORT/who')).toBe(answer);
      expect(await textFrom(`${env.ARGUS_URL_PAY}/who`)).toBe(answer);
    }
  });

  it('moves to another port when somebody takes one between the look and the start, and stays there', async () => {
    const port = await freePorts(1);
    const plugin = `import { createServer } from 'node:net';
      export default {
        name: 'squatter',
        apply({ hooks }) {
          let squatter;
          // After the ports are resolved, every time: the port that was found free is taken at once.
          hooks.resolveEnvironment.tapPromise({ name: 'squatter', stage: 100 }, async (resolution) => {
            if (!squatter) {
              squatter = createServer().listen(${port}, '127.0.0.1');
              await new Promise((resolve) => squatter.once('listening', resolve));
            }
            return resolution;
          });
        },
      };`;
    const plugins = ['docker', 'process', 'ports', 'orphans'].map((name) => `@argusai/plugin-${name}`);
    const project = await containerProject(host, {
      config: {
        plugins: [...plugins, './squatter.mjs'],
        services: {
          api: webService(image, 'api', {
            ports: [`${port}:80`],
            healthcheck: { http: '/', ...often },
          }),
          client: idleService(image, { environment: { API: 'localhost:{{ports.api}}' }, dependsOn: ['api'] }),
        },
      },
      files: { 'squatter.mjs': plugin },
    });
    const { portMappings, env } = dataOf(await project.argus('setup'));
    const actualPort = portMappings[0]?.actualPort;
    expect(actualPort).not.toBe(port);
    expect(portMappings).toMatchObject([{ service: 'api', originalPort: port, reassigned: true }]);
    expect(env.ARGUS_URL_API).toBe(`http://localhost:${actualPort}`);
    expect(await textFrom(env.ARGUS_URL_API)).toBe('api');
    const made = await project.containers();
    expect(Object.keys(made).sort()).toEqual(['api', 'client']);
    expect(await project.docker('exec', made.client ?? '', 'sh', '-c', 'echo $API')).toBe(
      `localhost:${actualPort}`,
    );

    // The one it asked for has become free since; it stays where it is all the same.
    expect(dataOf(await project.argus('setup'))).toMatchObject({ unchanged: true, portMappings });
    expect(await project.containers()).toEqual(made);
  });

  it('touches nothing that is not its own: another project, what has no labels, a run in another folder, one of another user', {
    timeout,
  }, async () => {
    const web = idleService(image, { volumes: ['data:/data'] });
    const config = { services: { web } };
    const mine = await containerProject(host, { config });
    const others = [
      await containerProject(host, { config, like: mine }),
      await containerProject(host, { config, like: { name: mine.name } }),
      await containerProject(host, { config }),
    ];
    for (const other of others) dataOf(await other.argus('setup'));
    const { docker } = mine;
    const running = (filter: string) => docker('ps', '--filter', filter, '--quiet');
    const bare = `bare-${mine.name}`;
    onTestFinished(async () => {
      await docker('rm', '--force', bare);
      await docker('network', 'rm', bare);
      await docker('volume', 'rm', bare);
    });
    await docker('network', 'create', bare);
    await docker('volume', 'create', bare);
    // It even names the project; what would prove that it is ours is missing.
    const label = ['--label', `argusai.project=${mine.name}`];
    await docker('run', '--detach', '--name', bare, '--network', bare, ...label, image, 'sleep', '1000');
    const foreign = async () => [
      ...(await Promise.all(others.map((other) => other.resources()))).flat(),
      // Those that run, not only are there.
      ...(await Promise.all(others.map(({ dir }) => running(`label=argusai.worktree=${dir}`)))),
      await running(`name=^${bare}$`),
      await docker('network', 'ls', '--filter', `name=^${bare}$`, '--quiet'),
      await docker('volume', 'ls', '--filter', `name=^${bare}$`, '--quiet'),
    ];
    const before = await foreign();
    expect(before.filter((one) => one !== '')).toHaveLength(15);

    // Its own dead runs are what it may take, in each of the three ways in which it does.
    const leaveBehind = async () => {
      // It never becomes healthy, so that the setup is sure to die while it goes on.
      const sick = { ...web, healthcheck: { command: 'false', interval: '100ms', startPeriod: '600s' } };
      await mine.configure({ services: { web: sick } });
      const call = mine.begin(['setup']);
      await call.until(({ data }) => data?.service === 'web' && data.state === 'waiting');
      call.kill('SIGKILL', 'alone');
      await call.ended();
      await mine.configure(config);
      expect(await mine.resources()).toHaveLength(3);
    };
    await leaveBehind();
    const { steps, hash } = dataOf(await mine.argus('plan-recovery'));
    expect(steps.map(({ recoverer }) => recoverer)).toEqual(Array(3).fill('orphans.clean'));
    dataOf(await mine.argus('apply-recovery', hash));
    expect(await mine.resources()).toEqual([]);
    await leaveBehind();
    dataOf(await mine.argus('clean', '--all-runs'));
    expect(await mine.resources()).toEqual([]);
    await leaveBehind();
    const { runId } = dataOf(await mine.argus('setup'));
    const own = await mine.resources();
    expect(own.map((name) => name.includes(runId))).toEqual([true, true, true]);
    const { checks } = dataOf(await mine.argus('check', '--only', 'orphans.docker'));
    expect(checks).toMatchObject([
      { name: 'docker.daemon', status: 'pass' },
      { name: 'orphans.docker', status: 'pass', message: 'nothing left behind' },
      {
        name: 'orphans.docker',
        status: 'pass',
        message: expect.stringContaining('made by another store and left alone'),
      },
    ]);
    dataOf(await mine.argus('clean'));
    expect(await mine.resources()).toEqual([]);
    expect(await foreign()).toEqual(before);
  });
});
