import { defineConfig } from 'tsup';

// Types come from `tsc -b`; it writes into the same folder, so nothing is cleaned here.
export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  target: 'node20',
  clean: false,
  dts: false,
  sourcemap: true,
});
