import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { isArgusError } from '../model/argus-error.js';
import { configInvalid } from '../model/core-error-codes.js';
import { isErrorOf } from '../model/error-code.js';
import { definePlugin } from '../model/plugin.js';
import { projectFolder } from './fixtures/project-folder.js';
import { loadConfig } from './load-config.js';
import { size } from './size.js';

const disk = definePlugin({
  name: 'disk',
  options: z.strictObject({ threshold: size().default('2GB') }),
  apply: () => undefined,
});
const ports = definePlugin({ name: 'ports', apply: () => undefined });
const builtins = {
  '@argusai/plugin-disk': async () => disk,
  '@argusai/plugin-ports': async () => ports,
};

const load = (cwd: string, file?: string) => loadConfig({ cwd, builtins, ...(file ? { file } : {}) });

async function problemsOf(loading: Promise<unknown>) {
  const thrown: unknown = await loading.then(
    () => undefined,
    (error) => error,
  );
  if (!isArgusError(thrown) || !isErrorOf(thrown.error, configInvalid)) throw thrown;
  return { ...thrown.error.details, message: thrown.message };
}

describe('without a configuration file', () => {
  it('runs every built-in plugin with its defaults in a project named after its folder', async () => {
    const dir = projectFolder();
    const { config, file, project, plugins, raw } = await load(dir);
    expect({ file, raw, project }).toEqual({ file: null, raw: {}, project: { name: basename(dir), dir } });
    expect(plugins).toEqual([
      { plugin: disk, options: { threshold: 2_000_000_000 }, source: 'built-in', optionsKey: 'plugins' },
      { plugin: ports, options: {}, source: 'built-in', optionsKey: 'plugins' },
    ]);
    expect(config.resilience.container).toEqual({
      restartOnFailure: true,
      maxRestarts: 3,
      restartDelay: 2000,
      restartBackoff: 'exponential',
      maxRestartDelay: 60_000,
      restartJitter: 0,
      stabilityWindow: 10_000,
      stormLimit: { max: 10, per: 3_600_000 },
    });
  });

  it('takes the name of package.json, if that has one', async () => {
    expect((await load(projectFolder({ 'package.json': { name: '@scope/shop' } }))).project.name).toBe(
      '@scope/shop',
    );
    const nameless = projectFolder({ 'package.json': {} });
    expect((await load(nameless)).project.name).toBe(basename(nameless));
  });

  it('is an error when the folder does not exist', async () => {
    const { problems } = await problemsOf(load(join(projectFolder(), 'nowhere')));
    expect(problems[0]?.message).toContain('there is no folder');
  });
});

describe('a configuration for a project in another folder', () => {
  const plugin = (name: string) => `export default { name: '${name}', apply() {} };`;
  const installed = (folder: string, name: string) => ({
    [`${folder}/node_modules/${name}/package.json`]: { name, type: 'module', exports: './index.js' },
    [`${folder}/node_modules/${name}/index.js`]: plugin(`${folder}-${name}`),
  });

  it('is read from its file and belongs to the folder that is named', async () => {
    const dir = projectFolder({
      'shared/argus.config.json': { plugins: ['./own.mjs', 'both', 'beside'] },
      'shared/own.mjs': plugin('own'),
      'shop/own.mjs': plugin('wrong'),
      'shop/package.json': { name: 'shop' },
      ...installed('shop', 'both'),
      ...installed('shared', 'both'),
      ...installed('shared', 'beside'),
    });
    const file = 'shared/argus.config.json';
    const { project, plugins, ...origin } = await loadConfig({ cwd: dir, file, dir: 'shop', builtins });
    expect(project).toEqual({ name: 'shop', dir: join(dir, 'shop') });
    expect(origin.file).toBe(join(dir, file));
    // A path belongs to the file it stands in; a package to the project, or else to the file.
    expect(plugins.map((loaded) => loaded.plugin.name)).toEqual(['own', 'shop-both', 'shared-beside']);
  });

  it('says where plugins were looked for', async () => {
    const dir = projectFolder({ 'a/c.json': { plugins: ['./nope.mjs', 'nope'] }, 'b/nope.mjs': '' });
    const { problems } = await problemsOf(loadConfig({ cwd: dir, file: 'a/c.json', dir: 'b', builtins }));
    const [path, name] = problems.map(({ message }) => message);
    expect(path).toBe(`there is no file ./nope.mjs in ${join(dir, 'a')}`);
    expect(name).toContain(`in ${join(dir, 'b')} or ${join(dir, 'a')}`);
  });
});

