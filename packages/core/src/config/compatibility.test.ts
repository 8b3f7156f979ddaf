import { describe, expect, it } from 'vitest';
import { isArgusError } from '../model/argus-error.js';
import { coreVersion, releaseLine } from '../model/core-version.js';
import { definePlugin } from '../model/plugin.js';
import { projectFolder } from './fixtures/project-folder.js';
import { loadConfig } from './load-config.js';

const mark = Symbol.for('@argusai/core');
const source = (made = '') => `export default { name: 'lamp', apply() {}, ${made} };`;
const madeBy = (version: string) => source(`[Symbol.for('@argusai/core')]: '${version}'`);

/** A project with an installed plugin that asks for a core by its peer dependency. */
const project = (peer: unknown, text = source()) =>
  projectFolder({
    'argus.config.yaml': 'plugins:\n  - argusai-plugin-lamp\n',
    'node_modules/argusai-plugin-lamp/package.json': {
      name: 'argusai-plugin-lamp',
      version: '1.0.0',
      exports: './dist/m.js',
      ...(peer === undefined ? {} : { peerDependencies: { '@argusai/core': peer } }),
    },
    // It says how to read the files, and is not the package.
    'node_modules/argusai-plugin-lamp/dist/package.json': { type: 'module' },
    'node_modules/argusai-plugin-lamp/dist/m.js': text,
  });

/** The error with which a project is not loaded, or the names of the plugins that are. */
async function outcome(cwd: string, more: object = {}) {
  try {
    const { plugins } = await loadConfig({ cwd, builtins: {}, ...more });
    return plugins.map(({ plugin }) => plugin.name);
  } catch (error) {
    if (!isArgusError(error)) throw error;
    return error.error;
  }
}

describe('a plugin that is made for another core', () => {
  it('is refused by its peer dependency, before any of it runs, with the place and what to do', async () => {
    const dir = project('^99.0.0', 'throw new Error("it was imported")');
    expect(await outcome(dir)).toMatchObject({
      code: 'PLUGIN_INCOMPATIBLE',
      details: {
        file: `${dir}/argus.config.yaml`,
        core: coreVersion,
        problems: [
          {
            path: 'plugins[0]',
            line: 2,
            value: 'argusai-plugin-lamp',
            message:
              `plugin argusai-plugin-lamp is made for @argusai/core ^99.0.0, and this argus has ${coreVersion}; ` +
              'install a version of it that is made for this one, or the argus that it is made for',
          },
        ],
      },
    });
  });

  it('is refused when what it asks for is no range of versions, because it may be any', async () => {
    for (const range of ['banana', '1.x.y.z', 5, null, { version: '1' }])
      expect(
        await outcome(project(range, 'throw new Error("it was imported")')),
        String(range),
      ).toMatchObject({
        code: 'PLUGIN_INCOMPATIBLE',
        details: {
          problems: [
            {
              path: 'plugins[0]',
              message: expect.stringContaining(
                `plugin argusai-plugin-lamp asks for @argusai/core ${JSON.stringify(range)} by its peer dependency, which is no range`,
              ),
            },
          ],
        },
      });
  });

  it('is refused by the mark of the core that has made it, whatever its package says', async () => {
    for (const dir of [project(undefined, madeBy('99.1.2')), project('*', madeBy('99.1.2'))])
      expect(await outcome(dir)).toMatchObject({
        code: 'PLUGIN_INCOMPATIBLE',
        details: { problems: [{ message: expect.stringContaining('was made by @argusai/core 99.1.2') }] },
      });
  });

  it('is refused as a file of the project and as an object of a configuration', async () => {
    const file = projectFolder({
      'argus.config.json': { plugins: ['./lamp.mjs'] },
      'lamp.mjs': madeBy('99.0.0'),
    });
    expect(await outcome(file)).toMatchObject({
      code: 'PLUGIN_INCOMPATIBLE',
      details: {
        problems: [{ message: expect.stringContaining(`install @argusai/core ${coreVersion} beside it`) }],
      },
    });
    const code = projectFolder({
      'argus.config.mjs': `export default { plugins: [{ name: 'lamp', apply() {}, [Symbol.for('@argusai/core')]: '99.0.0' }] };`,
    });
    expect(await outcome(code)).toMatchObject({ code: 'PLUGIN_INCOMPATIBLE' });
  });

  it('is told with everything else that is wrong with a configuration', async () => {
    const dir = project('^99.0.0');
    const other = projectFolder({ 'x.json': { plugins: ['./gone.mjs'] } });
    expect(await outcome(other, { file: 'x.json' })).toMatchObject({ code: 'CONFIG_INVALID' });
    const both = projectFolder({
      'argus.config.json': { plugins: [`${dir}/node_modules/argusai-plugin-lamp/dist/m.js`], servics: {} },
    });
    expect(await outcome(both)).toMatchObject({
      code: 'CONFIG_INVALID',
      details: { problems: [{ message: expect.stringContaining('^99.0.0') }, { path: 'servics' }] },
    });
  });
});

describe('a plugin that is made for this core', () => {
  it('is loaded, also when it says so in many ways, or not at all', async () => {
    const ranges = [
      undefined,
      '*',
      `^${coreVersion}`,
      `^99.0.0 || ^${coreVersion}`,
      '>=0.0.1',
      ...[
        'workspace:^',
        'catalog:',
        'file:../core',
        'argusai/core',
        'https://example.test/core.tgz',
        'latest',
      ],
    ];
    for (const range of ranges) expect(await outcome(project(range)), String(range)).toEqual(['lamp']);
    expect(await outcome(project('*', madeBy(coreVersion)))).toEqual(['lamp']);
  });

  it('carries the version of the core that has made it', () => {
    const plugin = definePlugin({ name: 'lamp', apply: () => undefined });
    expect(Reflect.get(plugin, mark)).toBe(coreVersion);
  });
});

describe('a release', () => {
  it('goes with those of the same major, and before the first one of the same minor', () => {
    expect(['0.1.0', '0.1.9', '0.2.0', '1.0.0', '1.9.3', '2.0.0-rc.1'].map(releaseLine)).toEqual([
      '0.1',
      '0.1',
      '0.2',
      '1',
      '1',
      '2',
    ]);
  });
});
