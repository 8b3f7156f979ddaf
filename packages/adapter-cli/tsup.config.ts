import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

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
  banner: { js: "import{createRequire as $r}from'node:module';const require=$r(import.meta.url);" },
  esbuildOptions(options) {
    options.alias = {
      '@argusai/core': source('core'),
      '@argusai/plugin-disk': source('plugin-disk'),
      '@argusai/store-sqlite': source('store-sqlite'),
    };
  },
});
