import { describe, expect, it } from 'vitest';
import { configSchema, defaultConfig, defineConfig } from './schema.js';
import { validate } from './validate.js';

const problemsOf = (input: unknown) =>
  validate(configSchema, input).problems.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('an empty configuration', () => {
  it('is complete, with everything that recovers turned on', () => {
    expect(defaultConfig()).toEqual({
      project: {},
      services: {},
      mocks: {},
      tests: { suites: [] },
      environment: { lease: 86_400_000, stopTimeout: 10_000 },
      resilience: {
        preflight: { enabled: true, diskSpaceThreshold: 2_000_000_000, cleanOrphans: true },
        container: {
          restartOnFailure: true,
          maxRestarts: 3,
          restartDelay: 2000,
          restartBackoff: 'exponential',
          maxRestartDelay: 60_000,
          restartJitter: 0,
          stabilityWindow: 10_000,
          stormLimit: { max: 10, per: 3_600_000 },
        },
        network: { portConflictStrategy: 'auto', verifyConnectivity: true },
        circuitBreaker: { enabled: true, failureThreshold: 5, resetTimeoutMs: 30_000 },
      },
      policy: {
        autonomy: 'moderate',
        budget: { max: 2, per: 3_600_000 },
        correlatedFailures: 3,
        consecutiveFailures: 3,
        exclude: [],
      },
      state: {},
    });
  });

  it('has what empty sections have', () => {
    expect(configSchema.parse({ resilience: {}, policy: {} })).toEqual(defaultConfig());
  });

  it('keeps the other defaults of a section that says something', () => {
    const { resilience, policy } = configSchema.parse({
      resilience: { container: { maxRestarts: 0 } },
      policy: { budget: { per: '30m' } },
    });
    expect(resilience.container).toMatchObject({ maxRestarts: 0, restartDelay: 2000 });
    expect(resilience.preflight.enabled).toBe(true);
    expect(policy.budget).toEqual({ max: 2, per: 1_800_000 });
  });
});

describe('the bounds of resilience', () => {
  it.each([
    [{ container: { maxRestarts: 11 } }, 'expected at most 10, got 11'],
    [{ container: { maxRestarts: -1 } }, 'expected at least 0, got -1'],
    [{ container: { maxRestarts: 2.5 } }, 'expected a whole number'],
    [{ circuitBreaker: { failureThreshold: 0 } }, 'expected at least 1, got 0'],
    [{ circuitBreaker: { failureThreshold: 21 } }, 'expected at most 20, got 21'],
    [{ circuitBreaker: { resetTimeoutMs: -1 } }, 'expected at least 0, got -1'],
    [{ preflight: { enabled: 'yes' } }, 'expected true or false, got "yes"'],
    [{ network: { portConflictStrategy: 'atuo' } }, 'did you mean "auto"?'],
  ])('reject %j', (resilience, message) => {
    expect(problemsOf({ resilience })).toEqual([expect.stringContaining(message)]);
  });
});

