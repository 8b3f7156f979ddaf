import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './run.js';

/** An empty folder, gone after the test. */
function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'argus-create-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs the program in a folder; the answers are those of somebody at a terminal. */
async function create(cwd: string, argv: string[], answers?: string[]) {
  let out = '';
  let err = '';
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers?.[questions.length - 1] ?? '';
  };
  const code = await run(argv, {
    ...(answers === undefined ? {} : { ask }),
    cwd,
    version: '1.2.3',
    coreVersion: '4.5.6',
    year: 2030,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    template: fileURLToPath(new URL('../template', import.meta.url)),
  });
  return { code, out, err, questions };
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const everything = (dir: string) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();

describe('a new plugin', () => {
  it('has the names it was given wherever one belongs', async () => {
    const cwd = emptyFolder();
    const description = 'Looks after "queues"';
    const { code, out } = await create(cwd, [
      ...['--name', '@team/message-queue', '--description', description, '--author', 'Ada', '--yes'],
    ]);
    expect(code).toBe(0);
    const folder = join(cwd, 'argusai-plugin-message-queue');
    expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({
      name: '@team/argusai-plugin-message-queue',
      description,
      author: 'Ada',
      type: 'module',
      keywords: expect.arrayContaining(['argusai-plugin']),
      peerDependencies: { '@argusai/core': '^4.5.6' },
    });
    expect(read(folder, 'src/error-codes.ts')).toContain("'MESSAGE_QUEUE_SETTINGS_MISSING'");
    expect(read(folder, 'src/index.ts')).toContain("name: 'message-queue'");
    expect(read(folder, 'LICENSE')).toContain('Copyright (c) 2030 Ada');
    expect(read(folder, 'README.md')).toContain('npm install --save-dev @team/argusai-plugin-message-queue');
    for (const path of everything(folder).filter((name) => /\.\w+$|LICENSE/.test(name)))
      expect(read(folder, path), path).not.toMatch(/__\w+__/);
    for (const path of ['src/checkers/settings.ts', 'src/index.test.ts', '.gitignore', 'tsconfig.json']) {
      expect(everything(folder)).toContain(path);
      expect(out).toContain(path);
    }
    expect(out).toContain('cd argusai-plugin-message-queue');
    expect(everything(cwd).filter((name) => !name.startsWith('argusai-plugin-message-queue'))).toEqual([]);
  });

  it('takes its name alone, with or without the prefix, and goes into the folder that is named', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'my plugins'));
    const { code, out } = await create(cwd, ['argusai-plugin-lamp', '--dir', 'my plugins']);
    expect(code).toBe(0);
    expect(out).toContain('cd "my plugins/argusai-plugin-lamp"');
    expect(readdirSync(join(cwd, 'my plugins'))).toEqual(['argusai-plugin-lamp']);
  });

  it('is asked for at a terminal, again when the name cannot be', async () => {
    const cwd = emptyFolder();
    const { code, err, questions } = await create(cwd, [], ['My Lamp', 'disk', 'lamp', 'Light', '']);
    expect(code).toBe(0);
    expect(questions).toHaveLength(5);
    expect(err).toMatch(/"My Lamp" cannot be the name.*\n.*brings a plugin called disk/);
    expect(JSON.parse(read(cwd, 'argusai-plugin-lamp/package.json'))).toMatchObject({
      description: 'Light',
      author: 'the authors of argusai-plugin-lamp',
    });
  });

  it('asks nothing when it is told to, or when everything is given', async () => {
    expect((await create(emptyFolder(), ['lamp', '-y'], [])).questions).toEqual([]);
    const given = ['lamp', '--author', 'Ada', '--description', 'x'];
    expect((await create(emptyFolder(), given, [])).questions).toEqual([]);
  });
});

describe('nothing is written', () => {
  it.each([
    [['Lamp'], '"Lamp" cannot be the name of a plugin'],
    [['lamp--post'], 'small letters, digits and single hyphens'],
    [['../lamp'], 'cannot be the name'],
    [['@/lamp'], 'cannot be the name'],
    [['@te am/lamp'], 'cannot be the name'],
    [[''], '"" cannot be the name'],
    [['docker'], 'Argus itself brings a plugin called docker'],
    [['a'.repeat(220)], 'npm takes 214'],
    [[], 'The name of the plugin is missing.\nGive it with --name'],
    [['lamp', 'post'], 'there are several: lamp post'],
    [['lamp', '--name', 'post'], 'there are several'],
    [['lamp', '--colour'], "Unknown option '--colour'"],
    [['lamp', '--dir'], '--help'],
    [['lamp', '--description', 'two\nlines'], 'is more than a line of text'],
  ])('for %j, which is wrong usage', async (argv, message) => {
    const cwd = emptyFolder();
    const { code, out, err } = await create(cwd, argv);
    expect(err).toContain(message);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(everything(cwd)).toEqual([]);
  });

  it.each([
    ['a folder with files', (path: string) => [mkdirSync(path), writeFileSync(join(path, 'mine'), 'x')]],
    ['an empty folder', (path: string) => mkdirSync(path)],
    ['a file', (path: string) => writeFileSync(path, 'x')],
    ['a link that leads nowhere', (path: string) => symlinkSync('gone', path)],
  ])('over %s', async (_, make) => {
    const cwd = emptyFolder();
    make(join(cwd, 'argusai-plugin-lamp'));
    const before = everything(cwd);
    const { code, err } = await create(cwd, ['lamp']);
    expect(err).toMatch(/is there already, and nothing is written over\.\nChoose another name/);
    expect(code).toBe(1);
    expect(everything(cwd)).toEqual(before);
  });

  it('where there is no folder, or a file instead', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'file'), '');
    for (const dir of ['gone', 'file']) {
      const { code, err } = await create(cwd, ['lamp', '--dir', dir]);
      expect(err).toContain(`There is no folder ${join(cwd, dir)}.\nMake it first`);
      expect(code).toBe(1);
    }
    expect(everything(cwd)).toEqual(['file']);
  });

  it('where this user may not write', async () => {
    const cwd = emptyFolder();
    chmodSync(cwd, 0o555);
    const { code, err } = await asNobody(() => create(cwd, ['lamp']));
    expect(err).toBe(`${cwd} may not be written by this user.\nName a folder of your own with --dir.\n`);
    expect(code).toBe(1);
    expect(everything(cwd)).toEqual([]);
  });
});

/** Root may write everywhere, so it becomes somebody else for a moment. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return await work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('the program', () => {
  it('tells how it is used and which version it is', async () => {
    expect((await create(emptyFolder(), ['--help'])).out).toContain('Usage: npm create @argusai/plugin');
    expect((await create(emptyFolder(), ['--version'])).out).toBe('1.2.3\n');
  });
});
