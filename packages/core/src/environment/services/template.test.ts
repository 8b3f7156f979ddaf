import { describe, expect, it } from 'vitest';
import { isArgusError } from '../../model/argus-error.js';
import { KnownPorts } from '../ports/known-ports.js';
import type { ServiceSpec } from './service-spec.js';
import { filledIn, fillIn } from './template.js';
import { variablesOf } from './variables.js';

const port = (host: number | null, container: number) => ({
  host,
  container,
  ip: null,
  protocol: 'tcp' as const,
});
const service = (name: string, rest: Partial<ServiceSpec> = {}): ServiceSpec => ({
  name,
  kind: 'service',
  ports: [],
  environment: {},
  dependsOn: [],
  restartWith: [],
  oneShot: false,
  vars: {},
  volumes: [],
  ...rest,
});
const ports = new KnownPorts([
  service('api', { ports: [port(8081, 3000), port(9091, 9090)] }),
  service('db-1'),
]);
const values = { ports, vars: { base_url: 'http://localhost:8081', open: '{{' } };

describe('filling in', () => {
  it.each([
    ['{{ports.api}}', '8081'],
    ['http://localhost:{{ ports.api.9090 }}/metrics', 'http://localhost:9091/metrics'],
    ['{{vars.base_url}}/health', 'http://localhost:8081/health'],
    ['nothing to fill in', 'nothing to fill in'],
    ['{not} {a} {{}} template', '{not} {a} {{}} template'],
    [
      "docker inspect -f '{{.State}} {{json .}}' {{ports.api}}",
      "docker inspect -f '{{.State}} {{json .}}' 8081",
    ],
    // What is filled in is not looked at again, so anything can be written.
    ['{{vars.open}}ports.api}}', '{{ports.api}}'],
  ])('%s gives %s', (text, expected) => {
    expect(fillIn(text, values, 'x')).toBe(expected);
  });

  it.each(['{{ports.nobody}}', '{{ports.db-1}}', '{{ports.api.1}}', '{{vars.base_ur}}', '{{env.HOME}}'])(
    'refuses %s',
    (text) => {
      try {
        fillIn(text, values, 'services.api.environment.URL');
      } catch (thrown) {
        expect(isArgusError(thrown) && thrown.error).toMatchObject({ code: 'CONFIG_INVALID' });
        expect(String(thrown)).toContain(text);
        return;
      }
      throw new Error('nothing was thrown');
    },
  );

  it('says what was meant', () => {
    expect(() => fillIn('{{vars.base_ur}}', values, 'x')).toThrow('did you mean {{vars.base_url}}?');
  });

  it('covers the environment and the command of a service', () => {
    const filled = filledIn(
      service('web', { environment: { API: '{{ports.api}}' }, command: ['x', '{{ports.api}}'] }),
      values,
    );
    expect(filled).toMatchObject({ environment: { API: '8081' }, command: ['x', '8081'] });
    expect(filledIn(service('web', { command: 'serve {{ports.api}}' }), values).command).toBe('serve 8081');
  });
});

describe('the variables of services', () => {
  const moved = { service: 'api', originalPort: 8080, actualPort: 8081, reassigned: true };
  const of = (services: readonly ServiceSpec[]) => variablesOf(services, [moved], new KnownPorts(services));

  it('follow ports that were reassigned, their own and those of others', () => {
    const vars = { url: 'http://localhost:8080/x', remote: 'http://example.org:8080', plain: '8080' };
    const expected = { ...vars, url: 'http://localhost:8081/x' };
    expect(of([service('api', { vars })]).vars).toEqual(expected);
    expect(of([service('web', { vars })]).vars).toEqual(expected);
  });

  it('are filled in, through each other, and are not moved after that', () => {
    const services = [
      service('db', { ports: [port(8080, 1)], vars: { deep: '{{vars.url}}/x', late: '{{ports.late}}' } }),
      service('api', { vars: { url: 'http://localhost:{{ports.db}}', more: '{{vars.late}}' } }),
      service('late', { ports: [port(null, 1)] }),
    ];
    const url = 'http://localhost:8080';
    expect(of(services).vars).toEqual({ deep: `${url}/x`, url });
    expect(of([service('api', { vars: { format: '{{.Names}}' } })]).vars).toEqual({ format: '{{.Names}}' });
  });

  it('carry the name of their service where several have the name', () => {
    const services = [
      service('api', { vars: { url: 'a', same: 'x', own: '{{vars.url}}' } }),
      service('web', { vars: { url: 'b', same: 'x', other: '{{vars.api.url}}' } }),
      service('job', { vars: { either: '{{vars.url}}' } }),
    ];
    const { vars, owned } = of(services);
    expect(vars).toEqual({
      'api.url': 'a',
      'web.url': 'b',
      'api.same': 'x',
      'web.same': 'x',
      same: 'x',
      own: 'a',
      other: 'a',
    });
    expect(owned).toMatchObject({ 'api.url': 'a', 'web.other': 'a' });
    const values = { ports, vars, owned };
    const web = service('web', { environment: { A: '{{vars.url}} {{vars.api.url}} {{vars.web.other}}' } });
    expect(filledIn(web, values).environment).toEqual({ A: 'b a a' });
    expect(() => filledIn(service('job', { command: '{{vars.url}}' }), values)).toThrow(
      'services.job.command: {{vars.url}} is a variable of several services, which differ; write {{vars.api.url}} or {{vars.web.url}}',
    );
  });

  it('are refused when they stand for each other', () => {
    const services = [service('api', { vars: { a: '{{vars.b}}', b: '{{vars.api.a}}' } })];
    expect(() => of(services)).toThrow('variables stand for each other: api.a → api.b → api.a');
  });
});

