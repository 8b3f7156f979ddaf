import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsup';

/** zod brings fifty languages along; argus leaves all but English out, so whoever is compared with it does too. */
const englishOnly = {
  name: 'english-only',
  setup(bundler) {
    bundler.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** One file of CommonJS, minified, as argus is. Gives its path. */
export async function bundle(entry, outDir) {
  // Whoever is asked how to read the files of the folder.
  writeFileSync(join(outDir, 'package.json'), '{}');
  await build({
    config: false,
    silent: true,
    entry: { bundled: entry },
    outDir,
    format: 'cjs',
    outExtension: () => ({ js: '.cjs' }),
    target: 'node20',
    platform: 'node',
    minify: true,
    noExternal: [/./],
    esbuildPlugins: [englishOnly],
    clean: false,
  });
  return join(outDir, 'bundled.cjs');
}
