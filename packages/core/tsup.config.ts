import { readFileSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { defineConfig } from 'tsup';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// Types come from `tsc -b`; it writes into the same folder, so nothing is cleaned here.
export default defineConfig({
  // The store contract is an entry of its own because it is loaded late and starts programs that lie beside it.
  entry: ['src/index.ts', 'src/testing/index.ts', 'src/testing/state-store-contract.ts'],
  format: 'esm',
  target: 'node20',
  clean: false,
  dts: false,
  sourcemap: true,
  define: { ARGUS_CORE_VERSION: JSON.stringify(version) },
  async onSuccess() {
    const programs = (await readdir('src/testing/fixtures')).filter((name) => name.endsWith('.mjs'));
    await Promise.all(
      programs.map((name) => cp(`src/testing/fixtures/${name}`, `dist/testing/fixtures/${name}`)),
    );
  },
});
