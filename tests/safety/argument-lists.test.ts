import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ArgusConfig, configSchema, createMemoryStore, systemClock } from '@argusai/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validate } from '../../packages/core/src/config/validate.js';
import { ProcessRecords } from '../../packages/plugin-process/src/records/process-records.js';
import { many } from '../support/many.js';
import { repository } from '../support/run-command.js';
import { type UnderstoodCommand, understand } from './docker-grammar.js';
import { handedOtherwise, wordsIn } from './handed-arguments.js';
import { type Place, placesOf, withText } from './places.js';
import { projectFolder, startedBy } from './started-by.js';
import { wholeConfiguration } from './whole-configuration.js';

const places = placesOf(configSchema, wholeConfiguration);

/** Where processes are kept. */
const records = new ProcessRecords(createMemoryStore({ clock: systemClock }), () => '/state/processes');

/** The configuration, or the places of what is wrong with it. */
function read(data: unknown): { config?: ArgusConfig; refused: string[] } {
  const { value: config, problems } = validate(configSchema, data);
  const refused = problems.map(({ path }) => path.join('.'));
  return config === undefined ? { refused } : { config, refused };
}

/** What may stand in each command, by a configuration that nobody has tampered with. */
async function usual() {
  const { config } = read(wholeConfiguration);
  if (config === undefined) throw new Error('the example is not valid');
  const commands = (await startedBy(config)).map(({ args }) => understand(args));
  const optionsOf = new Map<string, Set<string>>();
  for (const { name, options } of commands) {
    const known = optionsOf.get(name) ?? new Set();
    optionsOf.set(name, new Set([...known, ...options.map(([option]) => option)]));
  }
  return optionsOf;
}

/** What may come more than once. */
const repeated = new Set(['label', 'publish', 'volume', 'env', 'build-arg', 'add-host', 'filter']);

/** How many operands there are besides words that are somebody else's. */
const operandsOf: Readonly<Record<string, number>> = {
  'network create': 1,
  'volume create': 1,
  build: 1,
  pull: 1,
  logs: 1,
};

/** What is wrong with a command: nothing. */
function oddities(
  { name, options, operands }: UnderstoodCommand,
  config: ArgusConfig,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const names = options.map(([option]) => option);
  const strange = names.filter((option) => known.get(name)?.has(option) !== true);
  const doubled = names.filter((option, index) => !repeated.has(option) && names.indexOf(option) !== index);
  const [first = ''] = operands;
  const images = Object.values({ ...config.services, ...config.mocks }).map((one) =>
    'image' in one ? one.image : undefined,
  );
  const isImage = images.includes(first) || first.startsWith('argus-');
  const labels = options.filter(([option]) => option === 'label').map(([, label = '']) => label);
  return [
    ...[...strange, ...doubled].map((option) => `${name} has the option ${option}`),
    ...labels
      .filter(
        (label) => !label.startsWith('argusai.') || (/\.project=/.test(label) && !ownProject(label, config)),
      )
      .map((label) => `${name} has the label ${label}`),
    ...mounted(options)
      .filter((folder) => !spelt(config).has(folder))
      .map((folder) => `${name} mounts ${folder}`),
    ...(['run', 'pull'].includes(name) && !isImage ? [`${name} takes ${first} for its image`] : []),
    ...(['exec', 'logs', 'stop', 'kill'].includes(name) && !first.startsWith('argus-')
      ? [`${name} takes ${first} for a container`]
      : []),
    ...(operandsOf[name] !== undefined && operands.length !== operandsOf[name]
      ? [`${name} has ${operands.length} operands`]
      : []),
  ];
}

function ownProject(label: string, config: ArgusConfig): boolean {
  return label === `argusai.project=${config.project.name ?? 'shop'}`;
}

/** The folders of this machine that a command mounts. */
function mounted(options: UnderstoodCommand['options']): string[] {
  const volumes = options.filter(([option]) => option === 'volume').map(([, value = '']) => value.split(':'));
  return volumes.flatMap(([source = '', target]) =>
    target !== undefined && source.startsWith('/') ? [source] : [],
  );
}

/** The folders that a configuration spells out as such. */
function spelt({ services }: ArgusConfig): Set<string> {
  const sources = Object.values(services).flatMap(({ volumes }) =>
    volumes.map((text) => text.split(':')[0] ?? ''),
  );
  return new Set(sources.map((source) => (source.startsWith('~') ? source : resolve(projectFolder, source))));
}

