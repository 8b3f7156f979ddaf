import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, defaultConfig, guardianLauncher, stateDir, systemClock } from '@argusai/core';
import { createSqliteStore } from '@argusai/store-sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeConfig } from '../../packages/core/src/init/write-config.js';
import { statePath, writeState } from '../../packages/plugin-process/src/programs/keeper-state.mjs';
import { OutputFiles, outputPath } from '../../packages/plugin-process/src/programs/output-files.mjs';
import { ProcessRecords } from '../../packages/plugin-process/src/records/process-records.js';
import { programFile } from '../../packages/plugin-process/src/system/program-file.js';

/** A folder of our own, and a file and a folder elsewhere that nobody may touch. */
function world() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'argus-links-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [state, elsewhere] = [join(top, 'state'), join(top, 'elsewhere')];
  mkdirSync(elsewhere);
  const victim = join(elsewhere, 'victim');
  writeFileSync(victim, 'untouched');
  const isUntouched = () =>
    readFileSync(victim, 'utf8') === 'untouched' && readdirSync(elsewhere).length === 1;
  return { top, state, elsewhere, victim, isUntouched };
}

const isRoot = process.getuid?.() === 0;
const unsafe = { code: 'STORE_UNAVAILABLE', error: { details: { reason: 'unsafe' } } };

function open(dir: string) {
  const store = createSqliteStore({ dir });
  onTestFinished(() => store.close());
  return store;
}

describe('what argus keeps', () => {
  it.each(['guardian.log', 'known-stores', 'argus.db-held', 'argus.db-wal', 'argus.db-shm'])(
    'is not written through a link with the name %s',
    async (name) => {
      const { state, victim, isUntouched } = world();
      mkdirSync(state, { mode: 0o700 });
      symlinkSync(victim, join(state, name));
      const log = join(state, 'guardian.log');
      await guardianLauncher(
        ['-e', 'console.log(1)'],
        process.env,
      )({ runId: 'r', dir: state, file: null, log });
      await open(state)
        .put('namespace', 'key', 1)
        .catch(() => undefined);
      expect(isUntouched()).toBe(true);
      expect(statSync(log).mode & 0o777).toBe(0o600);
    },
  );

  it('is not written through a link that stands where a draft would', async () => {
    const { state, victim, isUntouched } = world();
    mkdirSync(state, { mode: 0o700 });
    for (const name of ['known-stores', 'argus.db-held'])
      symlinkSync(victim, join(state, `${name}.${process.pid}.new`));
    await open(state).put('namespace', 'key', 1);
    expect(isUntouched()).toBe(true);
    expect(lstatSync(join(state, 'known-stores')).isFile()).toBe(true);
  });

  it('is in no database that is a link', async () => {
    const { state, victim, isUntouched } = world();
    mkdirSync(state, { mode: 0o700 });
    symlinkSync(victim, join(state, 'argus.db'));
    await expect(open(state).get('namespace', 'key')).rejects.toMatchObject(unsafe);
    await expect(open(state).put('namespace', 'key', 1)).rejects.toMatchObject(unsafe);
    expect(isUntouched()).toBe(true);
  });

  it.each([0o777, 0o1777, 0o775, 0o722])('is in no folder that others may write: %o', async (mode) => {
    const { state } = world();
    mkdirSync(state);
    chmodSync(state, mode);
    const message = `${state} may be written by other users, so argus keeps nothing there`;
    await expect(open(state).get('namespace', 'key')).rejects.toMatchObject({ ...unsafe, message });
    await expect(open(state).put('namespace', 'key', 1)).rejects.toMatchObject({ ...unsafe, message });
    expect(open(state).notices()).toMatchObject([{ code: 'STORE_UNAVAILABLE', message }]);
    expect(readdirSync(state)).toEqual([]);
    chmodSync(state, 0o755);
    expect(await open(state).put('namespace', 'key', 1)).toMatchObject({ stored: true });
  });

  it.skipIf(!isRoot)('is in no folder of another user', async () => {
    const { state } = world();
    mkdirSync(state);
    chownSync(state, 12_345, 12_345);
    const message = `${state} belongs to the user 12345, so argus keeps nothing there`;
    await expect(open(state).put('namespace', 'key', 1)).rejects.toMatchObject({ ...unsafe, message });
  });

  it('is in no folder that is a link, and in none that a project leads elsewhere', async () => {
    const { top, state, elsewhere, isUntouched } = world();
    symlinkSync(elsewhere, state);
    await expect(open(state).put('namespace', 'key', 1)).rejects.toMatchObject(unsafe);
    const inProject = (dir: string) => () =>
      stateDir({ ...defaultConfig(), state: { dir } }, { name: 'shop', dir: top }, {});
    expect(inProject('state')).toThrow(`${state} is a link, so argus keeps nothing there`);
    expect(inProject('state/below')).toThrow(`${state} is a link, so`);
    expect(inProject('elsewhere/below')()).toBe(join(elsewhere, 'below'));
    expect(isUntouched()).toBe(true);
  });

  it('of processes is in no folder that is a link', async () => {
    const { state, elsewhere, isUntouched } = world();
    mkdirSync(state, { mode: 0o700 });
    symlinkSync(elsewhere, join(state, 'processes'));
    const records = new ProcessRecords(createMemoryStore({ clock: systemClock }), () =>
      join(state, 'processes'),
    );
    const record = {
      ...{ project: 'p', runId: 'r', store: 's', worktree: '/w', host: 'h', service: 'api', spec: 'x' },
      ...{ oneShot: false, dir: records.folderOf('r', 'api'), ports: [], createdAt: 0 },
    };
    await expect(records.save(record)).rejects.toMatchObject(unsafe);
    expect(isUntouched()).toBe(true);
  });
});