describe('a project that a link leads to', () => {
  it('has one folder, whichever way it is named', async () => {
    const base = projectFolder({ 'real/argus.config.yaml': 'project: { name: shop }', 'real/in/x': '' });
    const dir = join(base, 'real');
    mkdirSync(join(dir, '.git'));
    symlinkSync(dir, join(base, 'link'));
    symlinkSync(join(dir, 'in'), join(base, 'inside'));
    const file = join(dir, 'argus.config.yaml');
    for (const way of [load(join(base, 'link')), load(base, 'link/argus.config.yaml')])
      expect(await way).toMatchObject({ file, project: { name: 'shop', dir } });
    // As from the folder itself: what is searched lies above it, and not above the link.
    expect(await load(join(base, 'inside'))).toMatchObject({ file, project: { dir } });
    const named = { cwd: base, file, dir: join(base, 'inside'), builtins };
    expect((await loadConfig(named)).project.dir).toBe(join(dir, 'in'));
  });

  it('is where the link lies, if only its configuration is one', async () => {
    const dir = projectFolder({ 'shared/one.yaml': '', 'tree/x': '' });
    const file = join(dir, 'tree', 'argus.config.yaml');
    symlinkSync(join(dir, 'shared', 'one.yaml'), file);
    expect(await load(join(dir, 'tree'))).toMatchObject({ file, project: { dir: join(dir, 'tree') } });
  });
});

