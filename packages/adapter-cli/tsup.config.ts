import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { lateModules } from './src/start/late-modules.js';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const require = createRequire(source('core'));
const yaml = dirname(require.resolve('yaml/package.json'));
const jsYaml = require.resolve('js-yaml');

// Some of Node's own modules take milliseconds to load. The program asks for them under another name, and is given
// something that loads them when something of theirs is first used; see src/start/late-modules.ts.
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(build) {
    build.onResolve(
      { filter: new RegExp(`^(node:)?(${lateModules.join('|')})$`) },
      ({ path, kind, importer }) => {
        // An import that is late by itself needs no help, and what starts the program needs the real ones.
        if (kind === 'dynamic-import' || importer.includes(starter)) return undefined;
        return { path: path.replace(/^(node:)?/, 'late:'), external: true };
      },
    );
  },
};
const starter = join('adapter-cli', 'src', 'start');

// Messages are in English; zod brings fifty languages along as soon as anyone mentions `z.core`.
const englishOnly: Plugin = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

// Cosmiconfig reads package.json for settings of its own with a parser that draws the place of a mistake in colours, and so
// brings along what colours need. All it is ever asked here is whether the text is JSON.
const plainJson: Plugin = {
  name: 'plain-json',
  setup(build) {
    build.onResolve({ filter: /^parse-json$/ }, ({ path }) => ({ path, namespace: 'plain' }));
    build.onLoad({ filter: /./, namespace: 'plain' }, () => ({
      contents: 'module.exports = (text) => JSON.parse(text);',
    }));
  },
};

// How long argus takes to start decides whether people run it before everything. So all of it is one file, bundled from
// the sources of the other packages, and CommonJS, which Node loads faster. What is native or huge stays outside.
export default defineConfig({
  entry: {
    argus: 'src/argus.ts',
    program: 'src/process/run-process.ts',
    // Programs that the process runtime starts; it looks for them beside its own code.
    keeper: '../plugin-process/src/programs/keeper.mjs',
    'mock-server': '../plugin-process/src/programs/mock-server.mjs',
  },
  format: 'cjs',
  outExtension: () => ({ js: '.js' }),
  target: 'node20',
  platform: 'node',
  // Otherwise these imports are gone before the plugins below can see them.
  removeNodeProtocol: false,
  clean: false,
  dts: false,
  splitting: false,
  minify: true,
  noExternal: [/^(?!node:|libsql$|jiti$|typescript$|@argusai\/adapter-mcp$)/],
  external: ['libsql', 'jiti', 'typescript', '@argusai/adapter-mcp'],
  define: { ARGUS_VERSION: JSON.stringify(version), 'import.meta.dirname': '__dirname' },
  esbuildPlugins: [lateBuiltins, englishOnly, plainJson],
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
  plugins: [
    {
      name: 'program-as-function',
      // Code that was compiled before it is loaded cannot import by itself; see src/start/load-program.ts.
      renderChunk(code, { path }) {
        // Node starts the other programs alone and knows its modules by their own names only. Parts of them are in the program as well.
        if (/(keeper|mock-server)\.js$/.test(path))
          return { code: code.replace(/require\((["'`])late:/g, 'require($1node:') };
        if (!path.endsWith('program.js')) return undefined;
        const body = code.replace(/(?<![.\w$])import\(/g, '__import(');
        return { code: `(function (exports, require, module, __filename, __dirname, __import) {${body}\n})` };
      },
    },
  ],
  async onSuccess() {
    // The package is ESM; this folder is not.
    writeFileSync(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n');
  },
});
