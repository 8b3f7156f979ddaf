import { homedir } from 'node:os';
import type { ServiceSpec } from '@argusai/core';
import { describe, expect, it } from 'vitest';
import { serviceOf } from './fixtures/trial-run.js';
import { namedVolumes } from './mounts.js';
import { containerName, imageOf } from './names.js';
import { runCommand } from './run-command.js';

const run = {
  id: 'r-1',
  project: '@shop/Über api',
  worktree: '/w=1',
  store: 's',
  owner: { host: 'h', pid: 1, startedAt: 't' },
};
const project = { name: '@shop/Über api', dir: '/projects/shop' };

function command(rest: Partial<ServiceSpec>, outside: string[] = []) {
  return runCommand(serviceOf('api', { image: 'shop:1', ...rest }), {
    run,
    project,
    outside,
    wayOut: 'host-gateway',
    spec: 'x',
    now: 0,
  });
}

function valuesOf(option: string, args: readonly string[]): string[] {
  return args.flatMap((arg) => (arg.startsWith(`${option}=`) ? [arg.slice(option.length + 1)] : []));
}

describe('the command that starts a container', () => {
  it('names it after project, run and service, and its alias after the service alone', () => {
    const { args } = command({});
    expect(valuesOf('--name', args)).toEqual(['argus-shop-ber-api-r-1-api']);
    expect(valuesOf('--network', args)).toEqual(['argus-shop-ber-api-r-1']);
    expect(valuesOf('--network-alias', args)).toEqual(['api']);
    expect(valuesOf('--label', args)).toContain('argusai.worktree=/w=1');
    expect(args.at(-1)).toBe('shop:1');
    expect(args).not.toContain('--restart');
  });

  it('publishes ports on the loopback address unless another is given', () => {
    const { args } = command({
      ports: [
        { host: 8080, container: 80, ip: null, protocol: 'tcp' },
        { host: null, container: 53, ip: '0.0.0.0', protocol: 'udp' },
        { host: 8081, container: 81, ip: '[::1]', protocol: 'tcp' },
      ],
    });
    expect(valuesOf('--publish', args)).toEqual([
      '127.0.0.1:8080:80/tcp',
      '0.0.0.0::53/udp',
      '[::1]:8081:81/tcp',
    ]);
  });

  it('mounts volumes of the run, folders of the project and of home, and volumes without a name', () => {
    const volumes = ['data:/data:ro', './src:/src', '..:/up', '/abs:/abs', '~/x:/home', 'a/b:/b', '/alone'];
    expect(valuesOf('--volume', command({ volumes }).args)).toEqual([
      'argus-shop-ber-api-r-1-data:/data:ro',
      '/projects/shop/src:/src',
      '/projects:/up',
      '/abs:/abs',
      `${homedir()}/x:/home`,
      '/projects/shop/a/b:/b',
      '/alone',
    ]);
    expect(
      namedVolumes([serviceOf('a', { volumes }), serviceOf('b', { volumes: ['data:/x', 'more:/y'] })]),
    ).toEqual(['data', 'more']);
  });

  it('puts what is left of the entrypoint and the command after the image', () => {
    const { args } = command({ entrypoint: 'sh -c', command: ['echo $X', '-x'] });
    expect(valuesOf('--entrypoint', args)).toEqual(['sh']);
    expect(args.slice(args.indexOf('shop:1'))).toEqual(['shop:1', '-c', 'echo $X', '-x']);
    expect(valuesOf('--entrypoint', command({ entrypoint: ' ' }).args)).toEqual(['']);
  });

  it('takes a line apart as a shell does, and refuses one with a quote that is never closed', () => {
    const { args } = command({ command: `sh -c 'echo "$X"' *` });
    expect(args.slice(args.indexOf('shop:1') + 1)).toEqual(['sh', '-c', 'echo "$X"', '*']);
    expect(() => command({ command: `echo 'a` })).toThrow(`"echo 'a" has a quote that is not closed`);
  });

  it('tells nobody the value of a variable, and hands the client none that it would take for its own', () => {
    const environment = {
      TOKEN: 'secret',
      SSH_KEY: 'a\nb',
      HTTP_PROXY: 'http://p',
      DOCKER_HOST: 'x',
      'a.b': 'y',
    };
    const { args, env, input } = command({ environment });
    expect(valuesOf('--env', args)).toEqual(['TOKEN', 'SSH_KEY']);
    expect(env).toEqual({ TOKEN: 'secret', SSH_KEY: 'a\nb' });
    expect(valuesOf('--env-file', args)).toEqual(['/dev/stdin']);
    expect(input).toBe('HTTP_PROXY=http://p\nDOCKER_HOST=x\na.b=y\n');
    expect(() => command({ environment: { HTTP_PROXY: 'a\nb' } })).toThrow(
      /^the Docker client would take HTTP_PROXY as meant for itself/,
    );
  });

  it('mounts no folder that Docker would read as another one', () => {
    const at = { name: 'shop', dir: '/x:/etc' };
    const service = serviceOf('api', { image: 'shop:1', volumes: ['./src:/src'] });
    const context = { run, project: at, outside: [], wayOut: '', spec: 'x', now: 0 };
    expect(() => runCommand(service, context)).toThrow('/x:/etc/src cannot be mounted: there is a colon');
  });

  it('limits what it is told to limit and leads to this machine what runs there', () => {
    const { args } = command({ memory: 1024, cpus: 0.5, user: 'me' }, ['pay', 'web']);
    expect(valuesOf('--memory', args)).toEqual(['1024']);
    expect(valuesOf('--memory-swap', args)).toEqual(['1024']);
    expect(valuesOf('--cpus', args)).toEqual(['0.5']);
    expect(valuesOf('--user', args)).toEqual(['me']);
    expect(valuesOf('--add-host', args)).toEqual(['pay:host-gateway', 'web:host-gateway']);
  });
});

describe('names', () => {
  it('are ones that Docker takes, whatever a project is called', () => {
    for (const name of ['', '---', 'ü', 'x'.repeat(200), 'A b/c']) {
      const named = containerName({ ...run, project: name }, 'api');
      expect(named).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/);
      expect(named.length).toBeLessThan(80);
    }
  });

  it('of built images differ between worktrees', () => {
    const app = serviceOf('App', { build: { context: '/x', args: {} } });
    const [one, other] = ['/a', '/b'].map((dir) => imageOf(app, { name: 'Shop', dir }));
    expect(one).toMatch(/^argus-shop-app:[0-9a-f]{12}$/);
    expect(one).not.toBe(other);
    expect(imageOf({ ...app, image: 'mine:1' }, project)).toBe('mine:1');
  });
});
