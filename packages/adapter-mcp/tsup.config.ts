import { readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { englishOnly, type Plugin, packageVersions, sources } from './bundling.js';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// What works on projects is a file of its own: to read it takes longer than the first answer may. So is the server, for those who only start it.
const filesApart: Plugin = {
  name: 'files-apart',
  setup(build) {
    build.onResolve({ filter: /\/(work|served)\.js$/ }, ({ path }) => ({
      path: `./${path.split('/').at(-1)}`,
      external: true,
    }));
  },
};

// As the command line is: bundled from the sources of the other packages, and CommonJS, which Node loads faster.
export default defineConfig({
  entry: {
    'argus-mcp': 'src/argus-mcp.ts',
    index: 'src/index.ts',
    served: 'src/served.ts',
    work: 'src/work.ts',
    'watch-thread': 'src/supervision/watch-thread.ts',
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
  define: {
    ARGUS_VERSION: JSON.stringify(version),
    ...packageVersions(new URL('..', import.meta.url)),
    'import.meta.dirname': '__dirname',
  },
  esbuildPlugins: [englishOnly, filesApart],
  esbuildOptions(options) {
    options.alias = sources(new URL('..', import.meta.url));
  },
  async onSuccess() {
    // The package is ESM; this folder is not.
    writeFileSync(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n');
  },
});
