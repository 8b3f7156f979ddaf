import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isBundled, type Plugin } from '../model/plugin.js';
import { originOf } from '../plugins/plugin-origin.js';
import { projectFolder } from './fixtures/project-folder.js';
import { resolvePlugins } from './resolve-plugins.js';

const plugin = (name: string): Plugin => ({ name, apply: () => undefined });
const source = (name: string) => `export default { name: '${name}', apply() {} };`;
const builtins = {
  '@argusai/plugin-disk': async () => plugin('disk'),
  '@argusai/plugin-broken': async () => Promise.reject(new Error('not built')),
};
const places = (dir: string) => ({ dir, builtins });

/** An installed package of which only the files and the entry points differ. */
const installed = (name: string, manifest: object, files: Record<string, string>) => ({
  [`node_modules/${name}/package.json`]: { name, version: '1.0.0', ...manifest },
  ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`node_modules/${name}/${file}`, text])),
});

describe('plugins', () => {
  it('are found by package name, by path and in code, in the order of the configuration', async () => {
    const dir = projectFolder({
      ...installed(
        'argusai-plugin-esm',
        { type: 'module', exports: { '.': { import: './m.js' } } },
        { 'm.js': source('esm') },
      ),
      ...installed(
        '@team/argusai-plugin-any',
        { type: 'module', exports: './m.js' },
        { 'm.js': source('any') },
      ),
      ...installed(
        'argusai-plugin-cjs',
        { main: 'm.js' },
        { 'm.js': 'module.exports = { name: "cjs", apply() {} };' },
      ),
      ...installed(
        'argusai-plugin-compiled',
        { main: 'm.js' },
        {
          'm.js':
            'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { name: "compiled", apply() {} };',
        },
      ),
      'checks/licence.ts': `
        import { label } from './label.js';
        import esm from 'argusai-plugin-esm';
        interface Named { name: string }
        const named: Named = { name: 'licence' };
        export default { ...named, version: label + esm.name, apply(): void {} };`,
      'checks/label.ts': 'export const label: string = "with ";',
      'checks/named.mjs': `export const plugin = { name: 'named', apply() {} };`,
    });
    const names = [
      'argusai-plugin-esm',
      '@team/argusai-plugin-any',
      'argusai-plugin-cjs',
      'argusai-plugin-compiled',
    ];
    const paths = ['./checks/licence.ts', './checks/named.mjs'];
    const { plugins, problems } = await resolvePlugins([...names, ...paths, plugin('own')], places(dir));
    expect(problems).toEqual([]);
    expect(plugins.map(({ plugin: { name }, source }) => [name, source])).toEqual([
      ['esm', names[0]],
      ['any', names[1]],
      ['cjs', names[2]],
      ['compiled', names[3]],
      ['licence', paths[0]],
      ['named', paths[1]],
      ['own', 'code'],
    ]);
    expect(plugins[4]?.plugin.version).toBe('with esm');
  });

  it('of the built-in set come from the project if it has its own copy', async () => {
    const manifest = { type: 'module', exports: './m.js' };
    const own = projectFolder(installed('@argusai/plugin-disk', manifest, { 'm.js': source('own-disk') }));
    const [fromProject] = (await resolvePlugins(['@argusai/plugin-disk'], places(own))).plugins;
    expect(fromProject).toMatchObject({ plugin: { name: 'own-disk' }, source: '@argusai/plugin-disk' });
    const [alongside] = (await resolvePlugins(['@argusai/plugin-disk'], places(projectFolder()))).plugins;
    expect(alongside).toMatchObject({ plugin: { name: 'disk' }, source: 'built-in' });
  });

  it.each(['core', 'built-in', 'code'])('of a package called %s are none of ours', async (name) => {
    const manifest = { type: 'module', exports: './m.js' };
    const dir = projectFolder(installed(name, manifest, { 'm.js': source('foreign') }));
    const [found] = (await resolvePlugins([name], places(dir))).plugins;
    expect(found && isBundled(found)).toBe(false);
    expect(found && originOf(found, { name: '', dir })).toMatchObject({ path: `node_modules/${name}/m.js` });
  });

  it('are not taken from anywhere but the project, whatever NODE_PATH says', async () => {
    const elsewhere = projectFolder(
      installed('argusai-plugin-global', { exports: './m.js' }, { 'm.js': '' }),
    );
    const program = `
      const { createRequire } = await import('node:module');
      const { createJiti } = createRequire(${JSON.stringify(import.meta.url)})('jiti');
      const { resolveModule } = await createJiti(${JSON.stringify(import.meta.url)}).import('./resolve-module.ts');
      console.log(await resolveModule('argusai-plugin-global', ${JSON.stringify(projectFolder())}));`;
    const env = { ...process.env, NODE_PATH: join(elsewhere, 'node_modules') };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env,
    });
    expect(stdout).toBe('undefined\n');
  });

  it('may be named by the package that they are part of', async () => {
    const dir = projectFolder({
      'package.json': { name: 'argusai-plugin-self', type: 'module', exports: './m.js' },
      'm.js': source('self'),
    });
    const { plugins } = await resolvePlugins(['argusai-plugin-self'], places(dir));
    expect(plugins).toMatchObject([{ plugin: { name: 'self' } }]);
  });

  it('may be none at all', async () => {
    expect(await resolvePlugins([], places(projectFolder()))).toEqual({ plugins: [], problems: [] });
  });

  it('that cannot be used are all told, each with its name and what to do', async () => {
    const manifest = { type: 'module', exports: './m.js' };
    const dir = projectFolder({
      ...installed('throws', manifest, { 'm.js': 'throw new TypeError("at once")' }),
      ...installed('needy', manifest, { 'm.js': 'import "not-there"; export default 1' }),
      ...installed('empty', manifest, { 'm.js': 'export default { name: "no apply" }' }),
      ...installed('hidden', { exports: { './other': './m.js' } }, {}),
      'folder/x.ts': '',
    });
    const entries = [
      'argusai-plugin-gone',
      'throws',
      'needy',
      'empty',
      'hidden',
      './gone.ts',
      './folder',
      '@argusai/plugin-dsk',
      '@argusai/plugin-broken',
    ];
    const { plugins, problems } = await resolvePlugins(entries, places(dir));
    expect(plugins).toEqual([]);
    expect(problems.map(({ path }) => path)).toEqual(entries.map((_, index) => ['plugins', index]));
    expect(problems.map(({ value }) => value)).toEqual(entries);
    const [gone, throws, needy, empty, hidden, path, folder, typo, broken] = problems;
    expect(gone?.message).toContain('there is no plugin argusai-plugin-gone in');
    expect(gone?.suggestion).toBe('npm install argusai-plugin-gone');
    expect(gone?.message).not.toContain('did you mean');
    expect(throws?.message).toBe('plugin throws cannot be loaded: TypeError: at once');
    expect(needy?.message).toContain('not-there');
    expect(empty?.message).toContain('empty exports no plugin');
    expect(hidden?.suggestion).toBe('npm install hidden');
    expect(path?.message).toContain('there is no file ./gone.ts');
    expect(folder?.message).toContain('there is no file ./folder');
    expect(typo?.suggestion).toBe('@argusai/plugin-disk');
    expect(broken?.message).toBe('plugin @argusai/plugin-broken cannot be loaded: not built');
  });

  it('that are installed but were not built are told to be built, with the file that is missing', async () => {
    const folder = projectFolder({
      'package.json': { name: 'linked', type: 'module', exports: { '.': { import: './dist/index.js' } } },
    });
    const dir = projectFolder({
      'package.json': { name: 'own', exports: './dist/own.js' },
      ...installed('plain', { exports: './dist/index.js' }, {}),
      ...installed('typed', { exports: { '.': { types: './t.d.ts', default: './dist/m.js' } } }, {}),
      ...installed('@team/old', { main: 'lib/old' }, {}),
      ...installed('bare', {}, {}),
      ...installed('parts', { exports: { './one': './dist/one.js' } }, {}),
    });
    symlinkSync(folder, join(dir, 'node_modules/linked'));
    const names = ['linked', 'own', 'plain', 'typed', '@team/old', 'bare', 'parts/one'];
    const { problems } = await resolvePlugins(names, places(dir));
    expect(problems.map(({ message, suggestion }) => [message, suggestion])).toEqual(
      [
        `linked is installed (${folder}), but its file dist/index.js`,
        `own is installed (${dir}), but its file dist/own.js`,
        `plain is installed (${dir}/node_modules/plain), but its file dist/index.js`,
        `typed is installed (${dir}/node_modules/typed), but its file dist/m.js`,
        `@team/old is installed (${dir}/node_modules/@team/old), but its file lib/old`,
        `bare is installed (${dir}/node_modules/bare), but its file index.js`,
        `parts/one is installed (${dir}/node_modules/parts), but its file dist/one.js`,
      ].map((text) => [`plugin ${text} is not there; build it, or install it again`, undefined]),
    );
  });

  it('must not be there twice, whatever they are called', async () => {
    const dir = projectFolder({ 'again.mjs': source('disk') });
    const { problems } = await resolvePlugins(['@argusai/plugin-disk', './again.mjs'], places(dir));
    expect(problems).toEqual([
      { path: ['plugins', 1], message: 'plugin "disk" is there already, from built-in' },
    ]);
  });

  it('get the options of their entry, and problems with those are placed within it', async () => {
    const options = z.strictObject({ url: z.string() });
    const own: Plugin = { ...plugin('own'), options };
    const dir = projectFolder({ 'bare.mjs': source('bare') });
    const good = await resolvePlugins([[own, { url: 'x' }]], places(dir));
    expect(good.plugins).toEqual([
      { plugin: own, options: { url: 'x' }, source: 'code', optionsKey: 'plugins[0][1]' },
    ]);
    const bad = await resolvePlugins(
      [
        [own, { ulr: 'x' }],
        ['./bare.mjs', { a: 1 }],
      ],
      places(dir),
    );
    expect(bad.plugins).toEqual([]);
    expect(bad.problems.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['plugins.0.1.url', 'plugin own: is missing, expected a string'],
      ['plugins.0.1.ulr', 'plugin own: unknown key "ulr", did you mean "url"?'],
      ['plugins.1.1', 'plugin bare: it takes no options'],
    ]);
    const [missing] = (await resolvePlugins([own], places(dir))).problems;
    expect(missing?.path).toEqual(['plugins', 0, 'url']);
  });

  it('leave entries that make no sense to validation', async () => {
    expect(await resolvePlugins([5, ['x']], places(projectFolder()))).toEqual({ plugins: [], problems: [] });
    expect(await resolvePlugins('text', places(projectFolder()))).toEqual({ plugins: [], problems: [] });
  });
});

describe('the built-in plugins', () => {
  it('all run when the configuration names none, and one that is broken is told', async () => {
    const { plugins, problems } = await resolvePlugins(undefined, places(projectFolder()));
    expect(plugins).toEqual([
      {
        plugin: expect.objectContaining({ name: 'disk' }),
        options: {},
        source: 'built-in',
        optionsKey: 'plugins',
      },
    ]);
    expect(problems).toEqual([
      {
        path: ['plugins'],
        message: 'plugin @argusai/plugin-broken cannot be loaded: not built',
        value: '@argusai/plugin-broken',
      },
    ]);
  });
});
