import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConfig } from '../config/find-config.js';
import { projectFolder } from '../config/fixtures/project-folder.js';
import { readTrusted } from '../config/read-config.js';
import { consentRecords, forgetConsent, isRecorded, recordConsent, recordedCommands } from './records.js';
import { isAgreedTo, isTrusted, requireTrusted, requireTrustedCode } from './trusted.js';

const envOf = (more: object = {}) => ({ ARGUS_STATE_DIR: projectFolder(), ...more });

/** A folder that anybody may write, with a configuration in it. */
function open() {
  const dir = projectFolder({ 'shared/argus.config.mjs': 'export default {};' });
  const folder = join(dir, 'shared');
  chmodSync(folder, 0o777);
  return { dir, folder, file: join(folder, 'argus.config.mjs') };
}

const refusal = (work: () => void) => {
  try {
    work();
  } catch (thrown) {
    return (thrown as { error: { code: string; message: string; details: object } }).error;
  }
  return undefined;
};

describe('what a person has said about a folder', () => {
  it('is remembered once, for its owner only, and forgotten again', () => {
    const env = envOf();
    const folder = projectFolder();
    expect(recordConsent(folder, 'typed', env)).toBe(true);
    expect(recordConsent(folder, 'typed', env)).toBe(false);
    expect(recordConsent(folder, 'trusted', env)).toBe(true);
    expect(consentRecords(env)).toMatchObject([
      { folder, consent: 'trusted', since: expect.any(Number) },
      { folder, consent: 'typed' },
    ]);
    const records = join(env.ARGUS_STATE_DIR, 'trust');
    for (const name of readdirSync(records, { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(records, name)).mode & 0o077).toBe(0);
    expect(forgetConsent(folder, env)).toBe(true);
    expect(forgetConsent(folder, env)).toBe(false);
    expect(consentRecords(env)).toEqual([]);
  });

  it('holds the commands that were there, as of the last time, and when it was first said', () => {
    const env = envOf();
    const folder = projectFolder();
    const kept = () => recordedCommands(folder, env);
    expect(kept()).toEqual([]);
    recordConsent(folder, 'typed', env);
    expect(kept()).toEqual([]);
    const records = join(env.ARGUS_STATE_DIR, 'trust');
    for (const name of readdirSync(records)) utimesSync(join(records, name), 1_000, 1_000);
    expect(recordConsent(folder, 'typed', env, ['hello', 'shop-greet'])).toBe(false);
    expect(kept()).toEqual(['hello', 'shop-greet']);
    expect(consentRecords(env)).toEqual([{ folder, consent: 'typed', since: 1_000_000 }]);
    for (const commands of [['other'], []]) {
      recordConsent(folder, 'typed', env, commands);
      expect(kept()).toEqual(commands);
    }
    expect(recordConsent(`${folder}/new`, 'typed', env, ['hello'])).toBe(true);
    for (const name of readdirSync(records, { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(records, name)).mode & 0o077).toBe(0);
    forgetConsent(`${folder}/new`, env);
    expect(recordedCommands(`${folder}/new`, env)).toEqual([]);
  });

  it('is not written again while it stays the same', () => {
    const env = envOf();
    const folder = projectFolder();
    const record = join(env.ARGUS_STATE_DIR, 'trust');
    const written = () =>
      readdirSync(record, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(join(record, name)).ino,
      );
    for (const commands of [[], ['hello']]) {
      recordConsent(folder, 'typed', env, commands);
      const before = written();
      recordConsent(folder, 'typed', env, commands);
      expect(written()).toEqual(before);
    }
  });

  it('can be about a folder with a long name and with any signs', () => {
    const env = envOf();
    const folder = `/home/me/${'deep/'.repeat(60)}Ünï\n'"`;
    recordConsent(folder, 'typed', env);
    expect(isRecorded(folder, 'typed', env)).toBe(true);
    expect(isRecorded(folder.toLowerCase(), 'typed', env)).toBe(false);
    expect(consentRecords(env)).toMatchObject([{ folder }]);
  });

  it.skipIf(process.platform === 'win32')('counts only where nobody else could have written it', () => {
    const env = envOf();
    recordConsent('/somewhere', 'trusted', env);
    recordConsent('/here', 'typed', env, ['hello']);
    chmodSync(env.ARGUS_STATE_DIR, 0o777);
    expect(isRecorded('/somewhere', 'trusted', env)).toBe(false);
    expect(recordedCommands('/here', env)).toEqual([]);
  });

  it('is never written through a link', () => {
    const env = envOf();
    const target = join(projectFolder(), 'target');
    mkdirSync(join(env.ARGUS_STATE_DIR, 'trust'));
    symlinkSync(target, join(env.ARGUS_STATE_DIR, 'trust', `${Buffer.from('/x').toString('hex')}.typed`));
    expect(() => recordConsent('/x', 'typed', env)).toThrow('EEXIST');
    expect(existsSync(target)).toBe(false);
  });
});

describe('trust', () => {
  it('holds for a folder and what lies in it, and what was typed there for the folder alone', () => {
    const { dir, folder } = open();
    const env = envOf();
    recordConsent(dir, 'typed', env);
    expect([isAgreedTo(dir, env), isAgreedTo(folder, env), isTrusted(dir, env)]).toEqual([
      true,
      false,
      false,
    ]);
    recordConsent(dir, 'trusted', env);
    expect([isTrusted(folder, env), isAgreedTo(folder, env), isTrusted('/', env)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is what ARGUS_TRUST says: folders, with their links followed, or all of them', () => {
    const { dir, folder } = open();
    symlinkSync(dir, join(folder, 'link'));
    expect(isTrusted(folder, { ARGUS_TRUST: ['/nowhere', join(folder, 'link')].join(delimiter) })).toBe(true);
    expect(isTrusted(folder, { ...envOf(), ARGUS_TRUST: '/nowhere' })).toBe(false);
    expect(isTrusted(folder, { ARGUS_TRUST: '*' })).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('a file that others could have put there', () => {
  it('is refused with what is to blame and the folder to trust, unless that is trusted', () => {
    const { folder, file } = open();
    const env = envOf();
    expect(refusal(() => requireTrusted(file, { env }))).toMatchObject({
      code: 'FOLDER_UNTRUSTED',
      message: `${file} is not used: others may write ${folder} (777)`,
      details: { folder, file, path: folder, reason: 'writable', mode: '777' },
    });
    // That argus was typed there says nothing about who else may write there.
    recordConsent(folder, 'typed', env);
    expect(refusal(() => requireTrusted(file, { env }))).toBeDefined();
    recordConsent(folder, 'trusted', env);
    expect(refusal(() => requireTrusted(file, { env }))).toBeUndefined();
  });

  it('is refused behind a link too', () => {
    const { file, dir } = open();
    symlinkSync(file, join(dir, 'argus.config.mjs'));
    expect(refusal(() => requireTrusted(join(dir, 'argus.config.mjs'), { env: envOf() }))).toMatchObject({
      details: { file },
    });
  });

  it('is refused behind a link that leads on to what is one’s own, which others could lead elsewhere', () => {
    const { folder, dir } = open();
    const config = join(dir, 'argus.config.json');
    writeFileSync(join(dir, 'mine.json'), '{}');
    symlinkSync(join(dir, 'mine.json'), join(folder, 'theirs.json'));
    symlinkSync(join(folder, 'theirs.json'), config);
    expect(refusal(() => requireTrusted(config, { env: envOf() }))).toMatchObject({
      details: { file: join(folder, 'theirs.json'), path: folder },
    });
  });

  it('is refused also when it has gone since it was found', async () => {
    const { folder, dir } = open();
    writeFileSync(join(folder, 'theirs.json'), '{"project":{"name":"theirs"}}');
    symlinkSync(join(folder, 'theirs.json'), join(dir, 'argus.config.json'));
    const found = await findConfig({ cwd: dir });
    rmSync(join(folder, 'theirs.json'));
    await expect(readTrusted({ file: '', ...found }, envOf())).rejects.toMatchObject({
      code: 'FOLDER_UNTRUSTED',
      error: { details: { path: folder } },
    });
  });

  it('is read once it is known to be nobody else’s, and not before', async () => {
    const config = (name: string) => JSON.stringify({ project: { name } });
    const dir = projectFolder({ 'argus.config.json': config('theirs') });
    const found = await findConfig({ cwd: dir });
    writeFileSync(join(dir, 'argus.config.json'), config('mine'));
    const { data } = await readTrusted({ file: '', ...found }, envOf());
    expect(data).toEqual({ project: { name: 'mine' } });
  });

  it('is named with the project that it lies in', () => {
    const { file, folder, dir } = open();
    const told = (project: string) =>
      refusal(() => requireTrusted(file, { env: envOf(), dir: project }))?.details;
    expect(told(dir)).toMatchObject({ folder: dir });
    expect(told('/elsewhere')).toMatchObject({ folder });
  });

  it('is for code also a folder of packages above it', () => {
    const dir = projectFolder({ 'node_modules/x': '', 'project/own.mjs': '' });
    const file = join(dir, 'project/own.mjs');
    const env = envOf();
    expect(refusal(() => requireTrustedCode(file, { env }))).toBeUndefined();
    chmodSync(join(dir, 'node_modules'), 0o777);
    expect(refusal(() => requireTrusted(file, { env }))).toBeUndefined();
    expect(refusal(() => requireTrustedCode(file, { env }))).toMatchObject({
      details: { path: join(dir, 'node_modules') },
    });
  });
});