describe('the places of a configuration', () => {
  it.each([
    ['argus.config.yaml', 'project: { name: found }'],
    ['argus.config.yml', 'project: { name: found }'],
    ['argus.config.json', '{"project":{"name":"found"}}'],
    ['argus.config.ts', 'const name: string = "found"; export default { project: { name } };'],
    ['argus.config.mts', 'const name: string = "found"; export default { project: { name } };'],
    ['argus.config.js', 'export default { project: { name: "found" } };'],
    ['argus.config.mjs', 'export default { project: { name: "found" } };'],
    ['argus.config.cjs', 'module.exports = { project: { name: "found" } };'],
    ['.argusrc', 'project: { name: found }'],
    ['.argusrc.json', '{"project":{"name":"found"}}'],
    ['.argusrc.yaml', 'project: { name: found }'],
    ['.argusrc.mjs', 'export default { project: { name: "found" } };'],
    ['.argusrc.cjs', 'exports.__esModule = true; exports.default = { project: { name: "found" } };'],
    ['.argusrc.ts', 'export default { project: { name: "found" as string } };'],
    ['package.json', '{"name":"other","argus":{"project":{"name":"found"}}}'],
    ['e2e.yaml', 'project: { name: found }'],
    ['e2e.yml', 'project: { name: found }'],
  ])('include %s', async (name, text) => {
    const dir = projectFolder({ [name]: text });
    const loaded = await load(dir);
    expect(loaded.project).toEqual({ name: 'found', dir });
    expect(loaded.file).toBe(join(dir, name));
  });

  it('are searched upwards to the root of the repository and no further', async () => {
    const dir = projectFolder({
      'e2e.yaml': 'project: { name: outside }',
      'repository/argus.config.yaml': 'project: { name: inside }',
      'repository/packages/api/package.json': { name: 'api' },
    });
    mkdirSync(join(dir, 'repository/.git'));
    const loaded = await load(join(dir, 'repository/packages/api'));
    expect(loaded.project).toEqual({ name: 'inside', dir: join(dir, 'repository') });
    mkdirSync(join(dir, 'repository/packages/.git'));
    expect((await load(join(dir, 'repository/packages/api'))).file).toBeNull();
  });

  it('are searched in a package.json too, and one that is broken is told', async () => {
    const dir = projectFolder({ 'package.json': '{ "name": ' });
    const { file, problems, message } = await problemsOf(load(dir));
    expect(file).toBe(join(dir, 'package.json'));
    expect(problems[0]?.message).toContain('is not valid JSON');
    expect(message).not.toContain('\n');
  });

  it('are searched with no settings of the folder for the search itself, and nothing is run for it', async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    const leaveMark = `require('node:fs').writeFileSync(__dirname + '/mark', ''); module.exports = {};`;
    const dir = projectFolder({
      '.config/config.cjs': leaveMark,
      'package.json': { cosmiconfig: { searchPlaces: ['other.json'] } },
      'other.json': { project: { name: 'other' } },
      'argus.config.yaml': 'project: { name: found }',
    });
    process.chdir(dir);
    expect((await load(dir)).project.name).toBe('found');
    rmSync(join(dir, 'package.json'));
    expect((await load(dir)).project.name).toBe('found');
    // It would be imported, which takes a moment.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(existsSync(join(dir, '.config/mark'))).toBe(false);
  });

  it('outside a repository are those of the folder itself', async () => {
    const dir = projectFolder({ 'e2e.yaml': 'project: { name: outside }', 'sub/file': '' });
    expect((await load(join(dir, 'sub'))).file).toBeNull();
  });

  it('that are there but cannot be read are told, not passed over', async () => {
    const { file, problems } = await problemsOf(load(projectFolder({ 'argus.config.yaml/x': '' })));
    expect(basename(file ?? '')).toBe('argus.config.yaml');
    expect(problems[0]?.message).toBe('the file cannot be read');
  });

  it.each([
    ['leads nowhere', 'gone.yaml'],
    ['leads back to itself', 'argus.config.yaml'],
  ])('that are a link which %s are told, not passed over', async (_, target) => {
    const dir = projectFolder();
    symlinkSync(target, join(dir, 'argus.config.yaml'));
    const { file, problems } = await problemsOf(load(dir));
    expect(basename(file ?? '')).toBe('argus.config.yaml');
    expect(problems[0]?.message).toBe('this is a link that leads nowhere');
  });

  it('that are a pipe are refused, because whoever reads it may wait for ever', async () => {
    const dir = projectFolder();
    execFileSync('mkfifo', [join(dir, 'argus.config.yaml')]);
    const { problems } = await problemsOf(load(dir));
    expect(problems[0]?.message).toBe('this is no regular file');
  });

  it('may be named, relative to the folder', async () => {
    const dir = projectFolder({
      'e2e.yaml': 'project: { name: no }',
      'ci/special.yml': 'project: { name: yes }',
    });
    const loaded = await load(dir, 'ci/special.yml');
    expect(loaded.project).toEqual({ name: 'yes', dir: join(dir, 'ci') });
  });

  it.each([
    ['missing.yaml', 'there is no such file'],
    ['folder.yaml', 'this is a folder'],
    ['argus.toml', 'files with the extension ".toml" are not understood'],
    ['package.json', 'there is no property "argus"'],
    ['file/below.yaml', 'there is no such file'],
  ])('that are named wrongly are told: %s', async (name, message) => {
    const dir = projectFolder({ 'argus.toml': 'x', 'package.json': {}, 'folder.yaml/x': '', file: '' });
    const { problems, file } = await problemsOf(load(dir, name));
    expect(file).toBe(join(dir, name));
    expect(problems[0]?.message).toContain(message);
  });
});