describe('a service', () => {
  it('of every kind is understood', () => {
    const config = defineConfig({
      services: {
        api: {
          image: 'shop/api:dev',
          ports: ['8080:3000'],
          environment: { DATABASE_URL: 'postgres://db:5432/shop', DEBUG: true, LEVEL: 3 },
          healthcheck: { http: '/health', port: 3000, startPeriod: '30s' },
          dependsOn: ['db', 'pay'],
          restartWith: ['db'],
          vars: { base_url: 'http://localhost:8080' },
          memory: '512m',
          cpus: 0.5,
          user: 1000,
          entrypoint: ['/bin/sh', '-c'],
        },
        db: { build: './db', ports: ['5432'], volumes: ['data:/data'], healthcheck: { tcp: 5432 } },
        web: { build: { context: 'web', args: { NODE: 20 }, target: 'dev' } },
        migrate: { command: 'npm run migrate', oneShot: true, healthcheck: { command: ['true'] } },
      },
      mocks: {
        pay: { port: 9081, routes: [{ path: '/x', response: { body: { ok: true } } }] },
        mail: { image: 'mailhog', environment: { X: 1 } },
      },
      tests: { suites: [{ id: 'smoke', command: 'npx vitest run', timeout: '5m' }] },
    });
    const { services, mocks, tests } = configSchema.parse(config);
    expect(services.api).toMatchObject({
      ports: [{ host: 8080, container: 3000 }],
      environment: { DEBUG: 'true', LEVEL: '3' },
      healthcheck: { interval: 1000, timeout: 5000, retries: 10, startPeriod: 30_000 },
      memory: 512 * 1024 ** 2,
      user: '1000',
      oneShot: false,
    });
    expect(services.web?.build).toEqual({ context: 'web', args: { NODE: '20' }, target: 'dev' });
    expect(mocks.pay?.routes?.[0]).toEqual({
      method: 'GET',
      path: '/x',
      response: { status: 200, headers: {}, body: { ok: true }, delay: 0 },
    });
    expect(tests.suites[0]).toMatchObject({ id: 'smoke', timeout: 300_000 });
  });

  it.each([
    [{ ports: [1] }, 'services.api: needs at least one of image, build or command'],
    [5, 'services.api: expected an object, got 5'],
    [{ image: '' }, 'services.api.image: must not be empty'],
    [{ image: 'x', cpus: 0 }, 'services.api.cpus: expected more than 0, got 0'],
    [
      { image: 'x', healthcheck: {} },
      'services.api.healthcheck: needs exactly one of http, tcp or command; none is there',
    ],
    [
      { image: 'x', healthcheck: { http: '/', tcp: 80 } },
      'services.api.healthcheck: needs exactly one of http, tcp or command; http and tcp are there',
    ],
    [
      { image: 'x', healthcheck: { http: '/health' } },
      'services.api.healthcheck.http: has no port to ask for it: publish one, for instance ports: ["8080"], which gives it any free port of this machine, or use healthcheck.command',
    ],
    [
      { command: 'x', healthcheck: { http: '/health' }, ports: ['53/udp'] },
      'services.api.healthcheck.http: has no port to ask for it: publish one over TCP under ports, or name it as healthcheck.port',
    ],
    [
      { image: 'x', healthcheck: { http: 'health' } },
      'services.api.healthcheck.http: must be a path such as /health or a whole URL',
    ],
    [
      { image: 'x', command: 5 },
      'services.api.command: expected a command line or a list of arguments, got 5',
    ],
    [{ image: 'x', command: ['a', 5] }, 'services.api.command.1: expected a string, got 5'],
    [
      { image: 'x', environment: { A: null } },
      'services.api.environment.A: expected a string, a number, or true or false, got null',
    ],
    [{ image: 'x', environment: ['A=1'] }, 'services.api.environment: expected an object, got a list'],
    [{ build: { contxt: '.' } }, 'services.api.build.contxt: unknown key "contxt", did you mean "context"?'],
    [{ build: 5 }, 'services.api.build: expected a string or an object, got 5'],
    [{ image: 'x', memory: 'lots' }, 'services.api.memory: "lots" is not a size'],
  ])('that is wrong is told: %j', (api, message) => {
    expect(problemsOf({ services: { api } })).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [{ image: 'x', healthcheck: { tcp: 5432 } }, 'tcp'],
    [{ build: '.', healthcheck: { tcp: 5432 }, ports: ['5433', '5432:5433'] }, 'tcp'],
    [{ image: 'x', healthcheck: { tcp: 5432 }, ports: ['5432/udp'] }, 'tcp'],
    [{ image: 'x', healthcheck: { http: '/', port: 5432 }, ports: ['80'] }, 'port'],
    [{ image: 'x', healthcheck: { http: '/', port: 5432 }, ports: ['80-90'] }, 'port'],
  ])('in a container is not asked at a port that it does not publish: %j', (db, key) => {
    const { problems } = validate(configSchema, { services: { db } });
    expect(problems).toEqual([
      {
        path: ['services', 'db', 'healthcheck', key],
        value: 5432,
        message:
          'the container does not publish port 5432, so nothing can ask it there: publish it, for instance ports: ["5432"], which gives it any free port of this machine, or use healthcheck.command',
      },
    ]);
  });

  it.each([
    { image: 'x', healthcheck: { tcp: 5432 }, ports: ['5430-5440'] },
    { image: 'x', healthcheck: { tcp: 5432 }, ports: ['8080-8090:5432', '5432/udp'] },
    { build: '.', healthcheck: { http: '/', port: 5432 }, ports: ['127.0.0.1::5432'] },
    { image: 'x', healthcheck: { http: '/' }, ports: ['53/udp', 80] },
    { image: 'x', healthcheck: { http: 'https://example.org/' } },
    { image: 'x', healthcheck: { command: 'true' } },
    { command: 'x', healthcheck: { tcp: 5432 } },
    { command: 'x', healthcheck: { http: '/', port: 5432 } },
  ])('is asked where it can be: %j', (db) => {
    expect(problemsOf({ services: { db } })).toEqual([]);
  });

  it('must have a name that can be one of a host', () => {
    expect(problemsOf({ services: { 'my api': { image: 'x' } } })).toEqual([
      expect.stringContaining('services.my api: the key "my api" must start with a letter or a digit'),
    ]);
  });

  it('must not have a command of nothing but spaces', () => {
    const { problems } = validate(configSchema, { services: { api: { command: '   ' } } });
    expect(problems).toMatchObject([{ path: ['services', 'api', 'command'] }]);
  });

  it('is looked into under a name that cannot be one', () => {
    expect(problemsOf({ services: { 'my api': { command: 5, prots: [] } } })).toEqual([
      expect.stringContaining('services.my api: the key "my api" must start with'),
      'services.my api.command: expected a command line or a list of arguments, got 5',
      'services.my api.prots: unknown key "prots", did you mean "ports"?',
    ]);
  });

  it('may only name services and mocks that exist', () => {
    const services = {
      api: { image: 'x', dependsOn: ['pay', 'bd'], restartWith: ['nothing'] },
      db: { image: 'x' },
    };
    expect(problemsOf({ services, mocks: { pay: { image: 'x' } } })).toEqual([
      'services.api.dependsOn.1: there is no service "bd", did you mean "db"?',
      'services.api.restartWith.0: there is no service "nothing"',
    ]);
  });

  it('must not wait for itself, however long the way round', () => {
    const waitsFor = (...dependsOn: string[]) => ({ image: 'x', dependsOn });
    const services = {
      a: waitsFor('b'),
      b: waitsFor('c', 'd'),
      c: waitsFor('a'),
      d: waitsFor(),
      e: waitsFor('e'),
      f: waitsFor('a', 'd'),
    };
    expect(problemsOf({ services })).toEqual([
      'services.a.dependsOn: services wait for each other: a → b → c → a',
      'services.e.dependsOn: services wait for each other: e → e',
    ]);
  });

  it('is checked against the others also when something else is wrong', () => {
    const services = {
      api: { image: 5, dependsOn: ['nobody', 7], healthcheck: { retries: 1.5 } },
      db: 'text',
    };
    expect(problemsOf({ services, unknown: 1 })).toEqual([
      'services.api.image: expected a string, got 5',
      'services.api.healthcheck.retries: expected a whole number, got 1.5',
      'services.api.healthcheck: needs exactly one of http, tcp or command; none is there',
      'services.api.dependsOn.1: expected a string, got 7',
      'services.db: expected an object, got "text"',
      'unknown: unknown key "unknown"',
      'services.api.dependsOn.0: there is no service "nobody"',
    ]);
  });
});

