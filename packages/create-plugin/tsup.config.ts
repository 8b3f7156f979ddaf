import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const { version } = JSON.parse(readFileSync(new URL('../core/package.json', import.meta.url), 'utf8'));

// Types come from `tsc -b`; it writes into the same folder, so nothing is cleaned here.
export default defineConfig({
  entry: ['src/create-plugin.ts'],
  format: 'esm',
  target: 'node20',
  clean: false,
  dts: false,
  // A plugin is written for the core that was there when this program was built.
  define: { ARGUS_CORE_VERSION: JSON.stringify(version) },
});