describe('a configuration file', () => {
  it.each(['argus.config.yaml', 'argus.config.json', 'argus.config.ts', '.argusrc'])(
    'may be empty: %s',
    async (name) => {
      const dir = projectFolder({ [name]: '\n' });
      const { file, config } = await load(dir);
      expect(file).toBe(join(dir, name));
      expect(config.policy.autonomy).toBe('moderate');
    },
  );

  it('may consist of comments', async () => {
    expect((await load(projectFolder({ 'e2e.yaml': '# nothing yet\n' }))).plugins).toHaveLength(2);
  });

  it('may be a function, also one that takes its time', async () => {
    const text = 'export default async () => ({ project: { name: await Promise.resolve("later") } });';
    expect((await load(projectFolder({ 'argus.config.mjs': text }))).project.name).toBe('later');
    expect((await load(projectFolder({ 'argus.config.ts': text }))).project.name).toBe('later');
  });

  it('may use merge keys, anchors and aliases in YAML', async () => {
    const text = `services:
  one: &base { image: x, environment: { A: 1 } }
  two: { <<: *base, command: run }
`;
    const { services } = (await load(projectFolder({ 'e2e.yaml': text }))).config;
    expect(services.two).toMatchObject({ image: 'x', command: 'run', environment: { A: '1' } });
  });

  it('in TypeScript loads where no typescript can be found, with enums, relative imports and packages', async () => {
    const dir = projectFolder({
      'argus.config.ts': `
        import { suffix } from './settings.js';
        import word from 'esm-word';
        enum Autonomy { Low = 'observe' }
        interface Shape { name: string }
        const project: Shape = { name: word + suffix };
        export default { project, policy: { autonomy: Autonomy.Low } };`,
      'settings.ts': 'export const suffix: string = "-two";',
      'node_modules/esm-word/package.json': {
        name: 'esm-word',
        type: 'module',
        exports: { import: './main.js' },
      },
      'node_modules/esm-word/main.js': 'export default await Promise.resolve("one");',
    });
    expect(() => createRequire(join(dir, 'x.js')).resolve('typescript')).toThrow();
    const { config } = await load(dir);
    expect(config).toMatchObject({ project: { name: 'one-two' }, policy: { autonomy: 'observe' } });
  });

  it.each([
    ['argus.config.json', '{ "services": { "a": { "environment": { "X": "1",\n"X": "2" } } } }'],
    ['argus.config.yaml', 'services:\n  a:\n    environment:\n      X: "1"\n      X: "2"\n'],
    ['e2e.yaml', 'services: { a: { environment: { X: "1", X: "2" } } }\n'],
  ])('says in what a key is there twice: %s', async (name, text) => {
    const { problems } = await problemsOf(load(projectFolder({ [name]: text })));
    expect(problems).toMatchObject([
      { path: 'services.a.environment', message: 'the key "X" is there twice' },
    ]);
  });

  it.each([
    ['argus.config.json', '{\n  "project": {,}\n}', 'is not valid JSON', 2],
    ['argus.config.json', '{\n  "project": {', 'is not valid JSON', 2],
    ['argus.config.json', '{\n  "project": { "name": shop },\n  "services": {}\n}\n', 'is not valid JSON', 2],
    ['argus.config.json', '{\n  "project": {},\n  "services": {},\n}\n\n', 'is not valid JSON', 4],
    ['package.json', '{ "argus": ', 'is not valid JSON', 1],
    ['argus.config.yaml', 'project:\n  name: [a\nservices: {}\n', 'is not valid YAML', 3],
    ['argus.config.yaml', 'project: {}\nservices: {}\nproject: {}\n', 'the key "project" is there twice', 3],
    ['e2e.yaml', 'services: { a: {command: x}, a: {command: y} }\n', 'the key "a" is there twice', 1],
    ['e2e.yaml', 'services:\n  "a b":\n    image: x\n  ? "a b"\n  : {}\n', 'the key "a b" is there twice', 4],
    ['argus.config.json', '{ "services": {\n "a": {},\n "a": {} } }', 'the key "a" is there twice', 3],
    [
      'package.json',
      '{ "argus": { "services": {},\n "services": {} } }',
      'the key "services" is there twice',
      2,
    ],
    ['e2e.yaml', 'project: { name: *no }', 'there is no anchor &no before the alias *no, at "project: {', 1],
    ['e2e.yaml', 'project: {}\nservices: *no\nmocks: &no {}\n', 'there is no anchor &no before', 2],
    ['argus.config.yaml', 'a: 1\n---\nb: 2\n', 'has a second document, expected only one', 2],
    ['argus.config.ts', 'const x: = 3', 'cannot be loaded: ParseError', undefined],
    [
      'argus.config.ts',
      'throw new TypeError("not today")',
      'cannot be loaded: TypeError: not today',
      undefined,
    ],
    ['argus.config.ts', 'import "./gone.js"; export default {}', 'cannot be loaded', undefined],
    ...['argus.config.ts', 'argus.config.mjs'].map((name): [string, string, string, undefined] => [
      name,
      'import "@nobody/has-this/file"; export default {}',
      'install it with "npm install @nobody/has-this"',
      undefined,
    ]),
    ['argus.config.mjs', 'throw "text"', 'cannot be loaded: text', undefined],
    [
      'argus.config.mjs',
      'export default () => { throw Object.assign(new Error("no file"), { code: "ENOENT" }) }',
      'cannot be loaded: no file',
      undefined,
    ],
    ['argus.config.mjs', 'export const config = {}', 'exports no configuration', undefined],
  ])('that cannot be read is told: %s with %j', async (name, text, message, line) => {
    const dir = projectFolder({ [name]: text });
    const { problems, file } = await problemsOf(load(dir));
    expect(file).toBe(join(dir, name));
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.message).not.toContain('\n');
    expect(problems[0]?.line).toBe(line);
  });

  it.each(['argus.config.ts', 'argus.config.mjs'])(
    'is not advised to install a file of its own that is gone: %s',
    async (name) => {
      const dir = projectFolder({ [name]: 'import "./gone.js"; export default {}' });
      const { problems } = await problemsOf(load(dir));
      expect(problems[0]?.message).toContain('gone.js');
      expect(problems[0]?.message).not.toContain('npm install');
    },
  );

  it('whose aliases would explode is told', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `a${row + 1}: &a${row + 1} [${Array(9).fill(`*a${row}`).join(',')}]`,
    );
    const { problems } = await problemsOf(
      load(projectFolder({ 'e2e.yaml': `a0: &a0 [x]\n${rows.join('\n')}` })),
    );
    expect(problems[0]?.message).toContain('is not valid YAML');
    expect(problems[0]?.message).not.toContain('Error');
  });

  it.each([
    [
      'e2e.yaml',
      'services:\n  api: &api\n    command: node x\n    environment: *api\n',
      'services.api.environment',
      4,
    ],
    ['e2e.yaml', 'project: &all\n  name: x\n  more: [*all]\n', 'project.more[0]', 3],
    [
      'argus.config.mjs',
      'const e = {}; e.E = e; export default { services: { api: { command: "x", environment: e } } };',
      'services.api.environment.E',
      undefined,
    ],
  ])('that has no end is told: %s with %j', async (name, text, path, line) => {
    const { problems } = await problemsOf(load(projectFolder({ [name]: text })));
    const message = 'leads back to what it lies in, so it has no end';
    expect(problems).toEqual([{ path, message, ...(line === undefined ? {} : { line }) }]);
  });

  it.each([
    ['export default { get project() { throw new Error("no looking"); } };', '(root)', 'no looking'],
    [
      'const api = { get command() { throw new Error("not now"); } }; export default { services: { api } };',
      'services.api',
      'not now',
    ],
    ['export default new Proxy({}, { ownKeys() { throw new Error("no keys"); } });', '(root)', 'no keys'],
  ])('that breaks when it is looked at is told: %j', async (text, path, why) => {
    const { problems } = await problemsOf(load(projectFolder({ 'argus.config.mjs': text })));
    expect(problems).toEqual([{ path, message: `breaks when it is looked at: ${why}` }]);
  });

  it('that throws something that cannot be looked at is told', async () => {
    const text = 'throw { toString() { throw 1; } };';
    const { problems } = await problemsOf(load(projectFolder({ 'argus.config.mjs': text })));
    expect(problems[0]?.message).toBe('cannot be loaded: something was thrown that cannot be looked at');
  });

  it('may say the same in two places', async () => {
    const text =
      'services:\n  a: &a\n    command: node x\n    vars: &v { B: c }\n  b: *a\n  c: { command: x, vars: *v }\n';
    const { config } = await load(projectFolder({ 'e2e.yaml': text }));
    expect(Object.keys(config.services)).toEqual(['a', 'b', 'c']);
  });

  it('that is not an object is told', async () => {
    const { problems } = await problemsOf(load(projectFolder({ 'e2e.yaml': 'just text' })));
    expect(problems).toEqual([
      {
        path: '(root)',
        message: 'expected an object, got "just text"',
        value: 'just text',
        expected: 'an object',
      },
    ]);
  });
});

