import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import {
  englishOnly,
  type Plugin,
  packageSources,
  packageVersions,
  sources,
} from '../adapter-mcp/bundling.js';
import { onDemand } from './src/bundle/on-demand-plugin.js';
import { asFunction, restFile } from './src/bundle/rest-file.js';
import { lateModules } from './src/start/late-modules.js';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

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

// Some packages make ready whenever they are loaded what argus never uses: it only reads plain YAML, and has four kinds of hooks.
const onlyUsedParts: Plugin = {
  name: 'only-used-parts',
  setup(build) {
    const parts = {
      'js-yaml/index.js': `exports.load = require('./lib/loader').load; exports.CORE_SCHEMA = require('./lib/schema/core');`,
      'js-yaml/lib/schema/default.js': `module.exports = require('./core');`,
      'tapable/lib/index.js': [
        'SyncHook',
        'AsyncSeriesHook',
        'AsyncSeriesBailHook',
        'AsyncSeriesWaterfallHook',
      ]
        .map((name) => `exports.${name} = require('./${name}');`)
        .join('\n'),
    };
    for (const [file, contents] of Object.entries(parts)) {
      const filter = new RegExp(
        `node_modules[\\\\/]${file.replaceAll('/', '[\\\\/]').replaceAll('.', '\\.')}$`,
      );
      build.onLoad({ filter }, () => ({ contents }));
    }
  },
};

const folder = new URL('..', import.meta.url);
const packages = packageSources(folder);
const define = {
  ARGUS_VERSION: JSON.stringify(version),
  ...packageVersions(folder),
  'import.meta.dirname': '__dirname',
};
const entry = fileURLToPath(new URL('src/process/run-process.ts', import.meta.url));

// Nothing that a check of a healthy machine uses. Whole folders, so that a module that is added to one of them is there too.
const rest = restFile({
  root: fileURLToPath(folder),
  folders: [
    ...['explain', 'faults', 'guardian', 'init', 'standstill', 'suites'].map(
      (folder) => `core/src/${folder}`,
    ),
    ...['completion', 'formats', 'rendering/recovery', 'watchdog'].map(
      (folder) => `adapter-cli/src/${folder}`,
    ),
    ...['checkers', 'outside', 'placement', 'probes', 'verify'].map(
      (folder) => `plugin-network/src/${folder}`,
    ),
    'plugin-ports/src/resolve',
  ],
  packages: ['execa', 'yaml'],
  plugins: [lateBuiltins],
});

// How long argus takes to start decides whether people run it before everything. So all that a
// check needs is one file, bundled from the sources of the other packages, and CommonJS, which Node loads faster. What is
// native or huge stays outside.
export default defineConfig({
  entry: {
    argus: 'src/argus.ts',
    program: 'src/process/run-process.ts',
    'watchdog-thread': 'src/watchdog/watchdog-thread.ts',
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
  define,
  esbuildPlugins: [
    rest.plugin,
    onDemand({ entry, packages, define, rest }),
    lateBuiltins,
    englishOnly,
    onlyUsedParts,
  ],
  esbuildOptions(options) {
    options.alias = sources(folder);
  },
  plugins: [
    {
      name: 'program-as-function',
      // Code that was compiled before it is loaded cannot import by itself; see src/start/load-program.ts.
      renderChunk(code, { path }) {
        // Node starts the other programs alone and knows its modules by their own names only. Parts of them are in the program as well.
        if (/(keeper|mock-server|watchdog-thread)\.js$/.test(path))
          return { code: code.replace(/require\((["'`])late:/g, 'require($1node:') };
        if (!path.endsWith('program.js')) return undefined;
        return { code: asFunction(code) };
      },
    },
  ],
  async onSuccess() {
    // The package is ESM; this folder is not.
    writeFileSync(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n');
  },
});