/** Texts that somebody would write who wants more than a value, and any other. */
const hostile = fc.oneof(
  fc.constantFrom(
    ...['-v/:/host', '--pid=host', '--privileged', '--device=/dev/mem', '--cidfile=/tmp/x', '-', '--', ''],
    ...['--label=argusai.project=other', '/:/host', 'x,src=/,dst=/host', 'a:b:c:d:e', '..', '../../etc:/etc'],
    ...[
      'a=b',
      'a b',
      'a\tb',
      `'a"b`,
      '$(id)',
      '`id`',
      'a;b',
      'a\nb',
      'a\r\nb',
      'a\0b',
      '\0',
      '\u202ex',
      'ü😀',
    ],
    ...['nginx', 'nginx:1', 'localhost:5000/a/b', 'PATH', 'DOCKER_HOST', 'LD_PRELOAD', '{{ports.api}}'],
    ...['8080:80', '1000:1000', '1', 'true', '/', '/health', '__proto__', 'constructor', 'x'.repeat(5_000)],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'-=:,./ @"\'\0\n\r\\vpa0'), maxLength: 12 }),
  fc.tuple(fc.constantFrom('-', '--', '-v', '--volume='), fc.string()).map(([start, rest]) => start + rest),
);

/** What is said of a configuration: where, and what. */
function problemsOf(path: Place['path'], text: string, kind: Place['kind'] = 'value'): string[] {
  const { problems } = validate(configSchema, withText(wholeConfiguration, { path, kind }, text));
  return problems.map((problem) => `${problem.path.join('.')}: ${problem.message}`);
}

describe('nothing of a configuration becomes an option of a client', () => {
  it.each(['-v/:/host', '--pid=host', '--device=/dev/mem', '--cidfile=x', '--label=argusai.project=o', 'A'])(
    'as the image %s is refused with its place',
    (image) => {
      expect(problemsOf(['services', 'api', 'image'], image)).toEqual([
        expect.stringMatching(/^services\.api\.image: expected the name of an image such as .*, got "/),
      ]);
    },
  );

  it.each<[Place['path'], string, RegExp, Place['kind']?]>([
    [['services', 'api', 'user'], '-v', /^services\.api\.user: expected .*user such as "node"/],
    [
      ['services', 'api', 'volumes', 1],
      'data:/a:/b',
      /^services\.api\.volumes\.1: expected a volume such as/,
    ],
    [['services', 'api', 'volumes', 0], ':/etc', /^services\.api\.volumes\.0: expected a volume such as/],
    [['services', 'api', 'volumes', 0], 'data:etc', /^services\.api\.volumes\.0: expected a volume such as/],
    [
      ['services', 'db', 'build', 'target'],
      '--tag=x',
      /^services\.db\.build\.target: expected the name of a stage/,
    ],
    [
      ['services', 'api', 'environment', 'MODE'],
      'A=B',
      /environment\.A=B: the key "A=B" cannot be the name/,
      'key',
    ],
    [['services', 'web', 'healthcheck', 'http'], '//stranger/x', /healthcheck\.http: must be a path such as/],
    [
      ['services', 'web', 'healthcheck', 'http'],
      '/a\r\nHost: b',
      /healthcheck\.http: must have no line breaks/,
    ],
    [['project', 'name'], 'a\nb', /^project\.name: must have no line breaks/],
  ])('as %j with the text %j is refused with its place', (path, text, said, kind) => {
    expect(problemsOf(path, text, kind)).toEqual([expect.stringMatching(said)]);
  });

  it.each([
    'nginx',
    'nginx:1.27',
    'localhost:5000/a/b_c__d--e:T.1',
    `a@sha256:${'0'.repeat(64)}`,
    '[::1]:5000/a',
  ])('while the image %s is fine', (image) =>
    expect(problemsOf(['services', 'api', 'image'], image)).toEqual([]),
  );

  it('and NUL is refused with its place, in values and in names', () => {
    expect(problemsOf(['services', 'worker', 'command'], 'a\0b')).toEqual([
      'services.worker.command: has a NUL character in it, which no program can be given',
    ]);
    expect(problemsOf(['services', 'api', 'environment', 'MODE'], 'a\0b', 'key')).toContain(
      'services.api.environment.a\0b: the key has a NUL character in it, which no program can be given',
    );
  });

  it('nor part of another message: a header with a line break is refused with its place', () => {
    const headers = ['mocks', 'pay', 'routes', 0, 'response', 'headers', 'x-mock'];
    for (const text of ['a\r\nset-cookie: b', 'a\nb', 'a\rb', '\u2028', '\u0007'])
      expect(problemsOf(headers, text)).toEqual([
        expect.stringMatching(/^mocks\.pay\.routes\.0\.response\.headers\.x-mock: must be one line/),
      ]);
    expect(problemsOf(headers, 'x y', 'key')).toEqual([
      expect.stringContaining('cannot be the name of a header'),
    ]);
    expect(problemsOf(headers, 'text/plain; charset=utf-8\t\xfc')).toEqual([]);
  });

  it('whatever is written at any place of it', async () => {
    const known = await usual();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), hostile, async (place, text) => {
        const { config, refused } = read(withText(wholeConfiguration, place, text));
        if (config === undefined) {
          expect(refused).not.toEqual([]);
          return;
        }
        expect(text.includes('\0'), 'NUL is refused').toBe(false);
        const started = await startedBy(config);
        const odd = started.flatMap(({ args }) => oddities(understand(args), config, known));
        expect(odd).toEqual([]);
        expect(started.flatMap(({ args }) => args).filter((word) => word.includes('\0'))).toEqual([]);
        const kept = Object.keys({ ...config.services, ...config.mocks }).map((name) =>
          records.folderOf('r-1', name),
        );
        expect(kept.filter((folder) => dirname(folder) !== '/state/processes/r-1')).toEqual([]);
      }),
      many(2_000),
    );
  }, 1_800_000);

  it('and every field that there is has a place in the example', () => {
    const missing = places
      .filter(({ path }) => valueAt(path) === undefined)
      .map(({ path }) => path.join('.'));
    expect(new Set(places.map(({ path }) => path[0]))).toEqual(new Set(Object.keys(configSchema.shape)));
    // Alternatives that exclude each other.
    expect(missing.filter((path) => !/^(services|mocks|plugins)\./.test(path))).toEqual([]);
  });
});

