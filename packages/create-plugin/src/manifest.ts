import type { Answers } from './answers.js';

/** The package.json of a new plugin. */
export function manifestOf({ name, description, author }: Answers, coreVersion: string) {
  const core = { '@argusai/core': `^${coreVersion}` };
  return {
    name: name.package,
    version: '0.1.0',
    description,
    author,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.19' },
    sideEffects: false,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', 'README.md', 'LICENSE'],
    // Plugins are found by the first of these.
    keywords: ['argusai-plugin', 'argus', name.plugin],
    // A package with a scope is private unless it says otherwise.
    publishConfig: { access: 'public' },
    scripts: {
      build: 'node -e "fs.rmSync(\'dist\', { recursive: true, force: true })" && tsc -p tsconfig.build.json',
      test: 'tsc --noEmit && vitest run',
      prepack: 'npm run build',
      prepublishOnly: 'npm test',
    },
    dependencies: { zod: '^4.0.0' },
    // The core that loads the plugin is the project's; another major of it refuses the plugin.
    peerDependencies: core,
    devDependencies: {
      ...core,
      '@types/node': '^20.19.0',
      typescript: '^6.0.0',
      vitest: '^4.0.0',
    },
  };
}
