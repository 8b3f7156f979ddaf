import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

export default defineConfig({
  // Tests run the sources; only the tests that start the built program need a build.
  resolve: {
    alias: [
      { find: /^@argusai\/core\/testing$/, replacement: source('core/src/testing/index.ts') },
      { find: /^@argusai\/([a-z-]+)$/, replacement: `${source('$1')}/src/index.ts` },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['tests/support/provide-engine.ts'],
    reporters: ['default', './tests/faults/report/reporter.ts'],
    // Most tests wait for a process, a socket or an engine, so there are more of them at a time than processors.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/fixtures/**', '**/*.d.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: {
        lines: 85,
        statements: 85,
        functions: 85,
        branches: 85,
        'packages/core/src/circuit/**': { lines: 90, statements: 90, functions: 90, branches: 90 },
        'packages/core/src/model/**': { lines: 90, statements: 90, functions: 90, branches: 90 },
      },
    },
  },
});