/** What programs are handed that is made elsewhere, and why that is well. */
const madeElsewhere: Readonly<Record<string, string>> = {
  'adapter-mcp/src/supervision/worker-process.ts: [...process.execArgv, ...process.argv.slice(1)]':
    'its own words, once more',
  'core/src/open/guardian-launcher.ts: args': 'a list after the words of its own program',
  'core/src/suites/run-command.ts: args': 'the command of a suite, which is what a configuration is to say',
  'plugin-docker/src/runtime/build-image.ts: command.args': 'a list, with what belongs to it',
  'plugin-docker/src/runtime/remove-resources.ts: args': 'lists, one for each kind of thing',
  'plugin-docker/src/runtime/start-service.ts: args': 'a list of run-command.ts, with what belongs to it',
  'plugin-docker/src/runtime/start-service.ts: removal(...ids)': 'a list of revive-container.ts',
  'plugin-process/src/programs/kept-command.mjs: args': 'the command of a service, as above',
  'plugin-process/src/runtime/exec.ts: args': 'the command of a health check, as above',
  "plugin-process/src/system/launch-keeper.ts: ['--max-semi-space-size=1', programFile('keeper'), runDir]":
    'for Node: a literal, and a program and a folder of argus',
};

describe('options of programs', () => {
  it('are in lists that argumentList has made, wherever a program is started', () => {
    expect([...new Set(handedOtherwise())]).toEqual(Object.keys(madeElsewhere));
  });

  it.each([
    "client.run(['rm', id])",
    "this.#client.follow(['rm', ...ids])",
    "const args = ['-p', id]; execFileSync('ps', args)",
    "ps(['-p', pid])",
    "function words() { return id ? argumentList(['ps']) : [id]; } daemon.call(words())",
    'export const start = (args) => execa(program, args)',
  ])('and this is not one: %s', (text) => {
    expect(wordsIn('x.mjs', text)).toHaveLength(1);
  });

  it('are spelt in one place', () => {
    const packages = join(repository, 'packages');
    const sources = readdirSync(packages)
      .filter((name) => /^(core$|plugin-|store-)/.test(name))
      .flatMap((name) =>
        readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(name, 'src', file),
        ),
      )
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|fixtures|argument-list\.ts$/.test(file));
    const spelling = sources.filter((file) => /['"]--[a-z]/.test(readFileSync(join(packages, file), 'utf8')));
    // What a configuration is read from or written to, and Node itself.
    expect(spelling.filter((file) => !/\/(init|config)\/|launch-keeper/.test(file))).toEqual([]);
  });
});

function valueAt(path: Place['path']): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    wholeConfiguration,
  );
}