describe('all problems', () => {
  const text = `project: { nmae: shop }
plugins:
  - "@argusai/plugin-dsik"
  - ["@argusai/plugin-disk", { treshold: 5GB }]
  - ./checks/none.ts
services:
  api:
    image: shop/api
    ports: ["8080:3000", "http"]
    dependsOn: [bd]
  db:
    imgae: postgres
resilience:
  preflight:
    diskSpaceThreshold: 2 gigs
  container: { maxRestarts: 11, restartBackoff: exponentail }
`;

  it('are told at once: of the schema, of references, of plugins and of their options, with their lines', async () => {
    const dir = projectFolder({ 'e2e.yaml': text });
    const { file, problems, message } = await problemsOf(load(dir));
    expect(file).toBe(join(dir, 'e2e.yaml'));
    expect(problems.map(({ path, line, suggestion }) => [path, line, suggestion])).toEqual([
      ['project.nmae', 1, 'name'],
      ['plugins[0]', 3, '@argusai/plugin-disk'],
      ['plugins[1][1].treshold', 4, 'threshold'],
      ['plugins[2]', 5, undefined],
      ['services.api.ports[1]', 9, undefined],
      ['services.api.dependsOn[0]', 10, 'db'],
      ['services.db', 11, undefined],
      ['services.db.imgae', 12, 'image'],
      ['resilience.preflight.diskSpaceThreshold', 15, undefined],
      ['resilience.container.maxRestarts', 16, undefined],
      ['resilience.container.restartBackoff', 16, 'exponential'],
    ]);
    expect(message).toContain(
      'e2e.yaml has 11 problems, the first: project.nmae, line 1: unknown key "nmae"',
    );
    expect(message).not.toContain('\n');
  });

  it('of package.json are placed by line too', async () => {
    const dir = projectFolder({ 'package.json': { name: 'x', argus: { policy: { autonomy: 'ful' } } } });
    const { problems } = await problemsOf(load(dir));
    expect(problems).toEqual([
      {
        path: 'policy.autonomy',
        message:
          '"ful" is not possible here, expected one of observe, cautious, moderate, full, did you mean "full"?',
        value: 'ful',
        expected: 'one of observe, cautious, moderate, full',
        suggestion: 'full',
        line: 5,
      },
    ]);
  });

  it('never show what a credential is', async () => {
    const yaml = `services:
  api:
    image: x
    environment:
      DB_PASSWORD: [hunter2-hunter2]
      apiToken: { v: hunter2-hunter2 }
    build: { password: hunter2-hunter2 }
`;
    const told = JSON.stringify(await problemsOf(load(projectFolder({ 'e2e.yaml': yaml }))));
    expect(told).toContain('DB_PASSWORD');
    expect(told).not.toContain('hunter2');
  });
});
