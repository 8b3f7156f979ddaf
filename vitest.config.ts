import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { packageVersions } from './packages/adapter-mcp/bundling.js';
import { LongestFirst } from './tests/support/longest-first.js';
import { testsApart } from './tests/support/tests-apart.js';

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// As when the programs are built. What `define` sets is not there where files share a process.
const versions = Object.entries(packageVersions(new URL('./packages/', import.meta.url)));
const plugins = [
  {
    name: 'package-versions',
    transform: (code: string, id: string) =>
      /\/(core-version|builtin-plugins)\.ts$/.test(id)
        ? versions.reduce((text, [name, version]) => text.replaceAll(name, version), code)
        : undefined,
  },
];

// Node reads all of these certificates whenever it starts, which doubles what a start costs. The tests start it thousands
// of times and go nowhere with it; the one that installs from a registry takes them from here.
if (process.env.NODE_EXTRA_CA_CERTS) {
  process.env.ARGUS_TEST_CA_CERTS = process.env.NODE_EXTRA_CA_CERTS;
  delete process.env.NODE_EXTRA_CA_CERTS;
}

// Tests run the sources; only the tests that start the built program need a build.
const resolve = {
  alias: [
    { find: /^@argusai\/core\/testing$/, replacement: source('core/src/testing/index.ts') },
    {
      find: '@argusai/adapter-mcp/builtin-plugins',
      replacement: source('adapter-mcp/src/project/builtin-plugins.ts'),
    },
    { find: /^@argusai\/([a-z-]+)$/, replacement: `${source('$1')}/src/index.ts` },
  ],
};
const tests = ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'];
const apart = testsApart(fileURLToPath(new URL('.', import.meta.url)));
const limits = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Only here: a project that had it as well would start an engine of its own.
    globalSetup: ['tests/support/provide-engine.ts', 'tests/support/provide-shells.ts'],
    reporters: ['default', './tests/faults/report/reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Most tests wait for a process, a socket or an engine, so there are more of them at a time than processors.
    maxWorkers: 2 * availableParallelism(),
    // To load the sources anew costs more than most files of tests take. So those that keep to themselves share processes.
    projects: [
      { plugins, resolve, test: { name: 'apart', include: apart, isolate: true, ...limits } },
      {
        plugins,
        resolve,
        test: {
          name: 'together',
          include: tests,
          exclude: [...configDefaults.exclude, ...apart],
          isolate: false,
          ...limits,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/fixtures/**', '**/*.d.ts'],
      // Nobody browses the pages of a machine that is gone afterwards.
      reporter: ['text-summary', ...(process.env.CI ? [] : ['html'])],
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
