import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './fixtures/demo-project.js';

const argus = fileURLToPath(new URL('../dist/argus.js', import.meta.url));

/** Runs the built program in a folder, with a state folder that it must not need. */
function inFolder(files: Record<string, string> = {}) {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const state = join(temporaryFolder(), 'state');
  // No engine answers there: nothing may ask for one.
  const env = { PATH: process.env.PATH ?? '', ARGUS_STATE_DIR: state, DOCKER_HOST: 'tcp://127.0.0.1:1' };
  const run = (...args: string[]) => {
    const options = { cwd: dir, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [argus, ...args], options);
    return { code: status, out: stdout, err: stderr };
  };
  return { dir, run, state };
}

const files = {
  'compose.yaml': `services:
  db: { image: postgres:16, networks: [back], environment: { POSTGRES_PASSWORD: 'k2J9-xyz' } }
  api: { build: ., ports: ['8080:3000'], depends_on: [db] }
`,
  Dockerfile: 'FROM node:20\nEXPOSE 3000\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "vitest" } }',
};

describe('argus init', () => {
  it('writes a configuration that argus takes, and says what is in it and what is not', () => {
    const { run, state } = inFolder(files);
    const { code, out, err } = run('init');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('service db  from compose.yaml\nservice api  from compose.yaml\nsuite test\n');
    expect(out).toContain('note: db: left out: networks: ');
    expect(out).toContain('.argus/schema.json tells editors what can be written');
    expect(out.endsWith('written: argus.config.yaml; next: argus check\n')).toBe(true);
    expect(existsSync(state)).toBe(false);
    expect(run('check', '--only', 'disk.space').code).toBe(0);
    expect(run('completion', '--words', 'services').out).toBe('db\napi\n');
  });

  it('says what is missing where there is nothing to make it from', () => {
    const { run } = inFolder();
    const { code, out } = run('init');
    expect(code).toBe(0);
    expect(out).toContain('note: nothing says what to start: name it under services;');
    expect(
      out.endsWith('written: argus.config.yaml; next: name what to start in it, then argus check\n'),
    ).toBe(true);
  });

  it('writes the schema that argus schema prints', () => {
    const { dir, run } = inFolder(files);
    run('init');
    expect(readFileSync(join(dir, '.argus/schema.json'), 'utf8')).toBe(run('schema').out);
  });

  it('prints the text in a dry run, without secrets, and writes nothing', () => {
    const { dir, run } = inFolder(files);
    const { code, out } = run('init', '--dry-run');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('# yaml-language-server: $schema=./.argus/schema.json');
    expect(out).toContain('\n  api:\n    build: "."\n');
    expect(out).not.toContain('k2J9-xyz');
    expect(readdirSync(dir).toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it('answers programs with what was found and made', () => {
    const { dir, run } = inFolder(files);
    const dry = JSON.parse(run('init', '--dry-run', '--format', 'json').out);
    expect(dry).toMatchObject({
      ok: true,
      data: { written: false, text: expect.stringContaining('services:') },
    });
    const { data } = JSON.parse(run('init', '--format', 'json').out);
    expect(data).toEqual({
      file: join(dir, 'argus.config.yaml'),
      schema: join(dir, '.argus/schema.json'),
      schemaState: 'new',
      written: true,
      found: [
        { kind: 'compose', file: 'compose.yaml' },
        { kind: 'dockerfile', file: 'Dockerfile' },
        { kind: 'package.json', file: 'package.json' },
      ],
      services: [
        { name: 'db', from: 'compose.yaml' },
        { name: 'api', from: 'compose.yaml' },
      ],
      suites: ['test'],
      notes: [expect.stringContaining('networks')],
    });
  });

  it.each(['argus.config.yaml', 'argus.config.ts'])(
    'leaves a broken %s alone, says so with a code and what next, and exits with 2',
    (name) => {
      const { dir, run } = inFolder({ [name]: 'servces: {' });
      const { code, out, err } = run('init');
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toBe(
        `error: This folder has a configuration already: there is ${name}. Nothing was written\ncode: CONFIG_EXISTS\nnext: Edit the configuration that is there, or remove it and ask again.\n`,
      );
      expect(readdirSync(dir)).toEqual([name]);
    },
  );

  it('makes a way out of an e2e.yaml that argus does not take', () => {
    const { run } = inFolder({
      'e2e.yaml': 'version: "1"\nservice: { build: { image: nginx }, container: { name: web } }\n',
    });
    expect(run('check', '--only', 'disk.space').code).toBe(2);
    const { code, out } = run('init');
    expect(code).toBe(0);
    expect(out).toContain('service web  from e2e.yaml\nnote: e2e.yaml is left as it is');
    expect(run('check', '--only', 'disk.space').code).toBe(0);
  });

  it("says that it keeps somebody else's schema", () => {
    const { dir, run } = inFolder();
    mkdirSync(join(dir, '.argus'));
    writeFileSync(join(dir, '.argus/schema.json'), '{ "mine": true }');
    expect(run('init').out).toContain("note: .argus/schema.json is not argus's and was kept");
    expect(readFileSync(join(dir, '.argus/schema.json'), 'utf8')).toBe('{ "mine": true }');
  });

  it('says with a code that a folder cannot be written', () => {
    const { run } = inFolder({ '.argus': '' });
    const { code, err } = run('init');
    expect(code).toBe(1);
    expect(err).toContain(
      'code: CONFIG_UNWRITABLE\nnext: argus init --dry-run shows what would be written\n',
    );
  });

  it('works on the folder that --project names', () => {
    const { dir, run } = inFolder(files);
    const { run: elsewhere } = inFolder();
    expect(elsewhere('init', '--project', dir).code).toBe(0);
    expect(run('init').code).toBe(2);
    const gone = elsewhere('init', '--project', 'nowhere', '--format', 'json');
    expect(gone.code).toBe(2);
    expect(JSON.parse(gone.out).error.code).toBe('USAGE_INVALID');
  });

  it.each([
    ['init --dry-rnu', 'argus init has no option --dry-rnu; did you mean --dry-run?'],
    ['init here', 'argus init does not know what to do with here'],
    ['init --config x.yaml', 'argus init looks for no configuration, so --config says nothing to it'],
    ['inti', 'There is no command inti; did you mean init?'],
  ])('says in one line what is wrong and exits with 2: %s', (args, message) => {
    const { dir, run } = inFolder();
    const { code, err } = run(...args.split(' '));
    expect({ code, first: err.split('\n')[0] }).toEqual({ code: 2, first: `error: ${message}` });
    expect(readdirSync(dir)).toEqual([]);
  });
});