describe('what the programs of services keep', () => {
  it('is written through no link: their output, their state, that a mock listens', async () => {
    const { state, victim, isUntouched } = world();
    mkdirSync(state, { mode: 0o700 });
    const readyFile = join(state, 'ready.json');
    for (const path of [outputPath(state, 1), statePath(state), readyFile])
      for (const name of [path, `${path}.${process.pid}`, `${path}.draft`]) symlinkSync(victim, name);
    const output = new OutputFiles(state, { size: 1_000, files: 2 });
    output.write('1 o hello\n');
    output.close();
    const keeper = { pid: 1, start: '1', socket: 'keeper.sock' };
    writeState(state, { keeper, phase: 'starting', starts: 0, events: [] });
    const settings = join(state, 'mock.json');
    const places = [{ host: '127.0.0.1', port: 0, needed: 'always' }];
    writeFileSync(settings, JSON.stringify({ name: 'pay', routes: [], places, readyFile, healthPath: '/' }));
    const mock = spawn(process.execPath, [programFile('mock-server'), settings], { stdio: 'ignore' });
    onTestFinished(() => void mock.kill());
    await expect.poll(() => lstatSync(readyFile).isFile()).toBe(true);
    expect(isUntouched()).toBe(true);
    expect(readFileSync(outputPath(state, 1), 'utf8')).toBe('1 o hello\n');
    expect(lstatSync(statePath(state)).isFile()).toBe(true);
  });
});

describe('a first configuration', () => {
  it('is not written where a project leads its folder for the schema elsewhere', () => {
    const { top, elsewhere, isUntouched } = world();
    symlinkSync(elsewhere, join(top, '.argus'));
    const [file, schema] = [join(top, 'argus.config.yaml'), join(top, '.argus', 'schema.json')];
    expect(() => writeConfig({ file, text: 'a: 1' }, { file: schema, text: '{}' })).toThrow(
      `.argus could not be written into ${top}: it is a link`,
    );
    expect(existsSync(file)).toBe(false);
    expect(isUntouched()).toBe(true);
  });

  it('takes the place of a link, and leaves alone where that leads', () => {
    const { top, victim, isUntouched } = world();
    mkdirSync(join(top, '.argus'));
    const [file, schema] = [join(top, 'argus.config.yaml'), join(top, '.argus', 'schema.json')];
    symlinkSync(victim, schema);
    writeConfig({ file, text: 'a: 1' }, { file: schema, text: '{}' });
    expect(lstatSync(schema).isFile()).toBe(true);
    symlinkSync(victim, join(top, 'argus.config.json'));
    expect(() =>
      writeConfig({ file: join(top, 'argus.config.json'), text: '{}' }, { file: schema, text: undefined }),
    ).toThrow('This folder has a configuration already');
    expect(isUntouched()).toBe(true);
  });
});
