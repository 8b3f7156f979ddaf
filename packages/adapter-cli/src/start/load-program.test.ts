import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/demo-project.js';
import { compiledFile, readCompiled, useOf, writeCompiled } from './compiled-file.js';
import { loadProgram } from './load-program.js';

const require = createRequire(import.meta.url);
const source = `(function (exports, require, module, __filename, __dirname, __import) {
  exports.runProcess = () => require('node:path').basename(__filename) + __dirname.length;
  exports.runProcess.import = __import;
})`;

function program() {
  const folder = temporaryFolder();
  const before = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });
  const file = join(folder, 'program.js');
  writeFileSync(file, source);
  return { file, folder, cache: join(folder, 'cache', 'argus') };
}

describe('loadProgram', () => {
  it('loads a program as require would', () => {
    const { file, folder } = program();
    expect(loadProgram(file, '1', 'all', require).runProcess([], {} as never)).toBe(
      `program.js${folder.length}`,
    );
  });

  it('keeps compiled code only when asked to, for its owner only, and uses it the next time', () => {
    const { file, cache } = program();
    const first = loadProgram(file, '1', 'all', require);
    expect(() => readdirSync(cache)).toThrow('ENOENT');
    first.keepCompiled();
    const [name = ''] = readdirSync(cache);
    const { mode, mtimeMs } = statSync(join(cache, name));
    expect(mode & 0o777).toBe(0o600);

    utimesSync(join(cache, name), 1, 1);
    const second = loadProgram(file, '1', 'all', require);
    second.keepCompiled();
    expect(second.runProcess([], {} as never)).toContain('program.js');
    expect(statSync(join(cache, name)).mtimeMs).toBe(1000);
    expect(mtimeMs).not.toBe(1000);
  });

  it('goes on without when nothing can be kept', () => {
    const { file, folder, cache } = program();
    mkdirSync(join(folder, 'cache'));
    writeFileSync(cache, 'a file where the folder should be');
    const loaded = loadProgram(file, '1', 'all', require);
    loaded.keepCompiled();
    expect(loaded.runProcess([], {} as never)).toContain('program.js');
  });
});

it('gives a program the means to import', async () => {
  const { file } = program();
  const { runProcess } = loadProgram(file, '1', 'all', require) as unknown as {
    runProcess: { import(specifier: string): Promise<typeof import('node:os')> };
  };
  expect((await runProcess.import('node:os')).EOL).toBe('\n');
});

describe('compiledFile', () => {
  it('is another one for another version, program, use or flags', () => {
    const { file } = program();
    const name = (version: string, env = {}, argv = ['setup']) =>
      compiledFile(file, version, useOf(argv), { HOME: '/home/x', ...env });
    const names = [name('1'), name('2'), name('1', { NODE_OPTIONS: '--no-opt' }), name('1', {}, ['check'])];
    writeFileSync(file, 'changed');
    names.push(name('1'));
    expect(new Set(names).size).toBe(5);
    expect(names[0]).toMatch(/^\/home\/x\/\.cache\/argus\/1-/);
  });

  it('is nowhere without a home or when it is not wanted', () => {
    const { file } = program();
    expect(compiledFile(file, '1', 'all', {})).toBeUndefined();
    expect(
      compiledFile(file, '1', 'all', { HOME: '/home/x', NODE_DISABLE_COMPILE_CACHE: '1' }),
    ).toBeUndefined();
  });
});

describe('compiled code', () => {
  it('is not trusted when others could have written it', () => {
    const file = join(temporaryFolder(), 'x.compiled');
    writeCompiled(file, () => Buffer.from('code'));
    expect(readCompiled(file)?.toString()).toBe('code');
    chmodSync(file, 0o666);
    expect(readCompiled(file)).toBeUndefined();
  });

  // Node's own recursion never ends there.
  it.runIf(existsSync('/proc/self'))('is not kept where no folder can be made for it', () => {
    const file = '/proc/argus-none/argus/x.compiled';
    writeCompiled(file, () => Buffer.from('code'));
    expect(readCompiled(file)).toBeUndefined();
  });

  it('is removed when there is too much of it, the oldest first', () => {
    const folder = temporaryFolder();
    for (let index = 0; index < 11; index += 1) {
      const file = join(folder, `${index}.compiled`);
      writeCompiled(file, () => Buffer.from('code'));
      utimesSync(file, index + 1, index + 1);
    }
    writeCompiled(join(folder, 'last.compiled'), () => Buffer.from('code'));
    expect(readdirSync(folder).sort()).toEqual([
      ...['10.compiled', '4.compiled', '5.compiled', '6.compiled', '7.compiled', '8.compiled', '9.compiled'],
      'last.compiled',
    ]);
  });
});
