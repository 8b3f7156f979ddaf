import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const require = createRequire(source('core'));
const yaml = dirname(require.resolve('yaml/package.json'));
const jsYaml = require.resolve('js-yaml');

// Messages are in English; zod brings fifty languages along as soon as anyone mentions `z.core`.
const englishOnly: Plugin = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

// What works on projects is a file of its own: to read it takes longer than the first answer may.
const workApart: Plugin = {
  name: 'work-apart',
  setup(build) {
    build.onResolve({ filter: /\/work\.js$/ }, () => ({ path: './work.js', external: true }));
  },
};

// As the command line is: bundled from the sources of the other packages, and CommonJS, which Node loads faster.
export default defineConfig({
  entry: {
    'argus-mcp': 'src/argus-mcp.ts',
    index: 'src/index.ts',
    work: 'src/work.ts',
    // Programs that the process runtime starts; it looks for them beside its own code.
    keeper: '../plugin-process/src/programs/keeper.mjs',
    'mock-server': '../plugin-process/src/programs/mock-server.mjs',
  },
  format: 'cjs',
  outExtension: () => ({ js: '.js' }),
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  clean: false,
  dts: false,
  splitting: false,
  minify: true,
  noExternal: [/^(?!node:|libsql$|jiti$|typescript$|\.\/index\.js$)/],
  external: ['libsql', 'jiti', 'typescript', './index.js'],
  define: { ARGUS_VERSION: JSON.stringify(version), 'import.meta.dirname': '__dirname' },
  esbuildPlugins: [englishOnly, workApart],
  esbuildOptions(options) {
    options.alias = {
      '@argusai/core': source('core'),
      '@argusai/plugin-disk': source('plugin-disk'),
      '@argusai/plugin-docker': source('plugin-docker'),
      '@argusai/plugin-network': source('plugin-network'),
      '@argusai/plugin-orphans': source('plugin-orphans'),
      '@argusai/plugin-ports': source('plugin-ports'),
      '@argusai/plugin-process': source('plugin-process'),
      '@argusai/store-sqlite': source('store-sqlite'),
      // For Node the package offers CommonJS only, which is larger.
      yaml: join(yaml, 'browser', 'index.js'),
      // Imported by us and required by cosmiconfig, which would otherwise get a copy each.
      'js-yaml': jsYaml,
    };
  },
  async onSuccess() {
    // The package is ESM; this folder is not.
    writeFileSync(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n');
  },
});