describe('a service that is started', () => {
  const assignments = [{ service: 'api', originalPort: 8080, actualPort: 8081, reassigned: true }];
  const times = { interval: 1, timeout: 1, retries: 1, startPeriod: 0 };

  it('has its health check and its entrypoint filled in, and local URLs in the check follow the ports', () => {
    const check = (healthcheck: object) =>
      filledIn(
        service('web', { entrypoint: ['run', '{{ports.api}}'], healthcheck: { ...times, ...healthcheck } }),
        {
          ...values,
          assignments,
        },
      );
    expect(check({ command: 'ask {{ports.api}}' })).toMatchObject({
      entrypoint: ['run', '8081'],
      healthcheck: { command: 'ask 8081' },
    });
    expect(check({ command: ['ask', '{{vars.base_url}}'] }).healthcheck?.command).toEqual([
      'ask',
      'http://localhost:8081',
    ]);
    expect(check({ http: 'http://localhost:8080/x' }).healthcheck?.http).toBe('http://localhost:8081/x');
    expect(check({ http: '{{vars.base_url}}/x' }).healthcheck?.http).toBe('http://localhost:8081/x');
    expect(check({ http: '/localhost:8080' }).healthcheck?.http).toBe('/localhost:8080');
    expect(() => check({ http: '{{ports.api}}/x' })).toThrow('8081/x is neither a path nor a whole URL');
    expect(() => check({ http: '{{x}}/y' })).toThrow('{{x}}/y is neither a path nor a whole URL');
    expect(() => check({ http: '{{vars.x}}/y' })).toThrow(/: \{\{vars\.x\}\} stands for nothing[^;]*$/);
  });

  it('is not asked at a port that its container does not publish, also where a variable is the path', () => {
    const withPath = (http: string) => ({
      ...values,
      vars: { ...values.vars, path: http },
    });
    const web = service('web', { image: 'x', healthcheck: { ...times, http: '{{vars.path}}', port: 80 } });
    expect(() => filledIn(web, withPath('/health'))).toThrow(
      'services.web.healthcheck.http: the container does not publish port 80, so nothing can ask it there',
    );
    expect(filledIn(web, withPath('http://x/')).healthcheck?.http).toBe('http://x/');
    const published = { ...web, ports: [port(null, 80)] };
    expect(filledIn(published, withPath('/health')).healthcheck?.http).toBe('/health');
  });

  it('is told all that is wrong with it at once', () => {
    const wrong = service('web', {
      environment: { A: '{{ports.x}}', B: '{{vars.y}}' },
      command: '{{vars.z}}',
    });
    expect(() => filledIn(wrong, values)).toThrow(/environment\.A: .*; .*environment\.B: .*; .*command: /);
  });
});

describe('the known ports', () => {
  it('tell others where every service is', () => {
    expect(ports.variables()).toEqual({ ARGUS_PORT_API: '8081', ARGUS_URL_API: 'http://localhost:8081' });
    const named = new KnownPorts([service('my-api.v2', { ports: [port(1234, 1)] })]);
    expect(named.variables()).toHaveProperty('ARGUS_PORT_MY_API_V2', '1234');
  });

  it('learn what the runtime chose', () => {
    const known = new KnownPorts([service('api', { ports: [port(null, 3000)] })]);
    expect(known.hostPort('api')).toBeUndefined();
    known.learn('api', [port(49_152, 3000)]);
    expect(known.hostPort('api', 3000)).toBe(49_152);
  });
});