describe('a mock', () => {
  it.each([
    [{ port: 1 }, 'needs exactly one of routes or image; none is there'],
    [{ routes: [] }, 'a mock with routes needs a port'],
    [{ port: 1, routes: [], image: 'x' }, 'routes and image are there'],
    [{ port: 1, routes: [{ path: 'x' }] }, 'must start with a slash'],
    [{ port: 1, routes: [{}] }, 'is missing, expected a string'],
    [{ port: 1, routes: [{ path: '/', method: 'get' }] }, 'did you mean "GET"?'],
    [{ port: 65_536, routes: [] }, 'expected at most 65535, got 65536'],
    [{ port: '8080:80', routes: [] }, 'mocks.pay.port: a mock with routes listens on it itself'],
    [{ port: 1, routes: [], command: 'x' }, 'mocks.pay.command: is for a mock with an image'],
    [{ port: '8080-8081:80-81', image: 'x' }, 'stands for several ports, and a mock has one'],
    [{ port: '8080:x', image: 'x' }, '"8080:x" is not a port mapping'],
    [{ port: true, image: 'x' }, 'expected a port such as 8080, or a mapping such as "8080:80"'],
  ])('that is wrong is told: %j', (pay, message) => {
    expect(problemsOf({ mocks: { pay } })).toEqual([expect.stringContaining(message)]);
  });

  it('must not have a name that is the same in variables', () => {
    const x = { image: 'x' };
    expect(problemsOf({ services: { 'my-api': x, my_api: x }, mocks: { 'my.api': x } })).toEqual([
      'services.my_api: "my_api" and "my-api" would both be ARGUS_PORT_MY_API; rename one of them',
      expect.stringContaining('ARGUS_PORT_MY_API'),
    ]);
  });

  it('must not have the name of a service', () => {
    const same = { x: { image: 'x' } };
    expect(problemsOf({ services: same, mocks: same })).toEqual([
      'mocks.x: there is already a service of this name',
    ]);
  });
});

