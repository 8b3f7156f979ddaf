import { describe, expect, it } from 'vitest';
import { formatPath } from './path.js';
import { configSchema } from './schema.js';
import { validate } from './validate.js';

/** What is wrong with a configuration, as path and message. */
function problemsOf(config: object): string[][] {
  const { problems } = validate(configSchema, config);
  return problems.map(({ path, message }) => [formatPath(path), message]);
}

const api = { command: 'x', ports: ['8080:3000', '9090:9090'], vars: { base_url: 'http://localhost:8080' } };

describe('placeholders in a configuration', () => {
  it.each([
    ...[
      '{{ports.api}}',
      '{{ ports.api.9090 }}',
      '{{ports.api.3000/tcp}}',
      '{{vars.base_url}}',
      '{{vars.api.base_url}}',
    ],
    ...['{{ports.pay}}', '{{ports.v1.2}}', '{not} {a} {{}} template', '{{vars.toString}}'],
  ])('%s is looked at everywhere', (text) => {
    const isFine = text !== '{{vars.toString}}';
    const config = {
      services: {
        api,
        'v1.2': { command: ['run', text], ports: ['1:2'], environment: { A: text }, vars: { v: text } },
        web: { image: 'x', entrypoint: text, healthcheck: { command: text } },
        last: { image: 'x', ports: [80], healthcheck: { http: `/${text}`, port: 80 } },
      },
      mocks: { pay: { port: 9081, routes: [], vars: { p: text } } },
      tests: { suites: [{ id: 'smoke', command: text, environment: { B: text } }] },
    };
    const paths = problemsOf(config).map(([path]) => path);
    const all = [
      ...['services["v1.2"].environment.A', 'services["v1.2"].command[1]', 'services["v1.2"].vars.v'],
      ...['services.web.entrypoint', 'services.web.healthcheck.command', 'services.last.healthcheck.http'],
      ...['mocks.pay.vars.p', 'tests.suites[0].command', 'tests.suites[0].environment.B'],
    ];
    expect(paths.toSorted()).toEqual(isFine ? [] : all.toSorted());
  });

  it.each([
    ['{{ports.nobody}}', '{{ports.nobody}} stands for nothing that is known here'],
    ['{{ports.api.1}}', expect.stringContaining('{{ports.api.1}} stands for nothing')],
    ['{{ports.api.3000/udp}}', expect.stringContaining('stands for nothing')],
    ['{{ports.job}}', expect.stringContaining('{{ports.job}} stands for nothing')],
    ['{{vars.base_ur}}', expect.stringContaining('did you mean {{vars.base_url}}?')],
    ['{{vars.job.base_url}}', expect.stringContaining('stands for nothing')],
    ['{{env.HOME}}', expect.stringContaining('stands for nothing')],
    ['{{port.api}}', '{{port.api}} stands for nothing that is known here, did you mean {{ports.api}}?'],
    ['{{Ports.api.3000}}', expect.stringContaining('did you mean {{ports.api.3000}}?')],
    ['{{var.base_url}}', expect.stringContaining('did you mean {{vars.base_url}}?')],
    ['{{ports}}', expect.stringContaining('{{ports}} stands for nothing')],
    ['{{vars}}', expect.stringContaining('{{vars}} stands for nothing')],
    ['{{ports.api | quote}}', expect.stringContaining('stands for nothing')],
  ])('%s is refused', (text, message) => {
    const services = { api, job: { command: 'x', environment: { A: text } } };
    expect(problemsOf({ services })).toEqual([['services.job.environment.A', message]]);
  });

  it.each([
    ...['{{.State.StartedAt}}', '{{json .}}', '{{ .Values.api | quote }}', '{{range .Ports}}{{end}}'],
    ...['{{- if .Ports -}}', '{{"ports"}}', '{{$port}}', '{{#each ports}}', '{{user.name}}', '{{ item }}'],
  ])('of other tools are left as they are: %s', (text) => {
    const services = { api, job: { command: ['x', text], environment: { A: text }, vars: { v: text } } };
    const suites = [{ id: 'smoke', command: ['sh', '-c', `docker inspect -f '${text}' x`] }];
    expect(problemsOf({ services, tests: { suites } })).toEqual([]);
  });

  it('are refused when they stand for variables of several services that differ', () => {
    const web = {
      command: 'x',
      vars: { base_url: 'http://localhost:1' },
      environment: { OWN: '{{vars.base_url}}' },
    };
    const job = { command: 'x', environment: { A: '{{vars.base_url}}', B: '{{vars.web.base_url}}' } };
    expect(problemsOf({ services: { api, web } })).toEqual([]);
    expect(problemsOf({ services: { api, web, job } })).toEqual([
      [
        'services.job.environment.A',
        '{{vars.base_url}} is a variable of several services, which differ; write {{vars.api.base_url}} or {{vars.web.base_url}}',
      ],
    ]);
    const same = { ...web, vars: api.vars };
    expect(problemsOf({ services: { api, web: same, job } })).toEqual([]);
  });

  it('are refused when they stand for themselves', () => {
    const services = {
      a: { command: 'x', vars: { one: '{{vars.b.two}}', self: 'x{{vars.self}}' } },
      b: { command: 'x', vars: { two: '{{vars.one}}' } },
    };
    expect(problemsOf({ services })).toEqual([
      ['services.a.vars.one', 'variables stand for each other: a.one → b.two → a.one'],
      ['services.a.vars.self', 'variables stand for each other: a.self → a.self'],
    ]);
  });

  it('are told along with everything else that is wrong', () => {
    const services = {
      broken: { command: 'x', ports: ['nonsense'], vars: 5 },
      job: { command: 'x', environment: { A: '{{ports.broken}}', B: '{{ports.nobody}}' } },
    };
    expect(problemsOf({ services }).map(([path]) => path)).toEqual([
      ...['services.broken.ports[0]', 'services.broken.vars', 'services.job.environment.B'],
    ]);
    expect(problemsOf({ services: 'none', tests: 3 }).map(([path]) => path)).toEqual(['services', 'tests']);
  });
});
