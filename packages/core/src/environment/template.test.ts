import { describe, expect, it } from 'vitest';
import { isArgusError } from '../model/argus-error.js';
import { KnownPorts } from './known-ports.js';
import type { ServiceSpec } from './service-spec.js';
import { filledIn, fillIn, variablesOf } from './template.js';

const port = (host: number | null, container: number) => ({
  host,
  container,
  ip: null,
  protocol: 'tcp' as const,
});
const service = (name: string, rest: Partial<ServiceSpec> = {}): ServiceSpec => ({
  ...{ name, kind: 'service', ports: [], environment: {}, dependsOn: [], restartWith: [] },
  ...{ oneShot: false, vars: {}, volumes: [] },
  ...rest,
});
const ports = new KnownPorts([
  service('api', { ports: [port(8081, 3000), port(9091, 9090)] }),
  service('db-1'),
]);
const values = { ports, vars: { base_url: 'http://localhost:8081' } };

describe('filling in', () => {
  it.each([
    ['{{ports.api}}', '8081'],
    ['http://localhost:{{ ports.api.9090 }}/metrics', 'http://localhost:9091/metrics'],
    ['{{vars.base_url}}/health', 'http://localhost:8081/health'],
    ['nothing to fill in', 'nothing to fill in'],
    ['{not} {a} {{}} template', '{not} {a} {{}} template'],
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

  it('follow ports that were reassigned, in local addresses only', () => {
    const vars = {
      ...{ url: 'http://localhost:8080/x', ip: '127.0.0.1:8080', six: 'http://[::1]:8080' },
      ...{ remote: 'http://example.org:8080', other: 'http://localhost:80800', plain: '8080' },
    };
    expect(variablesOf([service('api', { vars })], [moved])).toEqual({
      ...{ url: 'http://localhost:8081/x', ip: '127.0.0.1:8081', six: 'http://[::1]:8081' },
      ...{ remote: 'http://example.org:8080', other: 'http://localhost:80800', plain: '8080' },
    });
  });

  it('do not follow another service’s ports', () => {
    expect(variablesOf([service('web', { vars: { url: 'http://localhost:8080' } })], [moved])).toEqual({
      url: 'http://localhost:8080',
    });
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
