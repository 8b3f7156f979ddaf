import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithEngine } from '../support/describe-with-engine.js';
import { makeTestImage } from '../support/test-image.js';
import { containerProject, dataOf, idleService, textFrom, webService } from './container-project.js';
import { freePorts } from './process-project.js';

/** For a health check: quick when all is well, and patient on a busy machine. */
const often = { interval: '100ms', startPeriod: '60s' };

/** These are long, and must not fail because a machine is busy. */
const timeout = 180_000;

/** Something of somebody else that answers on a port. */
async function stranger(port: number): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('a stranger');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { asked };
}

describeWithEngine('the ports of containers', ({ host }) => {
  let image: string;
  beforeAll(async () => {
    image = await makeTestImage(host);
  });

  it('are in the order of the configuration, wherever the engine puts those that it chooses', {
    timeout,
  }, async () => {
    const port = await freePorts(1);
    const web = webService(image, 'web', {
      ports: [`${port}:80`, '53/udp', '70'],
      healthcheck: { http: '/', ...often },
    });
    const project = await containerProject(host, { config: { services: { web } } });
    const { env, services } = dataOf(await project.argus('setup'));
    expect(env).toEqual({ ARGUS_PORT_WEB: `${port}`, ARGUS_URL_WEB: `http://localhost:${port}` });
    expect(services[0]?.endpoints).toEqual([
      `http://localhost:${port}`,
      expect.stringMatching(/^udp:\/\/127\.0\.0\.1:\d+$|^udp:\/\/localhost:\d+$/),
      expect.stringMatching(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/),
    ]);
    const status = dataOf(await project.argus('status'));
    expect(status.services).toMatchObject([{ health: 'healthy', endpoints: services[0]?.endpoints }]);
  });

  it('can be on an IPv6 address, fixed or chosen by the engine', { timeout }, async () => {
    const port = await freePorts(1);
    const healthcheck = { http: '/', ...often };
    const services = {
      fixed: webService(image, 'fixed', { ports: [`[::1]:${port}:80`], healthcheck }),
      chosen: webService(image, 'chosen', { ports: ['[::1]::80'], healthcheck }),
    };
    const project = await containerProject(host, { config: { services } });
    const { env } = dataOf(await project.argus('setup'));
    expect(env.ARGUS_URL_FIXED).toBe(`http://[::1]:${port}`);
    expect(await textFrom(env.ARGUS_URL_FIXED)).toBe('fixed');
    expect(await textFrom(env.ARGUS_URL_CHOSEN)).toBe('chosen');
    expect(dataOf(await project.argus('status')).services).toMatchObject([
      { name: 'fixed', health: 'healthy', endpoints: [`http://[::1]:${port}`] },
      { name: 'chosen', health: 'healthy', endpoints: [env.ARGUS_URL_CHOSEN] },
    ]);
  });

  it.each(['auto', 'fail'])('stay when what they lead to changes (%s)', { timeout }, async (strategy) => {
    const port = await freePorts(2);
    const resilience = { network: { portConflictStrategy: strategy } };
    const on = (...ports: string[]) => ({
      resilience,
      services: { web: webService(image, 'web', { ports }) },
    });
    const project = await containerProject(host, { config: on(`${port}:80`, `${port + 1}:80`) });
    const portsNow = async () =>
      dataOf(await project.argus('setup')).portMappings.map(({ actualPort }) => actualPort);
    expect(await portsNow()).toEqual([port, port + 1]);
    expect(dataOf(await project.argus('setup'))).toMatchObject({ unchanged: true });
    await project.configure(on(`${port}:81`));
    expect(await portsNow()).toEqual([port]);
    await project.configure(on(`0.0.0.0:${port}:81`));
    expect(await portsNow()).toEqual([port]);
  });

  it('are told to containers as they are reached there, and to processes as they are reached here', {
    timeout,
  }, async () => {
    const port = await freePorts(2);
    const services = {
      db: webService(image, 'db', { ports: [`${port}:80`], healthcheck: { http: '/', ...often } }),
      api: idleService(image, { dependsOn: ['db', 'pay'] }),
      local: { command: 'node local.mjs', dependsOn: ['db'] },
    };
    const mocks = { pay: { port: port + 1, routes: [{ path: '/' }] } };
    const project = await containerProject(host, {
      config: { services, mocks },
      files: {
        'local.mjs': "console.log('told', process.env.ARGUS_URL_DB); setInterval(() => undefined, 1_000);",
      },
    });
    dataOf(await project.argus('setup'));
    const { api = '' } = await project.containers();
    const told = await project.docker('exec', api, 'sh', '-c', 'env | grep ^ARGUS_ | sort');
    expect(told.split('\n')).toEqual([
      ...['ARGUS_PORT_DB=80', `ARGUS_PORT_PAY=${port + 1}`],
      ...['ARGUS_URL_DB=http://db:80', `ARGUS_URL_PAY=http://pay:${port + 1}`],
    ]);
    // Not only a name: it leads there.
    expect(await project.docker('exec', api, 'sh', '-c', 'wget -q -O- $ARGUS_URL_DB')).toBe('db');
    const { lines } = dataOf(await project.argus('logs', '--service', 'local'));
    expect(lines.map(({ text }) => text)).toContain(`told http://localhost:${port}`);
  });

  it('are known before anything is started when a text names them', { timeout }, async () => {
    const services = {
      early: idleService(image, { environment: { PEER: '{{ports.web.81}}' } }),
      web: webService(image, 'web', {
        ports: ['80', '81'],
        environment: { OWN: '{{ports.web}}' },
        vars: { web_url: 'http://localhost:{{ports.web}}' },
        healthcheck: { http: '/', ...often },
        dependsOn: ['early'],
      }),
    };
    const project = await containerProject(host, { config: { services } });
    const first = dataOf(await project.argus('setup'));
    const { early = '', web = '' } = await project.containers();
    const says = (id: string, name: string) => project.docker('exec', id, 'sh', '-c', `echo $${name}`);
    const published = async (inside: string) => (await project.docker('port', web, inside)).split(':').at(-1);
    expect(await says(early, 'PEER')).toBe(await published('81'));
    expect(await says(web, 'OWN')).toBe(await published('80'));
    expect(await textFrom(first.vars.web_url)).toBe('web');
    expect(first.portMappings).toMatchObject([
      { service: 'web', reassigned: false, containerPort: 80, protocol: 'tcp' },
      { service: 'web', reassigned: false, containerPort: 81, protocol: 'tcp' },
    ]);
    expect(dataOf(await project.argus('setup'))).toMatchObject({ unchanged: true, vars: first.vars });
  });

  it('follow a reassignment in whole URLs of health checks, so that no stranger vouches for a service', {
    timeout,
  }, async () => {
    const port = await freePorts(2);
    const { asked } = await stranger(port);
    const web = webService(image, 'web', {
      ports: [`${port}:80`],
      healthcheck: { http: `http://localhost:${port}/index.html`, ...often },
    });
    const project = await containerProject(host, { config: { services: { web } } });
    const { portMappings } = dataOf(await project.argus('setup'));
    const actual = portMappings[0]?.actualPort;
    expect(dataOf(await project.argus('status')).services).toMatchObject([
      { health: 'healthy', message: `GET http://localhost:${actual}/index.html answered 200` },
    ]);
    expect(asked).toEqual([]);
  });

  it('are all looked at again when one of them was lost', { timeout }, async () => {
    const port = await freePorts(14);
    const ports = Array.from({ length: 6 }, (_, index) => port + index);
    // Takes all of them in the moment between the choice of the ports and the start of the containers.
    const plugin = `import { createServer } from 'node:net';
      let done = false;
      export default {
        name: 'squatter',
        apply({ hooks }) {
          hooks.resolveEnvironment.tapPromise('squatter', async (resolution) => {
            if (!done) {
              done = true;
              for (const port of ${JSON.stringify(ports)}) {
                const squatter = createServer().listen(port, '127.0.0.1');
                await new Promise((resolve) => squatter.once('listening', resolve));
              }
            }
            return resolution;
          });
        },
      };`;
    const plugins = ['docker', 'process', 'ports', 'orphans'].map((name) => `@argusai/plugin-${name}`);
    const services = Object.fromEntries(
      ports.map((one, index) => [`s${index}`, idleService(image, { ports: [`${one}:80`] })]),
    );
    const project = await containerProject(host, {
      config: { plugins: [...plugins, './squatter.mjs'], services },
      files: { 'squatter.mjs': plugin },
    });
    const { portMappings } = dataOf(await project.argus('setup'));
    expect(portMappings.filter(({ reassigned }) => reassigned)).toHaveLength(6);
    expect(Object.keys(await project.containers())).toHaveLength(6);
  });

  it('may be any of a range', { timeout }, async () => {
    const port = await freePorts(4);
    await stranger(port);
    const range = `${port}-${port + 2}:80`;
    const services = {
      one: webService(image, 'one', { ports: [range], healthcheck: { http: '/', ...often } }),
      two: webService(image, 'two', { ports: [range], healthcheck: { http: '/', ...often } }),
    };
    const resilience = { network: { portConflictStrategy: 'fail' } };
    const project = await containerProject(host, { config: { services, resilience } });
    const { env } = dataOf(await project.argus('setup'));
    expect(env).toMatchObject({ ARGUS_PORT_ONE: `${port + 1}`, ARGUS_PORT_TWO: `${port + 2}` });
    expect(await textFrom(env.ARGUS_URL_TWO)).toBe('two');
  });
});

describeWithEngine('a container that runs out of memory while it starts', ({ host }) => {
  it('is reported as that', { timeout }, async () => {
    const image = await makeTestImage(host);
    const greedy = {
      image,
      command: ['sh', '-c', 'x=a; while true; do x=$x$x; done'],
      memory: '16MB',
      healthcheck: { command: 'false', ...often },
    };
    const project = await containerProject(host, { config: { services: { greedy } } });
    const { code, error } = await project.argus('setup');
    expect(code).toBe(1);
    expect(error).toMatchObject({
      code: 'CONTAINER_OOM',
      details: { service: 'greedy', exitCode: 137, memoryLimit: 16_000_000, rollback: { failed: [] } },
    });
    expect(await project.containers()).toEqual({});
  });
});
