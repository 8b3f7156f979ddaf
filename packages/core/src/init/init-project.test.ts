// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how Compose writes its variables.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../config/load-config.js';
import { initProject } from './init-project.js';

/** A folder with files that goes away with the test. */
function folder(files: Record<string, string | Buffer> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'argus-init-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** Makes a configuration in a folder with these files and loads it as argus does. */
async function made(files: Record<string, string | Buffer>) {
  const dir = folder(files);
  const result = await initProject(dir, { title: 'a schema' }, false);
  const { file, raw, config, project } = await loadConfig({ cwd: dir, builtins: {} });
  expect(file).toBe(join(dir, 'argus.config.yaml'));
  const text = readFileSync(result.file, 'utf8');
  return { dir, result, text, raw: raw as Record<string, unknown>, config, project };
}

const compose = (text: string) => made({ 'compose.yaml': text });
const serviceOf = async (text: string, name = 'api') =>
  (await compose(text)).raw.services as Record<typeof name, Record<string, unknown>>;

describe('a Compose file', () => {
  it('becomes services with all that argus has words for', async () => {
    const { raw, project, result } = await compose(`
name: shop
services:
  db:
    image: postgres:16
    ports: ["5432:5432", 9000, "127.0.0.1:53:53/udp"]
    environment: { POSTGRES_USER: shop, FSYNC: false, LIMIT: 3 }
    volumes: ["data:/var/lib/postgresql/data", "./init:/init:ro"]
    mem_limit: 512mb
    cpus: 1.5
    user: "70:70"
  api:
    build: { context: ./api, dockerfile: Dev.Dockerfile, target: dev, args: [A=1, "B=x=y"] }
    command: ["node", "server.js"]
    entrypoint: /entry.sh --fast
    environment: ["PORT=3000", "URL=http://db:5432/?a=b"]
    depends_on: [db]
    deploy: { resources: { limits: { cpus: "0.50", memory: 1g } } }
volumes: { data: }
`);
    expect(raw).toEqual({
      project: { name: 'shop' },
      services: {
        db: {
          image: 'postgres:16',
          ports: ['5432:5432', 9000, '127.0.0.1:53:53/udp'],
          environment: { POSTGRES_USER: 'shop', FSYNC: false, LIMIT: 3 },
          volumes: ['data:/var/lib/postgresql/data', './init:/init:ro'],
          memory: '512m',
          cpus: 1.5,
          user: '70:70',
        },
        api: {
          build: {
            context: './api',
            dockerfile: 'Dev.Dockerfile',
            target: 'dev',
            args: { A: '1', B: 'x=y' },
          },
          command: ['node', 'server.js'],
          entrypoint: '/entry.sh --fast',
          environment: { PORT: '3000', URL: 'http://db:5432/?a=b' },
          dependsOn: ['db'],
          memory: '1g',
          cpus: 0.5,
        },
      },
    });
    expect(project.name).toBe('shop');
    expect(result).toMatchObject({
      written: true,
      found: [{ kind: 'compose', file: 'compose.yaml' }],
      services: [
        { name: 'db', from: 'compose.yaml' },
        { name: 'api', from: 'compose.yaml' },
      ],
      notes: [],
    });
  });

  it('has the long forms of ports and volumes written short', async () => {
    const { api } = await serviceOf(`
services:
  api:
    image: x
    ports:
      - { target: 3000 }
      - { target: 3001, published: "8081" }
      - { target: 53, published: 5353, protocol: udp, host_ip: 127.0.0.1 }
      - { target: 80, host_ip: "::1" }
    volumes:
      - { type: volume, source: data, target: /data }
      - { type: bind, source: ./src, target: /src, read_only: true }
      - { type: volume, target: /cache }
`);
    expect(api).toEqual({
      image: 'x',
      ports: ['3000', '8081:3001', '127.0.0.1:5353:53/udp', '[::1]::80'],
      volumes: ['data:/data', './src:/src:ro', '/cache'],
    });
  });

  it.each([
    ['["CMD", "pg_isready", "-q"]', ['pg_isready', '-q']],
    ['["CMD-SHELL", "curl -f localhost || exit 1"]', 'curl -f localhost || exit 1'],
    ['curl -f localhost', 'curl -f localhost'],
  ])('has the health check %s as a command', async (test, command) => {
    const times = 'interval: 5s, timeout: 1m30s, retries: 7, start_period: 500ms';
    const { api } = await serviceOf(
      `services: { api: { image: x, healthcheck: { test: ${test}, ${times} } } }`,
    );
    expect(api?.healthcheck).toEqual({
      command,
      interval: '5s',
      timeout: '1m30s',
      retries: 7,
      startPeriod: '500ms',
    });
  });

  it.each(['disable: true', 'test: ["NONE"]'])('has no health check where it says %s', async (check) => {
    const { api } = await serviceOf(`services: { api: { image: x, healthcheck: { ${check} } } }`);
    expect(api).toEqual({ image: 'x' });
  });

  it.each(['disable: true', 'test: ["NONE"]'])('says what becomes of a check with %s', async (check) => {
    const { text } = await compose(`services: { api: { image: x, healthcheck: { ${check} } } }`);
    expect(text).toContain('healthcheck: it is switched off');
  });

  it('has exposed ports as ports of their own, unless they are published', async () => {
    const { api, db } = await serviceOf(`
services:
  api: { image: x, ports: ["8080:3000", "53:53/udp"], expose: [3000, "3001", "53/udp", "53"] }
  db: { image: d, expose: ["5432"] }
`);
    expect(api?.ports).toEqual(['8080:3000', '53:53/udp', '3001', '53']);
    expect(db).toEqual({ image: 'd', ports: ['5432'] });
  });

  it('has what others wait to see the end of as a service that ends, and restarts those that follow', async () => {
    const services = await serviceOf(`
services:
  migrate: { image: m }
  db: { image: d }
  api:
    image: x
    depends_on:
      migrate: { condition: service_completed_successfully }
      db: { condition: service_healthy, restart: true }
`);
    expect(services).toEqual({
      migrate: { image: 'm', oneShot: true },
      db: { image: 'd' },
      api: { image: 'x', dependsOn: ['migrate', 'db'], restartWith: ['db'] },
    });
  });

  it('is read with its anchors and merges, and without its extensions', async () => {
    const services = await serviceOf(`
x-base: &base { image: x, environment: { A: "1" }, x-more: 1 }
services:
  api: { <<: *base, user: node }
  worker: { <<: *base }
`);
    expect(services).toEqual({
      api: { image: 'x', environment: { A: '1' }, user: 'node' },
      worker: { image: 'x', environment: { A: '1' } },
    });
  });

  it('has its variables replaced by their defaults, and says what had none', async () => {
    const { raw, text } = await compose(`
services:
  api:
    image: "api:\${TAG:-\${OTHER:-1}}"
    ports: ["\${PORT:-8080}:80", "\${ADMIN_PORT}:81"]
    command: echo $$HOME
    environment: ["PASSWORD=\${DB_PASSWORD:?set it}", "LEVEL=\${LEVEL-info}", "PASSED_ON"]
  web: { image: "web:$WEB_TAG" }
`);
    expect(raw.services).toEqual({
      api: {
        image: 'api:1',
        ports: ['8080:80'],
        command: 'echo $HOME',
        environment: { LEVEL: 'info' },
      },
    });
    for (const said of [
      '# ${PORT:-8080} has become its default',
      '# left out: ports: ${ADMIN_PORT}:81, because ${ADMIN_PORT} has no default',
      '# left out: environment: PASSWORD, because ${DB_PASSWORD:?set it} has no default',
      '# left out: environment: PASSED_ON: it has no value in the file',
      '# the service web: left out: image: expected the name of an image',
      '# the service web: image: $WEB_TAG has no default',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('has what cannot be carried over said in comments', async () => {
    const { text, raw, result } = await compose(`
services:
  api:
    image: x
    networks: [front]
    secrets: [key]
    profiles: [debug]
    restart: always
    cap_add: [NET_ADMIN]
    deploy: { replicas: 3 }
    volumes: [{ type: tmpfs, target: /tmp }]
  gone: { extends: { file: base.yaml, service: gone } }
  _odd: { image: y }
networks: { front: }
include: [other.yaml]
volumes: { data: { external: true } }
`);
    expect(raw.services).toEqual({ api: { image: 'x' } });
    for (const key of [
      'networks',
      'secrets',
      'profiles',
      'restart',
      'cap_add',
      'deploy.replicas',
      'volumes',
    ]) {
      expect(text).toContain(`\n  # left out: ${key}: `);
    }
    for (const said of [
      'the service gone is left out: needs at least one of image, build or command',
      'the service gone: left out: extends: what it takes from another service is not here; write it out',
      'the service _odd is left out: ',
      'compose.yaml: include is left out',
      'compose.yaml: the settings of the volume data are left out',
    ]) {
      expect(text).toContain(`# ${said}`);
      expect(result.notes.join('\n')).toContain(said);
    }
  });

  it('has what argus would refuse left out one by one, with the reason', async () => {
    const { raw, text } = await compose(`
services:
  api:
    image: x
    ports: ["80:80/sctp", "8080:80", "99999:1"]
    environment: { TEMPLATE: "{{.Name}}", ODD: "{{vars.x}}", LIST: [1], OK: yes }
    command: ["sh", "-c", "echo {{ports.x}}"]
    depends_on: [nobody]
    mem_limit: lots
    healthcheck: { test: "true", retries: 0, interval: soon }
  a: { image: a, depends_on: [b] }
  b: { image: b, depends_on: [a] }
`);
    expect(raw.services).toMatchObject({
      api: {
        image: 'x',
        ports: ['8080:80'],
        environment: { TEMPLATE: '{{.Name}}', OK: 'yes' },
        healthcheck: { command: 'true' },
      },
    });
    expect(text).toContain('# left out: ports[0]: "80:80/sctp" is not a port mapping: sctp is not supported');
    expect(text).toContain('# left out: command: {{ports.x}} stands for nothing that is known here');
    expect(text).toContain('# left out: memory: ');
    expect(text).toContain('services wait for each other');
  });

  it.each([
    '1_000',
    '0x1F',
    '1e3',
    '.5',
    '12:30:45',
    'yes',
    'null',
    '~',
    '',
    ' a ',
    'a: b # c',
    '*x',
    '<<',
    'two\nlines',
  ])('keeps the value %j as it is', async (value) => {
    const text = JSON.stringify({ services: { api: { image: 'x', environment: { VALUE: value } } } });
    expect((await compose(text)).config.services.api?.environment).toEqual({ VALUE: value });
  });

  it('cannot write lines of its own by what is quoted in a comment', async () => {
    const bad = 'x\nservices: { evil: { command: evil } }\n#';
    const text = JSON.stringify({ services: { api: { image: 'x', [bad]: 1, ports: [bad] }, [bad]: {} } });
    expect((await compose(text)).raw.services).toEqual({ api: { image: 'x' } });
  });

  it('that is broken is passed over, and that is said', async () => {
    const { text, raw } = await made({ 'compose.yaml': 'services: [', Dockerfile: 'FROM x\n' });
    expect(raw.services).toEqual({ app: { build: '.' } });
    expect(text).toContain('# compose.yaml was passed over: ');
    expect(text).toContain('# Made by argus init from Dockerfile. ');
    expect(text).not.toContain('YAMLParseError');
  });

  it.each(['null', '[]', 'services: 3', 'services: { api: }', 'services: { api: [1] }', '"text"'])(
    'that makes no sense does no harm: %s',
    async (text) => {
      expect((await compose(text)).config.services).toEqual({});
    },
  );

  it('comes first where there are several, and the others are named', async () => {
    const one = 'services: { api: { image: x } }';
    const { text } = await made({
      'docker-compose.yml': one,
      'compose.yml': one,
      'compose.override.yaml': one,
      '.env': 'A=1',
    });
    expect(text).toContain('from compose.yml.');
    expect(text).toContain('# docker-compose.yml is not read, only compose.yml is');
    expect(text).toContain('# compose.override.yaml is not read');
    expect(text).toContain('# .env is not read');
  });
});

describe('a Dockerfile', () => {
  it('becomes a service with its ports and its health check', async () => {
    const { raw } = await made({
      Dockerfile: `# escape=\\
FROM node:20 AS build
EXPOSE 1
HEALTHCHECK CMD false
FROM node:20
ARG ADMIN=9000
ENV PORT=3000 HOST="a b"
RUN <<EOF
EXPOSE 2
EOF
EXPOSE $PORT \\
  # a comment in between
  53/udp \${ADMIN}/tcp $UNKNOWN
HEALTHCHECK --interval=5s --retries=4 --start-period=1m \\
  CMD ["wget", "-q", "localhost:3000"]
`,
    });
    expect(raw.services).toEqual({
      app: {
        build: '.',
        ports: ['3000:3000', '53:53/udp', '9000:9000'],
        healthcheck: {
          command: ['wget', '-q', 'localhost:3000'],
          interval: '5s',
          retries: 4,
          startPeriod: '1m',
        },
      },
    });
  });

  it('has what a stage takes over from another', async () => {
    const { raw } = await made({
      Dockerfile:
        'FROM x AS base\nexpose 80\nHEALTHCHECK CMD curl -f localhost || exit 1\nFROM base\nCMD run\n',
    });
    expect(raw.services).toEqual({
      app: { build: '.', ports: ['80:80'], healthcheck: { command: 'curl -f localhost || exit 1' } },
    });
  });

  it('has no health check where it turns it off', async () => {
    const { raw } = await made({ Dockerfile: 'FROM x\nHEALTHCHECK NONE\n' });
    expect(raw.services).toEqual({ app: { build: '.' } });
  });

  it.each([
    ['EXPOSE 80', 'no HEALTHCHECK: healthcheck: { http: / } would'],
    ['EXPOSE 53/udp', 'no HEALTHCHECK: ports: ["8080"] and healthcheck: { http: / } would'],
    ['CMD run', 'no HEALTHCHECK: ports: ["8080"] and healthcheck: { http: / } would'],
  ])('is told of a health check that can be made with %s', async (line, advice) => {
    const { text } = await made({ Dockerfile: `FROM x\n${line}\n` });
    expect(text).toContain(advice);
  });
});

describe('package.json', () => {
  const manifest = (scripts: object, rest: object = {}) => JSON.stringify({ name: 'shop', scripts, ...rest });

  it('becomes a service that its start script runs, and suites', async () => {
    const { raw, text } = await made({
      'package.json': manifest({
        dev: 'vite --port 5173',
        start: 'node x',
        test: 'vitest',
        'test:e2e': 'e',
        e2e: 'e',
      }),
    });
    expect(raw).toEqual({
      project: { name: 'shop' },
      services: { app: { command: 'npm run start' } },
      tests: {
        suites: [
          { id: 'test', command: 'npm run test' },
          { id: 'test:e2e', command: 'npm run test:e2e' },
          { id: 'e2e', command: 'npm run e2e' },
        ],
      },
    });
    expect(text).toContain('# ports: ["3000:3000"]');
  });

  it.each([
    [{ 'pnpm-lock.yaml': '' }, {}, 'pnpm run dev'],
    [{ 'yarn.lock': '' }, {}, 'yarn run dev'],
    [{ 'yarn.lock': '' }, { packageManager: 'bun@1.1.0' }, 'bun run dev'],
  ])('is run by what its dependencies are installed with: %j %j', async (files, rest, command) => {
    const { raw } = await made({ ...files, 'package.json': manifest({ dev: 'vite' }, rest) });
    expect(raw.services).toEqual({ app: { command } });
  });

  it('has no suite that runs argus itself, or that npm wrote for want of one', async () => {
    const { raw, text } = await made({
      'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1', e2e: 'npx argus run' }),
    });
    expect(raw).toEqual({ project: { name: 'shop' } });
    expect(text).toContain('# the script e2e of package.json is left out: it runs argus itself');
  });

  it('only suggests a service beside a Compose file', async () => {
    const { raw, text } = await made({
      'compose.yaml': 'services: { db: { image: postgres } }',
      'package.json': manifest({ start: 'node x', test: 'vitest' }),
    });
    expect(raw).toMatchObject({ services: { db: {} }, tests: { suites: [{ id: 'test' }] } });
    expect(Object.keys(raw.services as object)).toEqual(['db']);
    expect(text).toContain('# app:\n#   command: npm run start\n');
  });
});

describe('a folder with nothing in it', () => {
  it.each([{}, { 'package.json': '{ "name": "empty" }' }])(
    'gets an example in comments: %j',
    async (files) => {
      const { raw, text, result } = await made(files);
      expect(raw).toEqual({});
      expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
      expect(result).toMatchObject({ found: [], services: [] });
    },
  );

  it('gets an example that is valid without the comments', async () => {
    const { dir, text } = await made({});
    const bare = text.replace(/^# (yaml-language|Nothing|What argus).*\n/gm, '').replace(/^# /gm, '');
    writeFileSync(join(dir, 'argus.config.yaml'), bare);
    const { config } = await loadConfig({ cwd: dir, builtins: {} });
    expect(Object.keys(config.services)).toEqual(['db', 'api']);
  });
});

describe('an e2e.yaml', () => {
  const former = `version: "1"
project: { name: shop, description: A shop }
service:
  build: { dockerfile: docker/Dockerfile, context: ./api, image: "shop:e2e", args: { A: "1" } }
  container:
    name: shop-e2e
    ports: ["8080:3000"]
    environment: { NODE_ENV: test, TOKEN: "{{env.TOKEN}}", ODD: "{{runtime.odd}}" }
    volumes: ["data:/data"]
    healthcheck: { path: /health, interval: 10s, startPeriod: 30s }
  vars: { base_url: http://localhost:8080 }
mocks:
  payments: { port: 9081, containerPort: 8081, routes: [{ method: GET, path: /ok, response: { body: { ok: true } } }] }
tests:
  suites:
    - { name: Health, id: health, file: tests/health.yaml, runner: yaml }
    - { name: Unit, id: unit, file: tests, runner: vitest, config: e2e.config.ts, retry: { maxRetries: 3 } }
    - { name: Smoke, id: smoke, runner: exec, command: npm run smoke }
resilience: { preflight: { enabled: false, dockerTimeout: 5s } }
dashboard: { port: 9095 }
network: { name: e2e-network }
`;

  it('of ArgusAI becomes a configuration that loads, and what is not in it is said', async () => {
    const { raw, result, text, dir } = await made({ 'e2e.yaml': former, Dockerfile: 'FROM x' });
    expect(raw).toEqual({
      project: { name: 'shop' },
      services: {
        'shop-e2e': {
          build: { context: './api', dockerfile: '../docker/Dockerfile', args: { A: '1' } },
          ports: ['8080:3000'],
          environment: { NODE_ENV: 'test' },
          volumes: ['data:/data'],
          vars: { base_url: 'http://localhost:8080' },
          healthcheck: { http: '/health', interval: '10s', startPeriod: '30s' },
        },
      },
      tests: {
        suites: [
          {
            name: 'Unit',
            id: 'unit',
            command: ['npx', 'vitest', 'run', '--config', 'e2e.config.ts', 'tests'],
          },
          { name: 'Smoke', id: 'smoke', command: 'npm run smoke' },
        ],
      },
      mocks: {
        payments: {
          port: 9081,
          routes: [{ method: 'GET', path: '/ok', response: { body: { ok: true } } }],
        },
      },
      resilience: { preflight: { enabled: false } },
    });
    expect(result).toMatchObject({
      found: [{ kind: 'e2e', file: 'e2e.yaml' }],
      services: [{ name: 'shop-e2e', from: 'e2e.yaml' }],
      suites: ['unit', 'smoke'],
    });
    for (const left of [
      'e2e.yaml is left as it is and no longer counts',
      'e2e.yaml: dashboard is left out',
      'e2e.yaml: network is left out',
      'e2e.yaml: project.description is left out',
      'the suite health is left out',
      'the suite unit: retry is left out',
      'left out: mocks.payments.containerPort',
      'left out: resilience.preflight.dockerTimeout',
      'left out: environment.TOKEN',
      'left out: environment.ODD',
    ])
      expect(text).toContain(left);
    expect(readFileSync(join(dir, 'e2e.yaml'), 'utf8')).toBe(former);
  });

  it('of ArgusAI may have a list of services', async () => {
    const { raw, result } = await made({
      'e2e.yml':
        'services:\n  - { name: api, build: { image: "api:1" }, container: { name: api-e2e, ports: ["1:2"] } }\n',
    });
    expect(raw.services).toEqual({ api: { image: 'api:1', ports: ['1:2'] } });
    expect(result.notes).toContain('api: it is reached as api, no longer as api-e2e');
  });

  it('loses a health check that could not be tried from here, and is told what to do', async () => {
    const { raw, result } = await made({
      'e2e.yaml': [
        'services:',
        '  db: { image: x, healthcheck: { tcp: 5432, interval: 1s } }',
        '  api: { image: x, ports: ["8080:80"], healthcheck: { http: /, port: 81 } }',
        '  old: { build: { image: x }, container: { healthcheck: { path: /health } } }',
      ].join('\n'),
    });
    expect(raw.services).toEqual({
      db: { image: 'x' },
      api: { image: 'x', ports: ['8080:80'] },
      old: { image: 'x' },
    });
    expect(result.notes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^db: left out: healthcheck: .* publish port 5432, .*ports: \["5432"\]/),
        expect.stringMatching(/^api: left out: healthcheck: .* publish port 81,/),
        expect.stringMatching(/^old: left out: healthcheck: has no port to ask for it/),
      ]),
    );
  });

  it('of argus is carried over as it is', async () => {
    const { raw } = await made({
      'e2e.yaml': 'services: { api: { command: sleep 1 } }\npolicy: { autonomy: observe }\n',
    });
    expect(raw).toEqual({
      project: { name: expect.any(String) },
      services: { api: { command: 'sleep 1' } },
      policy: { autonomy: 'observe' },
    });
  });

  it.each(['{ broken', 'just text', ''])('that says nothing is passed over: %j', async (text) => {
    const { raw, result } = await made({ 'e2e.yaml': text, Dockerfile: 'FROM x' });
    expect(Object.keys(Object(raw.services))).toEqual(['app']);
    expect(result.notes).toContain(
      'e2e.yaml is left as it is and no longer counts, because this file comes first',
    );
  });

  it('does not count beside another configuration', async () => {
    const dir = folder({ 'e2e.yaml': former, '.argusrc': '' });
    await expect(initProject(dir, {}, false)).rejects.toMatchObject({ code: 'CONFIG_EXISTS' });
  });
});

describe('writing', () => {
  it('names on the first line the schema that it writes beside, and leaves nothing else behind', async () => {
    const { dir, text } = await made({});
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./.argus/schema.json');
    expect(JSON.parse(readFileSync(join(dir, '.argus/schema.json'), 'utf8'))).toEqual({ title: 'a schema' });
    expect(readdirSync(dir).toSorted()).toEqual(['.argus', 'argus.config.yaml']);
    expect(readdirSync(join(dir, '.argus'))).toEqual(['schema.json']);
  });

  it('is not done in a dry run, which gives the text', async () => {
    const dir = folder({ Dockerfile: 'FROM x' });
    const { written, text } = await initProject(dir, {}, true);
    expect({ written, text }).toEqual({ written: false, text: expect.stringContaining('build: "."') });
    expect(readdirSync(dir)).toEqual(['Dockerfile']);
  });

  it.each([...['argus.config.yaml', 'argus.config.ts', '.argusrc', '.argusrc.json']])(
    'is refused where there is %s, whatever is in it',
    async (name) => {
      const dir = folder({ [name]: '{ broken' });
      await expect(initProject(dir, {}, false)).rejects.toMatchObject({
        code: 'CONFIG_EXISTS',
        error: { details: { file: name } },
      });
      expect(readdirSync(dir)).toEqual([name]);
      expect(readFileSync(join(dir, name), 'utf8')).toBe('{ broken');
    },
  );

  it('is refused where package.json has a configuration, or cannot be read', async () => {
    const configured = folder({ 'package.json': '{ "argus": {} }' });
    await expect(initProject(configured, {}, false)).rejects.toMatchObject({ code: 'CONFIG_EXISTS' });
    const broken = folder({ 'package.json': '{' });
    await expect(initProject(broken, {}, false)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(readdirSync(broken)).toEqual(['package.json']);
  });

  it('does not follow a link that leads nowhere', async () => {
    const dir = folder();
    symlinkSync(join(dir, 'elsewhere'), join(dir, 'argus.config.yaml'));
    await expect(initProject(dir, {}, false)).rejects.toMatchObject({ code: 'CONFIG_EXISTS' });
    expect(readdirSync(dir)).toEqual(['argus.config.yaml']);
  });

  it('renews a schema that argus wrote, and keeps any other, without naming it', async () => {
    const own = folder({ '.argus/schema.json': '{ "title": "ours", "old": true }' });
    const renewed = await initProject(own, { title: 'ours' }, false);
    expect(renewed.schemaState).toBe('renewed');
    expect(readFileSync(renewed.schema, 'utf8')).toBe('{\n  "title": "ours"\n}\n');

    for (const text of ['{ "title": "theirs" }', '{}', 'no JSON']) {
      const dir = folder({ '.argus/schema.json': text });
      const kept = await initProject(dir, { title: 'ours' }, false);
      expect(kept.schemaState).toBe('kept');
      expect(readFileSync(kept.schema, 'utf8')).toBe(text);
      expect(readFileSync(kept.file, 'utf8')).not.toContain('$schema');
    }
  });

  it('keeps a schema that is a link', async () => {
    const dir = folder({ 'mine.json': '{ "title": "ours" }', '.argus/x': '' });
    symlinkSync(join(dir, 'mine.json'), join(dir, '.argus/schema.json'));
    expect((await initProject(dir, { title: 'ours', more: 1 }, false)).schemaState).toBe('kept');
    expect(readFileSync(join(dir, 'mine.json'), 'utf8')).toBe('{ "title": "ours" }');
  });

  it('says with a code that a folder cannot be written, and leaves nothing behind', async () => {
    const dir = folder({ '.argus': 'a file where the folder should be' });
    await expect(initProject(dir, {}, false)).rejects.toMatchObject({
      code: 'CONFIG_UNWRITABLE',
      error: { details: { file: join(dir, 'argus.config.yaml') } },
    });
    expect(readdirSync(dir)).toEqual(['.argus']);
  });

  it('says which configuration of a folder above no longer counts', async () => {
    const dir = folder({
      'argus.config.yaml': 'project: { name: all }',
      '.git/HEAD': '',
      'one/Dockerfile': 'FROM x',
    });
    const { notes } = await initProject(join(dir, 'one'), {}, false);
    expect(notes).toContain(
      `${join(dir, 'argus.config.yaml')} no longer counts in this folder, because this file comes first`,
    );
  });
});

describe('what is not UTF-8', () => {
  const encodings: [string, (text: string) => Buffer][] = [
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Latin-1', (text) => Buffer.from(text, 'latin1')],
  ];
  const sources: [string, string][] = [
    ['compose.yaml', 'services: { api: { image: café } }'],
    ['Dockerfile', 'FROM café'],
    ['e2e.yaml', 'services: { api: { image: café } }'],
  ];
  const cases = encodings.flatMap(([name, encode]) =>
    sources.map(([file, text]) => [file, name, encode(text)] as const),
  );

  it.each(cases)('is said of %s in %s, and nothing of it is shown', async (file, encoding, content) => {
    const { result, text, raw } = await made({ [file]: content });
    expect(result.notes).toContain(
      `${file} was passed over: it is not UTF-8, it looks like ${encoding}; save it as UTF-8`,
    );
    expect(raw.services ?? {}).toEqual({});
    expect(text).not.toContain('\uFFFD');
  });

  it.each(encodings)('is said of a package.json in %s', async (encoding, encode) => {
    const dir = folder({ 'package.json': encode('{"name":"café"}') });
    await expect(initProject(dir, {}, false)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(`package.json has .* is not UTF-8, it looks like ${encoding}`),
    });
  });
});

it('a former configuration that is broken is passed over in plain words', async () => {
  const { result } = await made({ 'e2e.yaml': 'services: [' });
  expect(result.notes.join()).toContain('e2e.yaml was passed over: ');
  expect(result.notes.join()).not.toContain('ArgusError');
});
