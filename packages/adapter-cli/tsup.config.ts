import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';

const folder = (name: string) => fileURLToPath(new URL(`../${name}/`, import.meta.url));
const source = (name: string) => join(folder(name), 'src', 'index.ts');
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const yaml = dirname(createRequire(source('core')).resolve('yaml/package.json'));

// A dynamic import of a bundled CommonJS package has only a default export; Node would give the named ones as well.
const namedExports: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'named-exports-of-commonjs',
  setup(build) {
    build.onResolve({ filter: /^cosmiconfig$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'named-exports' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'named-exports' }, ({ path }) => ({
      contents: `export { ${path} } from '${path}';`,
      resolveDir: folder('core'),
    }));
  },
};

// Starting a program that is spread over hundreds of files costs more than running it, so all of it is bundled, from
// the sources of the other packages. What is native or huge stays outside: libsql, jiti.
export default defineConfig({
  entry: ['src/argus.ts'],
  format: 'esm',
  target: 'node20',
  platform: 'node',
  clean: false,
  dts: false,
  splitting: true,
  minify: true,
  sourcemap: false,
  noExternal: [/^(?!node:|libsql$|jiti$|typescript$)/],
  external: ['libsql', 'jiti', 'typescript'],
  define: { ARGUS_VERSION: JSON.stringify(version) },
  // Bundled CommonJS packages ask for Node's own modules with `require`.
  banner: {
    js: "import{createRequire as __argusRequire}from'node:module';const require=__argusRequire(import.meta.url);",
  },
  esbuildPlugins: [namedExports],
  esbuildOptions(options) {
    options.alias = {
      '@argusai/core': source('core'),
      '@argusai/plugin-disk': source('plugin-disk'),
      '@argusai/store-sqlite': source('store-sqlite'),
      // For Node the package offers CommonJS only.
      yaml: join(yaml, 'browser', 'index.js'),
    };
  },
});
