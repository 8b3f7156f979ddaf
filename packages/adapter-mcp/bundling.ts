import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

/** A plugin of the bundler. */
export type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Messages are in English; zod brings fifty languages along as soon as anyone mentions `z.core`. */
export const englishOnly: Plugin = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

const plugins = ['disk', 'docker', 'network', 'orphans', 'ports', 'process'];

/** The versions of core and of the plugins that come along, as what stands for them in the sources; `packages` is the folder of their folders. */
export function packageVersions(packages: URL): Record<string, string> {
  const versionOf = (name: string) =>
    JSON.stringify(JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), 'utf8')).version);
  return {
    ARGUS_CORE_VERSION: versionOf('core'),
    ...Object.fromEntries(
      plugins.map((name) => [`ARGUS_PLUGIN_VERSIONS.${name}`, versionOf(`plugin-${name}`)]),
    ),
  };
}

/** The sources of our own packages, by the names that they are imported by; `packages` is the folder of their folders. */
export function packageSources(packages: URL): Record<string, string> {
  const path = (name: string) => fileURLToPath(new URL(name, packages));
  const names = ['core', 'store-sqlite', ...plugins.map((name) => `plugin-${name}`)];
  return {
    ...Object.fromEntries(names.map((name) => [`@argusai/${name}`, path(`${name}/src/index.ts`)])),
    '@argusai/adapter-mcp/builtin-plugins': path('adapter-mcp/src/project/builtin-plugins.ts'),
  };
}

/** What the programs are bundled from. */
export function sources(packages: URL): Record<string, string> {
  const require = createRequire(fileURLToPath(new URL('core/src/index.ts', packages)));
  return {
    ...packageSources(packages),
    // For Node the package offers CommonJS only, which is larger.
    yaml: join(dirname(require.resolve('yaml/package.json')), 'browser', 'index.js'),
    // The one in CommonJS, of which only the parts that are used can be taken.
    'js-yaml': require.resolve('js-yaml'),
  };
}
