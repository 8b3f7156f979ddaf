import { defineConfig } from 'tsup';

// Types come from `tsc -b`; it writes into the same folder, so nothing is cleaned here.
const shared = { format: 'esm', target: 'node20', clean: false, dts: false, sourcemap: true } as const;

export default defineConfig([
  { ...shared, entry: ['src/index.ts'] },
  // Programs of their own, each one file, started by path.
  { ...shared, entry: ['src/programs/keeper.mjs', 'src/programs/mock-server.mjs'], splitting: false },
]);
