import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const yaml = dirname(createRequire(source('core')).resolve('yaml/package.json'));

// Loading Node's crypto takes milliseconds, and most commands never use it.
const lazyCrypto: Plugin = {
  name: 'lazy-crypto',
  setup(build) {
    build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: 'crypto', namespace: 'lazy' }));
    build.onLoad({ filter: /./, namespace: 'lazy' }, () => ({
      contents: ['createHash', 'randomUUID']
        .map((name) => `export const ${name} = (...all) => process.getBuiltinModule('node:crypto').${name}(...all);`)
        .join('\n'),
    }));
  },
};

// How long argus takes to start decides whether people run it before everything. So all of it is one file, bundled from
// the sources of the other packages, and CommonJS, which Node loads faster. What is native or huge stays outside.
export default defineConfig({
  entry: { argus: 'src/argus.ts', program: 'src/process/run-process.ts' },
  format: 'cjs',
  outExtension: () => ({ js: '.js' }),
  target: 'node20',
  platform: 'node',
  clean: false,
  dts: false,
  splitting: false,
  minify: true,
  noExternal: [/^(?!node:|libsql$|jiti$|typescript$)/],
  external: ['libsql', 'jiti', 'typescript'],
  define: { ARGUS_VERSION: JSON.stringify(version), 'import.meta.dirname': '__dirname' },
  esbuildPlugins: [lazyCrypto],
  esbuildOptions(options) {
    options.alias = {
      '@argusai/core': source('core'),
      '@argusai/plugin-disk': source('plugin-disk'),
      '@argusai/store-sqlite': source('store-sqlite'),
      // For Node the package offers CommonJS only, which is larger.
      yaml: join(yaml, 'browser', 'index.js'),
    };
  },
  async onSuccess() {
    // The package is ESM; this folder is not.
    writeFileSync(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n');
  },
});