describe('test suites', () => {
  it('must not share an id', () => {
    const suites = ['a', 'b', 'a'].map((id) => ({ id, command: 'true' }));
    expect(problemsOf({ tests: { suites } })).toEqual(['tests.suites.2.id: there is already a suite "a"']);
  });

  it('that share an id are told of together with everything else that is wrong', () => {
    const suites = [
      { id: 'a', command: 'true' },
      { id: 'a', comand: 'true' },
      7,
      { id: 'a', command: 'true' },
    ];
    const told = problemsOf({ services: { x: {} }, tests: { suites } });
    expect(told).toEqual(
      expect.arrayContaining([
        'services.x: needs at least one of image, build or command',
        'tests.suites.1.id: there is already a suite "a"',
        'tests.suites.1.comand: unknown key "comand", did you mean "command"?',
        'tests.suites.2: expected an object, got 7',
        'tests.suites.3.id: there is already a suite "a"',
      ]),
    );
  });
});

describe('a name that JavaScript uses itself', () => {
  const message = (name: string) => `"${name}" cannot be used as a name, because JavaScript itself uses it`;

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'is refused for services and mocks: %s',
    (name) => {
      const mock = { port: 80, routes: [] };
      expect(problemsOf({ services: { [name]: { image: 'x' } } })).toEqual([
        `services.${name}: ${message(name)}`,
      ]);
      expect(problemsOf({ mocks: { [name]: mock } })).toEqual([`mocks.${name}: ${message(name)}`]);
    },
  );

  it.each([
    ['{ "services": { "__proto__": { "image": "x" } } }', 'services.__proto__'],
    ['{ "mocks": { "__proto__": { "port": 80, "routes": [] } } }', 'mocks.__proto__'],
    [
      '{ "services": { "a": { "image": "x", "environment": { "__proto__": "1" } } } }',
      'services.a.environment.__proto__',
    ],
    ['{ "plugins": [["x", { "__proto__": {} }]] }', 'plugins.0.1.__proto__'],
    ['{ "__proto__": {} }', '__proto__'],
  ])('is refused wherever it would get lost: %s', (text, path) => {
    expect(problemsOf(JSON.parse(text))).toEqual([`${path}: ${message('__proto__')}`]);
  });

  it('is a suite like any other', () => {
    const suites = ['constructor', '__proto__'].map((id) => ({ id, command: 'true' }));
    expect(configSchema.parse({ tests: { suites } }).tests.suites.map(({ id }) => id)).toEqual([
      'constructor',
      '__proto__',
    ]);
  });
});

describe('plugins', () => {
  const plugin = { name: 'x', apply: () => undefined };

  it('may be named, given as objects, and each with options', () => {
    const plugins = ['a', ['a', { x: 1 }], plugin, [plugin, {}]];
    expect(configSchema.parse({ plugins }).plugins).toEqual(plugins);
  });

  it.each([
    [5, 'plugins.0: expected the name or path of a plugin, or a list of that and its options, got 5'],
    [
      { name: 'x' },
      'plugins.0: expected the name or path of a plugin, or a list of that and its options, got an object',
    ],
    [['a', 5], 'plugins.0.1: expected an object, got 5'],
    [['a', {}, 1], 'plugins.0: expected at most 2 entries, got a list of 3'],
    ['', 'plugins.0: must not be empty'],
  ])('that cannot be one are told: %j', (entry, message) => {
    expect(problemsOf({ plugins: [entry] })).toEqual([message]);
  });
});

describe('a limit that counts within a time', () => {
  it.each([{ policy: { budget: { per: 0 } } }, { resilience: { container: { stormLimit: { per: '0s' } } } }])(
    'is not switched off by a time of nothing: %j',
    (config) => {
      const { problems } = validate(configSchema, config);
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringContaining('longer than nothing'),
      ]);
    },
  );
});
